package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/robotsexclusion/robots/cmd/internal/lsp"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// newLSP returns the verb that serves an editor.
func newLSP() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "serve an editor: the Language Server Protocol for robots.txt",
		Long: `An editor starts lsp, and speaks the Language Server Protocol 3.17 with it on
standard input and output. Lsp shows mistakes while you write, with their fixes;
explains the line under the cursor; completes fields, names of robots and
values; and formats the file. doc/editors.md explains how to set editors up.

Settings, as initializationOptions or by workspace/didChangeConfiguration:

  {"profile": "strict", "enable": ["portability"], "disable": ["field-case"],
   "language": "es", "codeLens": false}

The exit status is 0 if the editor shut the server down, 1 if it left without, and
2 if the command line is wrong.`,
		Example:           `  robots lsp`,
		Args:              cli.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if in, ok := cmd.InOrStdin().(*os.File); ok && term.IsTerminal(int(in.Fd())) {
				return cli.Misusef("standard input is a terminal: the server is started by an editor")
			}
			server := &lsp.Server{Language: cli.EnvironmentLanguage()}
			if v, ok := cli.ReadVersion(); ok {
				server.Version = v.Version
			}
			err := server.Serve(cmd.InOrStdin(), cmd.OutOrStdout())
			switch {
			case errors.Is(err, lsp.ErrNoShutdown):
				return cli.ErrNo
			case err != nil:
				return fmt.Errorf("cannot serve the editor: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().Bool("stdio", false, "speak on standard input and output, as always: some editors give this flag")
	return cmd
}
