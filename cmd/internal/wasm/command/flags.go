package command

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/printable"
)

// flags are the flags of a verb, by their names. Package pflag, which the command has, needs the
// name of a program, and a WebAssembly has none.
type flags struct {
	bools map[string]*bool
	texts map[string]*string
	lists map[string]*[]string // of flags that may be repeated
}

// parse sets the values of flags, and returns the other arguments. "--" ends the flags.
func (f *flags) parse(args []string) (others []string, err error) {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		name, dashes := strings.TrimPrefix(arg, "--"), "--"
		switch {
		case arg == "--":
			return append(others, args...), nil
		case arg == "-" || !strings.HasPrefix(arg, "-"):
			others = append(others, arg)
			continue
		case name == arg:
			name, dashes = arg[1:], "-"
		}
		name, value, given := strings.Cut(name, "=")
		if dashes == "-" && len(name) > 1 && f.lists[name[:1]] != nil {
			name, value, given = arg[1:2], strings.TrimPrefix(arg[2:], "="), true // -aGPTBot
		}
		flag := printable.Quoted(dashes+name, 100)
		if (dashes == "-") != (len(name) == 1) {
			return nil, misusef("unknown flag: %s", flag)
		}
		if b := f.bools[name]; b != nil {
			if given && value != "true" && value != "false" {
				return nil, misusef("%s has no value: leave %s out", flag, printable.Quoted("="+value, 100))
			}
			*b = !given || value == "true"
			continue
		}
		text, list := f.texts[name], f.lists[name]
		switch {
		case text == nil && list == nil:
			return nil, misusef("unknown flag: %s", flag)
		case !given && len(args) == 0:
			return nil, misusef("%s needs a value after it", flag)
		case !given:
			value, args = args[0], args[1:]
		}
		if list != nil {
			*list = append(*list, value)
		} else {
			*text = value
		}
	}
	return others, nil
}

// split splits values with commas between them.
func split(values []string) (all []string) {
	for _, value := range values {
		all = append(all, strings.Split(value, ",")...)
	}
	return all
}
