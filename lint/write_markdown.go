package lint

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// maxMarkdownRows is the maximum number of rows of all tables together: GitHub shows at most 1 MiB
// of a summary, and a row has less than 1 KiB.
const maxMarkdownRows = 500

// writeMarkdown writes a table for each file. Names and messages are code, so that nothing in them
// is a link or a picture.
func writeMarkdown(w io.Writer, files []File) error {
	b := bufio.NewWriter(w)
	rows := 0
	for _, f := range files {
		fmt.Fprintf(b, "### %s\n\n", markdownCode(f.Name))
		if len(f.Diagnostics) == 0 {
			fmt.Fprintf(b, "%s\n\n", textIn(f.language(), textNoFindings))
			continue
		}
		shown := f.Diagnostics[:min(len(f.Diagnostics), maxMarkdownRows-rows)]
		rows += len(shown)
		if len(shown) > 0 {
			fmt.Fprintf(b, "%s\n|---|---:|---|---|\n", textIn(f.language(), textMarkdownHead))
		}
		for i := range shown {
			d := &shown[i]
			fmt.Fprintf(b, "| %s | %d | %s | %s |\n", d.Severity, d.Line, markdownCode(d.Message), d.Check.Name)
		}
		omitted := len(f.Diagnostics) - len(shown)
		for _, o := range f.Omitted {
			omitted += o.Count
		}
		if omitted > 0 {
			fmt.Fprintf(b, "\n%s\n", textIn(f.language(), textOmitted, omitted))
		}
		fmt.Fprintln(b)
	}
	return b.Flush()
}

var (
	textNoFindings   = language.New("no findings")
	textMarkdownHead = language.New("| severity | line | finding | check |")
)

// markdownCode returns s, cut after 300 characters, as code of Markdown for a table.
func markdownCode(s string) string {
	return "`" + strings.NewReplacer("|", `\|`, "`", "ˋ").Replace(printable.Clipped(s, 300)) + "`"
}
