// Command robots reads robots.txt: it tells which URLs a robot may fetch, and
// why, and puts other programs to the same questions.
//
// See "robots help".
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

// The exit statuses that are promised to scripts.
const (
	statusYes    = 0 // yes, or nothing was found
	statusNo     = 1 // no, or something was found
	statusFailed = 2 // it could not be asked
)

// errNo is what a verb returns to exit with status 1. There is no more to say:
// the verb has printed the answer.
var errNo = errors.New("the answer is no")

// errFailed is what a verb returns to exit with status 2 where it has printed
// why.
var errFailed = errors.New("it could not be asked")

// A misuse is an error of who wrote the command line, which help will explain.
type misuse struct{ error }

func misusef(format string, args ...any) error { return misuse{fmt.Errorf(format, args...)} }

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
	fmt.Fprintf(os.Stderr, "robots: %s\n", shown(err.Error()))
	if errors.As(err, new(misuse)) {
		topic := "robots help"
		if cmd.HasParent() {
			topic += cmd.CommandPath()[len(root.Name()):]
		}
		fmt.Fprintf(os.Stderr, "robots: see '%s'\n", topic)
	}
	os.Exit(statusFailed)
}

// reportFailures prints errors of a verb that went on after each of them, and
// returns the error for exit status 2.
func reportFailures(cmd *cobra.Command, failures []error) error {
	for _, err := range failures {
		fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", shown(err.Error()))
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
			// Not "yes": a script may have lost the verb.
			return misusef("no verb is given: name what to do, such as match")
		},
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return misuse{err} })
	root.AddCommand(
		newMatch(),
		newPage(),
		newFetch(),
		newAgents(),
		newLint(),
		newFmt(),
		newDiff(),
		newProve(),
		newMinimize(),
		newLSP(),
		newBuild(),
		newCrawl(),
		newSearch(),
		newConform(),
		newCompletion(),
		newVersion(),
	)
	root.SetHelpCommand(newHelp())
	root.SetUsageTemplate(usageTemplate)
	return root
}

// unknownVerb returns the error for a verb that root does not have.
func unknownVerb(root *cobra.Command, verb string) error {
	const near = 2 // letters to change
	root.SuggestionsMinimumDistance = near
	if names := root.SuggestionsFor(verb); len(names) > 0 {
		return misusef("unknown verb %q: did you mean %s?", verb, names[0])
	}
	return misusef("unknown verb %q", verb)
}

// noArgs refuses arguments of a verb that takes none.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return misusef("unexpected argument %q: %s takes only flags", args[0], cmd.CommandPath())
	}
	return nil
}
