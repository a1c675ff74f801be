package main

import (
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/cmd/internal/asked"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// isRobot reports whether an argument in the place of a file or a URL is what people call a robot,
// and no file.
func isRobot(arg string) bool {
	name, version, _ := strings.Cut(arg, "/")
	isPath := strings.ContainsAny(name, `.:\`) || strings.Trim(version, "0123456789.") != ""
	if name == "" || name == stdin || isPath && !strings.Contains(arg, " ") || strings.Contains(name, ":") {
		return false
	}
	_, missing := os.Stat(arg)
	_, unknown := (*agent.Table)(nil).Resolve(arg)
	return missing != nil && unknown == nil
}

// matchLine returns the command line that asks about URLs for arguments among which are robots.
// Without a file or a site it asks the robots.txt of the project here, and without a URL about the
// front page. Flags, with their values, come first.
func matchLine(args []string, flags ...string) string {
	line := slices.Concat([]string{"robots", "match"}, flags)
	var rest []string
	for _, arg := range args {
		if isRobot(arg) {
			line = append(line, "--agent", arg)
		} else {
			rest = append(rest, arg)
		}
	}
	if len(rest) == 0 || asked.IsPath(rest[0]) {
		file := theFile
		if found := projectFiles("."); len(found) == 1 {
			file = found
		}
		rest = slices.Concat(file, rest)
	}
	if len(rest) == 1 {
		rest = append(rest, "/")
	}
	return commandLine(slices.Concat(line, rest))
}

// robotVerb returns the error for a robot in the place of a verb, with arguments.
func robotVerb(args []string) error {
	return cli.Misusef("%s is a robot, not a verb: '%s' shows what is known of it, and '%s' asks about a URL",
		shown(args[0]), commandLine([]string{"robots", "agents", args[0]}), matchLine(args))
}

// explainRobots lets help answer for a robot in the place of a verb.
func explainRobots(root *cobra.Command) {
	for _, verb := range root.Commands() {
		if verb.Name() != "help" {
			continue
		}
		explain := verb.RunE
		verb.RunE = func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && isRobot(args[0]) {
				if above, _, err := root.Find(args[:1]); err != nil || above == root {
					return robotVerb(args)
				}
			}
			return explain(cmd, args)
		}
	}
}

// givenFlags returns the flags of a command line, with their values.
func givenFlags(cmd *cobra.Command) (words []string) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		list, isList := f.Value.(pflag.SliceValue)
		switch {
		case isList:
			for _, value := range list.GetSlice() {
				words = append(words, "--"+f.Name, value)
			}
		case f.NoOptDefVal != "":
			words = append(words, "--"+f.Name)
		default:
			words = append(words, "--"+f.Name, f.Value.String())
		}
	})
	return words
}

// explainFlags lets the error for a flag that people give a command, which does not have it, say
// what does the same. The texts have the flag as %[1]s.
func explainFlags(cmd *cobra.Command, texts map[string]language.Text) {
	others := cmd.FlagErrorFunc() // of the root command, to which verbs are added later
	cmd.SetFlagErrorFunc(func(failed *cobra.Command, err error) error {
		unknown := (*pflag.NotExistError)(nil)
		if failed == cmd && errors.As(err, &unknown) {
			if text, ok := texts[unknown.GetSpecifiedName()]; ok {
				return cli.Misuse(text.Err("--" + unknown.GetSpecifiedName()))
			}
		}
		if cmd.HasParent() {
			others = cmd.Parent().FlagErrorFunc()
		}
		return others(failed, err)
	})
}

// same returns a map with a text for each of some flags.
func same(text language.Text, flags string) map[string]language.Text {
	texts := make(map[string]language.Text)
	for flag := range strings.FieldsSeq(flags) {
		texts[flag] = text
	}
	return texts
}
