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

// A Printer prints help.
type Printer struct {
	W     io.Writer
	Width int  // columns; 0 is 80
	Color bool // headings are bold
}

// The columns of help where no terminal says how many there are, and the most that are good to read.
const (
	defaultWidth = 80
	maxWidth     = 100
)

// Help prints the help of a command: its description, its flags and its verbs by group.
func (p Printer) Help(cmd *cobra.Command) error {
	width := p.columns()
	b := bufio.NewWriter(p.W)
	for _, block := range blocks(description(cmd)) {
		for _, line := range block.lines(width) {
			fmt.Fprintln(b, line)
		}
		fmt.Fprintln(b)
	}
	p.heading(b, "Usage")
	fmt.Fprintf(b, "  %s\n", useLine(cmd))
	if cmd.HasExample() {
		p.heading(b, "Examples")
		fmt.Fprintln(b, cmd.Example)
	}
	p.verbs(b, cmd, width)
	for _, set := range flagSets(cmd) {
		p.heading(b, set.title)
		column := 0
		for _, f := range set.flags {
			column = max(column, utf8.RuneCountInString(flagName(f)))
		}
		column = min(column, width/2)
		for _, f := range set.flags {
			hang(b, fmt.Sprintf("  %-*s   ", column, flagName(f)), flagText(f), width)
		}
	}
	if !cmd.HasParent() {
		fmt.Fprintf(b, "\n\"%s help VERB\" explains a verb and its flags.\n", cmd.Name())
	}
	return b.Flush()
}

// Verbs prints the verbs of a command, by group.
func (p Printer) Verbs(cmd *cobra.Command) error {
	b := bufio.NewWriter(p.W)
	p.verbs(b, cmd, p.columns())
	fmt.Fprintln(b)
	return b.Flush()
}

// columns returns the number of columns to use.
func (p Printer) columns() int {
	if p.Width <= 0 {
		return defaultWidth
	}
	return max(30, min(p.Width, maxWidth))
}

func (p Printer) verbs(w io.Writer, cmd *cobra.Command, width int) {
	for _, group := range verbGroups(cmd) {
		p.heading(w, group.title)
		for _, verb := range group.verbs {
			hang(w, fmt.Sprintf("  %-*s ", cmd.Commands()[0].NamePadding(), verb.Name()), verb.Short, width)
		}
	}
}

// heading prints a heading, after an empty line unless the description has left one.
func (p Printer) heading(w io.Writer, title string) {
	if title != "Usage" {
		fmt.Fprintln(w)
	}
	if p.Color {
		title = "\x1b[1m" + title + "\x1b[0m"
	}
	fmt.Fprintf(w, "%s:\n", title)
}

// useLine returns the form of a command line.
func useLine(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return cmd.Name() + " VERB [flags] [argument…]"
	}
	return cmd.UseLine()
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
	for part := range strings.SplitSeq(text, "\n\n") {
		var lines []string
		verbatim := false
		for line := range strings.SplitSeq(strings.Trim(part, "\n"), "\n") {
			if indented := strings.HasPrefix(line, "  "); indented != verbatim && len(lines) > 0 {
				all = append(all, block{strings.Join(lines, "\n"), verbatim})
				lines = nil
			}
			verbatim = strings.HasPrefix(line, "  ")
			lines = append(lines, line)
		}
		all = append(all, block{strings.Join(lines, "\n"), verbatim})
	}
	return all
}

// lines returns the lines of a block, of at most width columns if words allow it.
func (b block) lines(width int) []string {
	if b.verbatim {
		return strings.Split(b.text, "\n")
	}
	return wrap(b.text, width)
}

// wrap breaks a text into lines of at most width columns, unless a word is longer.
func wrap(text string, width int) (lines []string) {
	line, columns := "", 0
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		if columns > 0 && columns+1+n > width {
			lines = append(lines, line)
			line, columns = "", 0
		}
		if columns > 0 {
			line += " "
			columns++
		}
		line += word
		columns += n
	}
	return append(lines, line)
}

// hang prints a text after a label, and its other lines below its first one.
func hang(w io.Writer, label, text string, width int) {
	indent := utf8.RuneCountInString(label)
	for i, line := range wrap(text, max(width-indent, 20)) {
		if i > 0 {
			label = strings.Repeat(" ", indent)
		}
		fmt.Fprintln(w, strings.TrimRight(label+line, " "))
	}
}

// A verbGroup is a group of verbs with a title.
type verbGroup struct {
	title string
	verbs []*cobra.Command
}

// verbGroups returns the verbs of a command by group, and those without a group last.
func verbGroups(cmd *cobra.Command) (groups []verbGroup) {
	for _, g := range append(slices.Clone(cmd.Groups()), &cobra.Group{Title: "Verbs"}) {
		found := verbGroup{title: g.Title}
		for _, verb := range cmd.Commands() {
			if verb.GroupID == g.ID && (verb.IsAvailableCommand() || verb.Name() == "help") {
				found.verbs = append(found.verbs, verb)
			}
		}
		if len(found.verbs) > 0 {
			groups = append(groups, found)
		}
	}
	return groups
}

// A flagSet is a set of flags with a title.
type flagSet struct {
	title string
	flags []*pflag.Flag
}

// addHelp adds the flag --help, unless the command has it. The flag that cobra would add is described by "help for" and the
// name of the command: "help for help".
func addHelp(cmd *cobra.Command) {
	if cmd.Flags().Lookup("help") == nil {
		cmd.Flags().BoolP("help", "h", false, "print this help")
	}
}

// flagSets returns the flags of a command, and those that all verbs have.
func flagSets(cmd *cobra.Command) (sets []flagSet) {
	addHelp(cmd)
	for _, set := range []struct {
		title string
		flags *pflag.FlagSet
	}{{"Flags", cmd.LocalFlags()}, {"Flags of all verbs", cmd.InheritedFlags()}} {
		found := flagSet{title: set.title}
		set.flags.VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Deprecated == "" {
				found.flags = append(found.flags, f)
			}
		})
		if len(found.flags) > 0 {
			sets = append(sets, found)
		}
	}
	return sets
}
