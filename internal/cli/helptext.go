package cli

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A helpPrinter prints help.
type helpPrinter struct {
	*bufio.Writer
	width int
	color bool // headings are bold
}

// The columns of help where no terminal says how many there are, and the most that are good to
// read.
const (
	defaultWidth = 80
	maxWidth     = 100
)

// newHelpPrinter returns a printer of the help of a command.
func newHelpPrinter(cmd *cobra.Command, w io.Writer) *helpPrinter {
	p := &helpPrinter{bufio.NewWriter(w), defaultWidth, Colored(cmd, w)}
	if columns := Width(w); columns > 0 {
		p.width = max(30, min(columns, maxWidth))
	}
	return p
}

// help prints the description of a command, its verbs by group, and its flags.
func (p *helpPrinter) help(cmd *cobra.Command) {
	for _, block := range blocks(description(cmd)) {
		if !block.verbatim {
			block.text = strings.Join(wrap(block.text, p.width), "\n")
		}
		fmt.Fprintf(p, "%s\n\n", block.text)
	}
	p.heading("Usage")
	for _, line := range useLines(cmd) {
		fmt.Fprintf(p, "  %s\n", line)
	}
	if cmd.HasExample() {
		fmt.Fprintln(p)
		p.heading("Examples")
		fmt.Fprintln(p, cmd.Example)
	}
	p.lists(append(verbLists(cmd), flagLists(cmd)...))
	if !cmd.HasParent() {
		fmt.Fprintf(p, "\n\"%s help VERB\" explains a verb and its flags.\n", cmd.Name())
	}
}

// lists prints lists, with their descriptions below each other.
func (p *helpPrinter) lists(lists []list) {
	for _, l := range lists {
		fmt.Fprintln(p)
		p.heading(l.title)
		for _, row := range l.rows {
			label := fmt.Sprintf("  %-*s  ", min(l.column, p.width/2+1), row.name)
			indent := utf8.RuneCountInString(label)
			for _, line := range wrap(row.text, max(p.width-indent, 20)) {
				fmt.Fprintln(p, strings.TrimRight(label+line, " "))
				label = strings.Repeat(" ", indent)
			}
		}
	}
}

// heading prints a heading.
func (p *helpPrinter) heading(title string) {
	if p.color {
		title = "\x1b[1m" + title + "\x1b[0m"
	}
	fmt.Fprintf(p, "%s:\n", title)
}

// useLines returns the forms of a command line. A root whose Use has more than its name does
// something without a verb.
func useLines(cmd *cobra.Command) (lines []string) {
	if !cmd.HasParent() {
		lines = append(lines, cmd.Name()+" VERB [flags] [argument…]")
	}
	if cmd.HasParent() || cmd.Use != cmd.Name() {
		lines = append(lines, cmd.UseLine())
	}
	return lines
}

// description returns the long description of a command, or else the short one.
func description(cmd *cobra.Command) string {
	if cmd.Long != "" {
		return strings.TrimSpace(cmd.Long)
	}
	return cmd.Short
}

// A block is a paragraph, or lines that stay as they are.
type block struct {
	text     string
	verbatim bool
}

// blocks returns the blocks of a description. Indented lines are verbatim.
func blocks(text string) (all []block) {
	goesOn := false // the last block
	for line := range strings.SplitSeq(text, "\n") {
		verbatim := strings.HasPrefix(line, "  ")
		if last := len(all) - 1; goesOn && line != "" && verbatim == all[last].verbatim {
			all[last].text += "\n" + line
		} else if line != "" {
			all = append(all, block{line, verbatim})
		}
		goesOn = line != ""
	}
	return all
}

// wrap breaks a text into lines of at most width columns, unless a word is longer.
func wrap(text string, width int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if longer := line + " " + word; line == "" {
			line = word
		} else if utf8.RuneCountInString(longer) <= width {
			line = longer
		} else {
			lines, line = append(lines, line), word
		}
	}
	return append(lines, line)
}

// A list has verbs or flags, with their descriptions.
type list struct {
	title  string
	rows   []listRow
	column int // the width of names
}

type listRow struct{ name, text string }

// verbLists returns the verbs of a command by group, and those without a group last.
func verbLists(cmd *cobra.Command) (lists []list) {
	for _, g := range append(slices.Clone(cmd.Groups()), &cobra.Group{Title: "Verbs"}) {
		var rows []listRow
		column := 0
		for _, verb := range cmd.Commands() {
			column = verb.NamePadding() - 1 // the same for each verb
			if verb.GroupID == g.ID && (verb.IsAvailableCommand() || verb.Name() == "help") {
				rows = append(rows, listRow{verb.Name(), verb.Short})
			}
		}
		if rows != nil {
			lists = append(lists, list{g.Title, rows, column})
		}
	}
	return lists
}

// flagLists returns the flags of a command, and those that all verbs have.
func flagLists(cmd *cobra.Command) (lists []list) {
	addHelp(cmd)
	for i, flags := range []*pflag.FlagSet{cmd.LocalFlags(), cmd.InheritedFlags()} {
		l := list{title: []string{"Flags", "Flags of all verbs"}[i]}
		flags.VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Deprecated == "" {
				l.rows = append(l.rows, listRow{flagName(f), flagText(f)})
				l.column = max(l.column, utf8.RuneCountInString(flagName(f))+1)
			}
		})
		if l.rows != nil {
			lists = append(lists, l)
		}
	}
	return lists
}
