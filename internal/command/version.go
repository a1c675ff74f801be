package command

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/robotsexclusion/robots/internal/buildversion"
	"github.com/spf13/cobra"
)

// newVersion returns the verb that prints the version of this program.
func newVersion() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "print the version of this program",
		Example: `  robots version
  robots version --json`,
		Args:              NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			v, ok := buildversion.Read()
			if !ok {
				return errors.New("the program does not know its version: build it as a Go module")
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(v)
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), v)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}
