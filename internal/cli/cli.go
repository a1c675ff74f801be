// Package cli is shared by the programs robots, robots-crawl and robotsd: how a program runs its
// verbs and exits, explains mistakes on the command line, prints help and answers, stops at an
// interrupt, and the flags that several verbs have.
package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/nearest"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/spf13/cobra"
)

// The exit statuses, which scripts rely on.
const (
	StatusYes    = 0 // yes, or no findings
	StatusNo     = 1 // no, or findings
	StatusFailed = 2 // the question could not be answered
)

// ErrNo makes a verb exit with StatusNo. The verb has printed the answer already, so no
// message follows.
var ErrNo = errors.New("the answer is no")

// ErrFailed makes a verb exit with StatusFailed. The verb has printed the reason already.
var ErrFailed = errors.New("it could not be asked")

// A misuse is a mistake on the command line, for which the message refers to help.
type misuse struct{ error }

// Misuse returns an error for a mistake on the command line, for which the message refers to help.
func Misuse(err error) error { return misuse{err} }

// Misusef is Misuse with the text of the error.
func Misusef(format string, args ...any) error { return misuse{fmt.Errorf(format, args...)} }

// In returns the message in a language, if there is one.
func (m misuse) In(l language.Language) string { return language.Explain(l, m.error) }

// Main runs a program, whose verbs are below root, and exits with its status.
func Main(root *cobra.Command) { os.Exit(Run(root)) }

// Run runs a program, whose verbs are below root, and returns its exit status.
func Run(root *cobra.Command) (status int) {
	cmd, err := root.ExecuteC()
	switch {
	case err == nil:
		return StatusYes
	case errors.Is(err, ErrNo):
		return StatusNo
	case !errors.Is(err, ErrFailed):
		complain(cmd, err)
	}
	return StatusFailed
}

// Fail prints an error of a program that ran no verb, and returns the exit status.
func Fail(root *cobra.Command, err error) (status int) {
	complain(root, err)
	return StatusFailed
}

// complain prints an error.
func complain(cmd *cobra.Command, err error) {
	w := cmd.ErrOrStderr()
	fmt.Fprintf(w, "robots: %s\n", explained(cmd, err))
	if errors.As(err, new(misuse)) {
		root := cmd.Root()
		topic := root.Name() + " help"
		if cmd.HasParent() && cmd.Name() != "help" && !cmd.Hidden {
			topic += cmd.CommandPath()[len(root.Name()):]
		}
		fmt.Fprintf(w, "robots: see '%s'\n", topic)
	}
}

// ReportFailures prints errors that did not stop the verb, and returns the error for
// StatusFailed.
func ReportFailures(cmd *cobra.Command, failures []error) error {
	for _, err := range failures {
		fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", explained(cmd, err))
	}
	return ErrFailed
}

// NoClaim returns the error for a file without claims, such as one that was truncated: without the
// error, all would seem to be well. The name must be safe to show.
func NoClaim(name string) error {
	return fmt.Errorf("%s has no claim: write one a line, such as 'all may fetch /ads.txt'", name)
}

// explained returns an error in the language of a verb, safe to show.
func explained(cmd *cobra.Command, err error) string {
	return printable.Shown(language.Explain(LanguageOf(cmd), err))
}

// Root completes the root command of a program: it adds the verbs, in the order of help, and
// those that each program has, and handles a command line without a known verb.
func Root(root *cobra.Command, verbs ...*cobra.Command) *cobra.Command {
	cobra.EnableCommandSorting = false
	root.SilenceErrors, root.SilenceUsage = true, true
	root.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return unknownVerb(cmd, args[0])
	}
	showVersion := root.Flags().BoolP("version", "v", false, "print the version of this program")
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if *showVersion {
			return printVersion(cmd, false)
		}
		p := newHelpPrinter(cmd, cmd.ErrOrStderr())
		p.lists(verbLists(cmd))
		fmt.Fprintln(p)
		p.Flush()
		return ErrFailed // this is not "yes": a script may have lost the verb
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return misuse{flagError(cmd, err)} })
	root.AddCommand(verbs...)
	help := newHelp()
	own := []*cobra.Command{newCompletion(), newVersion(), help}
	if verbs[0].GroupID != "" {
		own = Group("Tools", own...)
	}
	root.AddCommand(own...)
	root.SetHelpCommand(help)
	for _, verb := range root.Commands() {
		if id := verb.GroupID; id != "" && !root.ContainsGroup(id) {
			root.AddGroup(&cobra.Group{ID: id, Title: id})
		}
	}
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		if err := printHelp(cmd); err != nil {
			complain(cmd, err)
			os.Exit(StatusFailed) // cobra takes no error from this function
		}
	})
	addColor(root)
	nameValues(root)
	return root
}

// Group puts verbs into a group of the list of verbs in help.
func Group(title string, verbs ...*cobra.Command) []*cobra.Command {
	for _, verb := range verbs {
		verb.GroupID = title
	}
	return verbs
}

// nearVerb returns the verb of a command, mostly the root, with the name that is nearest, or "".
func nearVerb(root *cobra.Command, verb string) (near string) {
	best, near := min(2, len(verb)/3)+1, "" // of a word of three letters, one may differ
	for _, known := range root.Commands() {
		if d := nearest.Distance(strings.ToLower(verb), known.Name()); d < best && known.IsAvailableCommand() {
			best, near = d, known.Name()
		}
	}
	return near
}

// unknownVerb returns the error for a verb that a command, mostly the root, does not have.
func unknownVerb(root *cobra.Command, verb string) error {
	near := nearVerb(root, verb)
	if near == "" {
		return Misusef("unknown verb %q", verb)
	}
	return Misusef("unknown verb %q: did you mean %s?", verb, strings.TrimPrefix(root.CommandPath()+" "+near,
		root.Root().Name()+" "))
}

// NoArgs refuses arguments of a verb without arguments.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Misusef("unexpected argument %q: %s takes only flags", args[0], cmd.CommandPath())
	}
	return nil
}

// Complete registers words as the completions of a flag's value.
func Complete(cmd *cobra.Command, flag string, words []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag does not exist, or has a function: a mistake in this program
	}
}
