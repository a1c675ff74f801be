package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// ManPage writes the manual page of a command in roff, with the macros of man(7). The date is that of the
// version, such as 2026-11-24.
func ManPage(w io.Writer, cmd *cobra.Command, version, date string) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, ".TH %s 1 %q %s %s\n", quoted(strings.ToUpper(manName(cmd))), date, quoted(version), quoted("User Commands"))
	fmt.Fprintf(b, ".SH NAME\n%s \\- %s\n", roff(manName(cmd)), roff(cmd.Short))
	fmt.Fprintf(b, ".SH SYNOPSIS\n.nf\n.B %s\n.fi\n", roff(useLine(cmd)))
	fmt.Fprint(b, ".SH DESCRIPTION\n")
	for i, block := range blocks(description(cmd)) {
		manBlock(b, block, i == 0)
	}
	for _, group := range verbGroups(cmd) {
		fmt.Fprintf(b, ".SH %s\n", roff(strings.ToUpper(group.title)))
		for _, verb := range group.verbs {
			fmt.Fprintf(b, ".TP\n.B %s\n", roff(verb.Name()))
			manText(b, verb.Short)
		}
	}
	for _, set := range flagSets(cmd) {
		fmt.Fprintf(b, ".SH %s\n", roff(strings.ToUpper(set.title)))
		for _, f := range set.flags {
			fmt.Fprintf(b, ".TP\n.B %s\n", roff(strings.TrimSpace(flagName(f))))
			manText(b, flagText(f))
		}
	}
	if cmd.HasExample() {
		fmt.Fprint(b, ".SH EXAMPLES\n")
		manBlock(b, block{text: strings.TrimRight(cmd.Example, "\n"), verbatim: true}, true)
	}
	if others := seeAlso(cmd); len(others) > 0 {
		fmt.Fprint(b, ".SH SEE ALSO\n")
		for i, other := range others {
			end := " ,"
			if i == len(others)-1 {
				end = ""
			}
			fmt.Fprintf(b, ".BR %s (1)%s\n", roff(other), end)
		}
	}
	return b.Flush()
}

// ManName returns the name of the file with the manual page of a command, such as robots-match.1.
func ManName(cmd *cobra.Command) string { return manName(cmd) + ".1" }

// manName returns the name of the manual page of a command, such as robots-match.
func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// seeAlso returns the names of the pages of a command's verbs, and of the command above it.
func seeAlso(cmd *cobra.Command) (names []string) {
	if cmd.HasParent() {
		names = append(names, manName(cmd.Parent()))
	}
	for _, verb := range cmd.Commands() {
		if verb.IsAvailableCommand() {
			names = append(names, manName(verb))
		}
	}
	return names
}

// manBlock writes a block. The first one of a section has no macro that begins a paragraph.
func manBlock(w io.Writer, b block, first bool) {
	if !first {
		fmt.Fprintln(w, ".PP")
	}
	if !b.verbatim {
		manText(w, b.text)
		return
	}
	fmt.Fprint(w, ".RS 2\n.nf\n")
	for line := range strings.SplitSeq(b.text, "\n") {
		fmt.Fprintln(w, roff(strings.TrimPrefix(line, "  ")))
	}
	fmt.Fprint(w, ".fi\n.RE\n")
}

// manText writes a paragraph, in lines that a reader of the source can see whole.
func manText(w io.Writer, text string) {
	for _, line := range wrap(text, 76) {
		fmt.Fprintln(w, roff(line))
	}
}

// roff returns a line of text without meaning to roff: backslashes, hyphens of flags, and a dot or an apostrophe
// at the beginning of a line.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", "\\(ga", "^", `\(ha`, "~", `\(ti`, "…", `\&...`).Replace(line)
	if strings.HasPrefix(line, ".") {
		line = `\&` + line
	}
	return line
}

// quoted returns an argument of a macro.
func quoted(s string) string { return `"` + strings.ReplaceAll(roff(s), `"`, `\(dq`) + `"` }
