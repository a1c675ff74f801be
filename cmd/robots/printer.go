package main

import (
	"io"

	"github.com/robotsexclusion/robots/cmd/internal/say"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/spf13/cobra"
)

// printerFor returns a printer of answers in the language of a flag. It has colours if the output
// of the verb is a terminal.
func printerFor(cmd *cobra.Command, lang *cli.LanguageFlag, w io.Writer, output io.Writer) *say.Printer {
	return &say.Printer{W: w, Color: cli.Colored(cmd, output), Language: lang.Language()}
}
