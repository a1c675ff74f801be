package cli

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/robotsexclusion/robots/internal/nearest"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagError returns the error of parsing the flags of a command in terms of the command line, with
// what to write instead. It is for cobra's SetFlagErrorFunc.
func flagError(cmd *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
		syntax  *pflag.InvalidSyntaxError
	)
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(cmd, unknown)
	case errors.As(err, &missing):
		flag := missing.GetFlag()
		value := valueName(flag)
		return textNoValue.Err("--"+flag.Name, value)
	case errors.As(err, &invalid):
		return invalidValue(cmd, invalid)
	case errors.As(err, &syntax):
		return textNoFlag.Err(printable.Shown(syntax.GetSpecifiedFlag()))
	}
	return err
}

// unknownFlag returns the error for a flag that the command does not have, with the flag that was
// probably meant.
func unknownFlag(cmd *cobra.Command, err *pflag.NotExistError) error {
	if letters := err.GetSpecifiedShortnames(); letters != "" {
		letter := "-" + printable.Shown(err.GetSpecifiedName())
		if near := strings.ToLower(err.GetSpecifiedName()); len(near) == 1 && cmd.Flags().ShorthandLookup(near) != nil {
			return textNearFlag.Err(letter, "-"+near)
		}
		if near := flagsOf(cmd, alikeLetters[err.GetSpecifiedName()]); near != "" {
			return textNearFlag.Err(letter, near)
		}
		return textUnknownFlag.Err(letter)
	}
	name := err.GetSpecifiedName()
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if near := flagsOf(cmd, alike[name]); near != "" {
		return textNearFlag.Err("--"+printable.Shown(name), near)
	}
	if verb := verbWith(cmd, name); verb != "" {
		return textElsewhere.Err("--"+printable.Shown(name), "'"+verb+"'")
	}
	if near, ok := nearest.Of(name, names); ok {
		return textNearFlag.Err("--"+printable.Shown(name), "--"+near)
	}
	return textUnknownFlag.Err("--" + printable.Shown(name))
}

// flagsOf returns those of some flags that a command has, with their hyphens, or "".
func flagsOf(cmd *cobra.Command, names []string) string {
	var found []string
	for _, name := range names {
		if f := cmd.Flags().Lookup(name); f != nil && !f.Hidden {
			found = append(found, "--"+name)
		}
	}
	return strings.Join(found, ", ")
}

// verbWith returns the only verb of the program that has a flag with the name, or "". What a flag
// with a general name does depends on the verb.
func verbWith(cmd *cobra.Command, name string) (only string) {
	if slices.Contains([]string{"limit", "list", "robots", "name", "max", "from", "dir", "key", "log"}, name) {
		return ""
	}
	for _, verb := range cmd.Root().Commands() {
		f := verb.Flags().Lookup(name)
		switch {
		case f == nil || f.Hidden || verb.Hidden || verb == cmd:
		case only != "":
			return ""
		default:
			only = verb.CommandPath()
		}
	}
	return only
}

