// Command robots reads robots.txt: it shows which URLs a robot may fetch, and why, and
// runs the conformance vectors against other programs.
//
// See "robots help".
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/usage"
	"github.com/spf13/cobra"
)

// The exit statuses, which scripts rely on.
const (
	statusYes    = 0 // yes, or no findings
	statusNo     = 1 // no, or findings
	statusFailed = 2 // the question could not be answered
)

// errNo makes a verb exit with status 1. The verb has printed the answer already, so no
// message follows.
var errNo = errors.New("the answer is no")

// errFailed makes a verb exit with status 2. The verb has printed the reason already.
var errFailed = errors.New("it could not be asked")

// A misuse is a mistake on the command line, for which the message refers to help.
type misuse struct{ error }

func misusef(format string, args ...any) error { return misuse{fmt.Errorf(format, args...)} }

// In returns the message in a language, if there is one.
func (m misuse) In(l language.Language) string { return language.Explain(l, m.error) }

func main() {
	root := newRoot()
	cmd, err := root.ExecuteC()
	switch {
	case err == nil:
		os.Exit(statusYes)
	case errors.Is(err, errNo):
		os.Exit(statusNo)
	case errors.Is(err, errFailed):
		os.Exit(statusFailed)
	}
	fmt.Fprintf(os.Stderr, "robots: %s\n", shown(language.Explain(languageOf(cmd), err)))
	if errors.As(err, new(misuse)) {
		topic := "robots help"
		if cmd.HasParent() {
			topic += cmd.CommandPath()[len(root.Name()):]
		}
		fmt.Fprintf(os.Stderr, "robots: see '%s'\n", topic)
	}
	os.Exit(statusFailed)
}

// reportFailures prints errors that did not stop the verb, and returns the error for exit
// status 2.
func reportFailures(cmd *cobra.Command, failures []error) error {
	for _, err := range failures {
		fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", shown(language.Explain(languageOf(cmd), err)))
	}
	return errFailed
}

// newRoot returns the command with its verbs in the order of help.
func newRoot() *cobra.Command {
	cobra.EnableCommandSorting = false
	root := &cobra.Command{
		Use:   "robots",
		Short: "read robots.txt: what robots may fetch, and why",
		Long: `Robots reads robots.txt and tells which URLs a robot may fetch, and why: as
RFC 9309 says, as Google's parser does, and as the documents before said, back
to the Standard for Robot Exclusion of 1994.

The exit status is 0 for yes, or nothing found, 1 for no, or something found,
and 2 if the question could not be asked. "-" is standard input.`,
		Example:       `  robots match --agent ExampleBot robots.txt /private/x`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return unknownVerb(cmd, args[0])
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			// This is not "yes": a script may have lost the verb.
			return misusef("no verb is given: name what to do, such as match")
		},
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return misuse{usage.FlagError(cmd, err)} })
	root.AddCommand(
		newMatch(),
		newPage(),
		newFetch(),
		newAgents(),
		newAudit(),
		newGuard(),
		newLint(),
		newFmt(),
		newDiff(),
		newProve(),
		newMinimize(),
		newLSP(),
		newBuild(),
		newExport(),
		newCrawl(),
		newSearch(),
		newConform(),
		newTestweb(),
		newCompletion(),
		newVersion(),
	)
	root.SetHelpCommand(newHelp())
	root.SetUsageTemplate(usageTemplate)
	return root
}

// unknownVerb returns the error for a verb that root does not have.
func unknownVerb(root *cobra.Command, verb string) error {
	const near = 2 // letters that may differ
	root.SuggestionsMinimumDistance = near
	if names := root.SuggestionsFor(verb); len(names) > 0 {
		return misusef("unknown verb %q: did you mean %s?", verb, names[0])
	}
	return misusef("unknown verb %q", verb)
}

// noArgs refuses arguments of a verb without arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return misusef("unexpected argument %q: %s takes only flags", args[0], cmd.CommandPath())
	}
	return nil
}
