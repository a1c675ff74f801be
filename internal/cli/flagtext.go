package cli

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// valueKey is the key of the annotation with the name of a flag's value.
const valueKey = "robots_value"

// nameValues takes the names of values out of the descriptions of all flags of a command and its
// verbs. pflag marks the names with backquotes, which shells would show in completions. nameValues
// also adds the flag --help to each of them.
func nameValues(cmd *cobra.Command) {
	if !cmd.DisableFlagParsing { // else another program has the help
		addHelp(cmd)
	}
	for _, flags := range []*pflag.FlagSet{cmd.PersistentFlags(), cmd.Flags()} {
		flags.VisitAll(func(f *pflag.Flag) {
			name := valueName(f)
			_, f.Usage = pflag.UnquoteUsage(f)
			if f.Annotations == nil {
				f.Annotations = make(map[string][]string)
			}
			f.Annotations[valueKey] = []string{name}
		})
	}
	for _, verb := range cmd.Commands() {
		nameValues(verb)
	}
}

// addHelp adds the flag --help, unless the command has it. cobra would describe it by "help for"
// and the name of the command: "help for help".
func addHelp(cmd *cobra.Command) {
	if cmd.Flags().Lookup("help") == nil {
		cmd.Flags().BoolP("help", "h", false, "print this help")
	}
}

// valueName returns the name of a flag's value in help, or "" if the flag takes none.
func valueName(f *pflag.Flag) string {
	if name := f.Annotations[valueKey]; len(name) > 0 {
		return name[0]
	}
	if strings.Count(f.Usage, "`") >= 2 {
		name, _ := pflag.UnquoteUsage(f)
		return name
	}
	switch kind := f.Value.Type(); kind {
	case "bool":
		return ""
	case "duration":
		return "time"
	case "string", "stringArray":
		return "text"
	case "stringSlice":
		return "names"
	case "int", "int32", "int64", "uint", "uint16", "uint32", "uint64", "float32", "float64", "count":
		return "number"
	default:
		return kind // a type of this module, which has a name for people
	}
}

// flagName returns the forms of a flag, such as "-o, --output file".
func flagName(f *pflag.Flag) string {
	name := "    --" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", --" + f.Name
	}
	return strings.TrimRight(name+" "+valueName(f), " ")
}

// emptyUnits matches the units of a duration that add nothing, as in "1h0m0s".
var emptyUnits = regexp.MustCompile(`([hm])0[ms](0s)?$`)

// flagText returns the description of a flag, with its default value.
func flagText(f *pflag.Flag) string {
	switch def := f.DefValue; def {
	case "", "0", "0s", "false", "[]", "<nil>":
		return f.Usage
	default:
		if f.Value.Type() == "duration" {
			def = emptyUnits.ReplaceAllString(def, "$1")
		}
		if _, list := f.Value.(pflag.SliceValue); list {
			def = strings.TrimSuffix(strings.TrimPrefix(def, "["), "]") // as the flag reads it
		}
		return f.Usage + " (default " + def + ")"
	}
}