// alike has flags of other programs, with ours that do the same.
var alike = map[string][]string{
	"address": {"listen"}, "host": {"listen", "site"}, "port": {"listen"}, "dry-run": {"check"}, "diff": {"check"},
	"strict": {"profile"}, "out": {"output"}, "output": {"out", "html"},
	"folder": {"dir"}, "robot": {"agent", "incident"},
	"bot": {"agent", "incident"}, "agent": {"incident"}, "ua": {"agent", "user-agent"},
	"useragent":  {"agent", "user-agent"},
	"user_agent": {"agent", "user-agent"}, "format": {"json", "csv", "markdown"}, "force": {"yes"}, "write": {"fix"},
	"proxy": {"upstream"}, "backend": {"upstream"}, "sarif": {"format"}, "github": {"format"}, "csv": {"json"},
	"report": {"html"}, "save": {"output", "html"}, "crawler": {"agent", "incident"}, "verbose": {"why", "explain"},
	"config": {"profile"},
	"forged": {"verify"}, "fake": {"verify"}, "watch": {"follow"}, "tail": {"follow"}, "live": {"follow"},
	"ignore": {"disable", "exclude"}, "skip": {"disable", "exclude"}, "max-warnings": {"fail-on"}, "error": {"fail-on"},
	"as": {"dialect"}, "spec": {"dialect"}, "parser": {"dialect"}, "google": {"dialect"}, "engine": {"dialect"},
	"language": {"lang"}, "locale": {"lang"}, "no-color": {"color"}, "colour": {"color"}, "email": {"config"},
	"mail": {"config"}, "slack": {"config"}, "webhook": {"config"}, "interval": {"every"}, "only": {"except"},
	"limit": {"pages"}, "max": {"pages"}, "max-pages": {"pages"}, "max-depth": {"depth"},
	"date": {"at"}, "when": {"at"}, "file": {"urls", "from"}, "input": {"urls", "from"}, "list": {"urls", "from"},
	"domain": {"site"}, "rules": {"robots"}, "robots-txt": {"robots"}, "silent": {"quiet"},
	"explain": {"why"}, "ips": {"ranges"}, "letter": {"incident"}, "tz": {"timezone"},
}

// alikeLetters has letters of other programs, with our flags that do the same.
var alikeLetters = map[string][]string{
	"o": {"output", "out", "html", "dir"}, "j": {"json"}, "u": {"urls", "user-agent"}, "l": {"listen"}, "p": {"listen"},
	"A": {"agent", "user-agent"}, "n": {"limit", "pages"}, "d": {"dir", "depth"}, "w": {"fix"},
	"v": {"why"}, "f": {"follow", "from"},
}

// invalidValue returns the error for a value that a flag does not take.
func invalidValue(cmd *cobra.Command, err *pflag.InvalidValueError) error {
	flag := err.GetFlag()
	name, value := "--"+flag.Name, printable.Shown(err.GetValue())
	switch flag.Value.Type() {
	case "duration":
		if _, err := strconv.ParseUint(value, 10, 64); err == nil {
			return textNoUnit.Err(name, value)
		}
		return textNoTime.Err(name, value)
	case "bool":
		return textNoBool.Err(name, value)
	case "int", "int32", "int64", "uint", "uint16", "uint32", "uint64":
		// A whole number that the flag does not take is out of its range.
		if _, err := strconv.ParseInt(err.GetValue(), 0, 64); err == nil || errors.Is(err, strconv.ErrRange) {
			return textRange.Err(name, value)
		}
		return textNoNumber.Err(name, value)
	case "float32", "float64":
		return textNoDecimal.Err(name, value)
	case "stringSlice":
		return textNoList.Err(name, value)
	}
	cause := err.Unwrap()
	if near := nearWord(cmd, flag, err.GetValue()); near != "" {
		return textNearValue.Err(name, value, cause, near)
	}
	return textBadValue.Err(name, value, cause)
}

// nearWord returns the word that was probably meant by the value of a flag, from the words that
// shells complete there, or "".
func nearWord(cmd *cobra.Command, flag *pflag.Flag, value string) string {
	words, ok := cmd.GetFlagCompletionFunc(flag.Name)
	if !ok {
		return ""
	}
	listed, _ := words(cmd, nil, "")
	near, _ := nearest.Of(value, listed)
	return near
}

// Unknown returns the misuse of a name that is not one of a kind, such as a purpose. It asks
// whether the nearest of the known names was meant, or lists them all.
func Unknown(kind, name string, known []string) error {
	if near, ok := nearest.Of(name, known); ok {
		return Misusef("unknown %s %q: did you mean %s?", kind, name, near)
	}
	return Misusef("unknown %s %q: the %ss are %s", kind, name, kind, strings.Join(known, ", "))
}
