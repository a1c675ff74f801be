package cli

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// manPage returns the manual page of a command in roff, with the macros of man(7). The date is that
// of the version, such as 2026-11-24.
func manPage(cmd *cobra.Command, version, date string) string {
	b := new(bytes.Buffer)
	fmt.Fprintf(b, ".TH %s 1 %q %s %s\n", quoted(strings.ToUpper(manName(cmd))), date, quoted(version),
		quoted("User Commands"))
	fmt.Fprintf(b, ".SH NAME\n%s \\- %s\n", roff(manName(cmd)), roff(cmd.Short))
	b.WriteString(".SH SYNOPSIS\n.nf\n")
	for _, line := range useLines(cmd) {
		fmt.Fprintf(b, ".B %s\n", roff(line))
	}
	b.WriteString(".fi\n")
	b.WriteString(".SH DESCRIPTION\n")
	for i, block := range blocks(description(cmd)) {
		if i > 0 { // the first one of a section has no macro that begins a paragraph
			b.WriteString(".PP\n")
		}
		if block.verbatim {
			manLines(b, block.text)
		} else {
			manText(b, block.text)
		}
	}
	for _, list := range append(verbLists(cmd), flagLists(cmd)...) {
		fmt.Fprintf(b, ".SH %s\n", roff(strings.ToUpper(list.title)))
		for _, row := range list.rows {
			fmt.Fprintf(b, ".TP\n.B %s\n", roff(strings.TrimSpace(row.name)))
			manText(b, row.text)
		}
	}
	if cmd.HasExample() {
		b.WriteString(".SH EXAMPLES\n")
		manLines(b, strings.TrimRight(cmd.Example, "\n"))
	}
	if others := seeAlso(cmd); others != nil {
		fmt.Fprintf(b, ".SH SEE ALSO\n%s\n", strings.Join(others, " ,\n"))
	}
	return b.String()
}

// manName returns the name of the manual page of a command, such as robots-match.
func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// seeAlso returns references to the pages of a command's verbs, and of the command above it.
func seeAlso(cmd *cobra.Command) (references []string) {
	others := cmd.Commands()
	if cmd.HasParent() {
		others = append([]*cobra.Command{cmd.Parent()}, others...)
	}
	for _, other := range others {
		if other == cmd.Parent() || other.IsAvailableCommand() {
			references = append(references, fmt.Sprintf(".BR %s (1)", roff(manName(other))))
		}
	}
	return references
}

// manLines writes lines as they are.
func manLines(b *bytes.Buffer, text string) {
	b.WriteString(".RS 2\n.nf\n")
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintln(b, roff(strings.TrimPrefix(line, "  ")))
	}
	b.WriteString(".fi\n.RE\n")
}

// manText writes a paragraph, in lines that a reader of the source can see whole.
func manText(b *bytes.Buffer, text string) {
	for _, line := range wrap(text, 76) {
		fmt.Fprintln(b, roff(line))
	}
}

// roff returns a line of text without meaning to roff: backslashes, hyphens of flags, and a dot or
// an apostrophe at the beginning of a line.
func roff(line string) string {
	line = roffEscapes.Replace(line)
	if strings.HasPrefix(line, ".") {
		line = `\&` + line
	}
	return line
}

var roffEscapes = strings.NewReplacer(
	`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", "\\(ga", "^", `\(ha`, "~", `\(ti`, "…", `\&...`,
)

// quoted returns an argument of a macro.
func quoted(s string) string { return `"` + strings.ReplaceAll(roff(s), `"`, `\(dq`) + `"` }
