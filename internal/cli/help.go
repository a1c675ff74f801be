package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/nearest"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
)

// newHelp returns the verb that prints the help of other verbs. Unlike cobra's own verb, it
// fails for a verb that does not exist.
func newHelp() *cobra.Command {
	var manuals string
	cmd := &cobra.Command{
		Use:   "help [flags] [VERB]…",
		Short: "explain a verb and its flags",
		Long: `Help explains a verb and its flags. With --man, help writes the same texts as
manual pages, one for each verb, for the program man.

The exit status is 0, or 2 if there is no such verb or a page could not be
written.`,
		Example: `  robots help match
  robots help --man /usr/local/share/man/man1`,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			above, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []string
			for _, verb := range above.Commands() {
				if verb.IsAvailableCommand() {
					names = append(names, verb.Name()+"\t"+verb.Short)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if manuals != "" {
				if len(args) > 0 {
					return Misusef("unexpected argument %q: --man writes the pages of all verbs", args[0])
				}
				return writeManuals(cmd.Root(), manuals)
			}
			verb, rest, err := cmd.Root().Find(args)
			switch {
			case err == nil && verb.DisableFlagParsing: // a verb of another program, which has the help
				return verb.RunE(verb, append(rest, "--help"))
			case err != nil:
				return unknownVerb(cmd.Root(), args[0])
			case len(rest) > 0:
				return unknownBelow(verb, rest[0])
			}
			return printHelp(verb)
		},
	}
	cmd.Flags().StringVar(&manuals, "man", "", "write manual pages to this `folder`, instead of printing help")
	if err := cmd.MarkFlagDirname("man"); err != nil {
		panic(err) // the flag does not exist: a mistake in this program
	}
	return cmd
}

// explains is the annotation of a verb with the names that its flag --explain takes.
const explains = "explains"

// Explains tells help and shells which names a verb explains with its flag --explain.
func Explains(cmd *cobra.Command, names []string) {
	if cmd.Annotations == nil {
		cmd.Annotations = make(map[string]string)
	}
	cmd.Annotations[explains] = strings.Join(names, " ")
	cmd.ValidArgsFunction = func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		if !cmd.Flags().Changed("explain") {
			return nil, cobra.ShellCompDirectiveDefault // files
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// unknownBelow returns the error for help about a name below a verb, which is not a verb. It may be
// one that the verb explains.
func unknownBelow(verb *cobra.Command, name string) error {
	if near, ok := nearest.Of(name, strings.Fields(verb.Annotations[explains])); ok {
		return Misusef("unknown verb %q: did you mean '%s --explain %s'?", name, verb.CommandPath(), near)
	}
	if verb.HasParent() && nearVerb(verb, name) == "" {
		return Misusef("unexpected argument %q: '%s help %s' explains the verb", name,
			verb.Root().Name(), strings.TrimPrefix(verb.CommandPath(), verb.Root().Name()+" "))
	}
	return unknownVerb(verb, name)
}

// printHelp prints the help of a command.
func printHelp(cmd *cobra.Command) error {
	p := newHelpPrinter(cmd, cmd.OutOrStdout())
	p.help(cmd)
	return Unwritten("the help", p.Flush())
}

// writeManuals writes the manual pages of a command and its verbs to a folder.
func writeManuals(cmd *cobra.Command, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("cannot make the folder %s: %w", folder, userfile.Cause(err))
	}
	version, date := cmd.Root().Name(), time.Now().UTC().Format(time.DateOnly)
	if v, ok := ReadVersion(); ok {
		version += " " + v.Version
		if v.Time != "" {
			date, _, _ = strings.Cut(v.Time, "T")
		}
	}
	for _, verb := range allVerbs(cmd) {
		name := filepath.Join(folder, manName(verb)+".1")
		if err := userfile.Put(name, manPage(verb, version, date), 0o644, false); err != nil {
			return fmt.Errorf("cannot write %s: %w", name, userfile.Cause(err))
		}
	}
	return nil
}

// allVerbs returns a command, all of its verbs and their verbs, except for verbs of other programs.
func allVerbs(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, verb := range cmd.Commands() {
		if (verb.IsAvailableCommand() || verb.Name() == "help") && !verb.DisableFlagParsing {
			all = append(all, allVerbs(verb)...)
		}
	}
	return all
}
