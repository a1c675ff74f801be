package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// newVersion returns the verb that prints the version of this program.
func newVersion() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "print the version of this program",
		Long: `Version prints the version of this program, the revision it was built from, and the
version of Go. The exit status is 0, or 2 if the program was built without them.`,
		Example: `  robots version
  robots version --json`,
		Args:              NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return printVersion(cmd, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}

// printVersion prints the version of this program, or a JSON object with it.
func printVersion(cmd *cobra.Command, asJSON bool) error {
	v, ok := ReadVersion()
	if !ok {
		return errors.New("the program does not know its version: build it as a Go module")
	}
	return Output(cmd, "the version", asJSON, v, func(w io.Writer) { fmt.Fprintln(w, v) })
}
