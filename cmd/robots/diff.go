package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof"
	"github.com/spf13/cobra"
)

// newDiff returns the verb that tells what a change of a file changes.
func newDiff() *cobra.Command {
	var d differ
	cmd := &cobra.Command{
		Use:   "diff [flags] OLD NEW",
		Short: "tell what a change of robots.txt means: which paths it closes and opens",
		Long: `Diff compares two robots.txt files by what they say, not by their lines: for each
robot that one of them names, and for all others (*), which paths were closed and
which opened, each with the rule that does it and a path that shows it. It asks
about all paths at once; that nothing changed is proven. Records beside the
rules that changed, such as Sitemap and Crawl-delay, are told too.

The exit status is 0 if every robot gets the same answer for every path, 1 if
something changed, and 2 if it could not be asked, or not be decided. With
--fail-on closed, or opened, only such a change is "1".`,
		Example: `  robots diff robots.txt new.robots.txt
  git show HEAD:robots.txt | robots diff - robots.txt
  robots diff --agent Googlebot --fail-on closed old.txt new.txt
  robots diff --markdown old.txt new.txt`,
		Args: func(_ *cobra.Command, args []string) error { return d.checkArgs(args) },
		RunE: func(cmd *cobra.Command, args []string) error { return d.run(cmd, args[0], args[1]) },
	}
	flags := cmd.Flags()
	d.table.add(cmd)
	flags.StringArrayVar(&d.agents, "agent", nil, "ask only about the robot with this product `token`; repeat it for others")
	flags.Var(dialectFlag{&d.dialect}, "dialect", "read both as `name` says")
	flags.StringVar(&d.failOn, "fail-on", "any", "the `change` that is answered by exit status 1: any, closed, opened")
	flags.IntVar(&d.limit, "limit", 0, "look at no more than `number` cases for each question (default 65536)")
	flags.BoolVar(&d.json, "json", false, "print a JSON object")
	flags.BoolVar(&d.markdown, "markdown", false, "print Markdown, for the comment of a pull request")
	complete(cmd, "dialect", dialectNames())
	complete(cmd, "fail-on", []string{"any", "closed", "opened"})
	return cmd
}

// A differ is the command line of diff, and does what it says.
type differ struct {
	table    tableFlag
	agents   []string
	dialect  robots.Dialect
	failOn   string
	limit    int
	json     bool
	markdown bool
}

func (d *differ) checkArgs(args []string) error {
	switch {
	case len(args) < 2:
		return misusef("two files are needed: the old robots.txt, then the new one")
	case len(args) > 2:
		return misusef("unexpected argument %q: diff compares two files", args[2])
	case args[0] == stdin && args[1] == stdin:
		return misusef("standard input cannot be both files: name a file for one of them")
	case d.failOn != "any" && d.failOn != "closed" && d.failOn != "opened":
		return misusef("--fail-on is %q: name any, closed or opened", d.failOn)
	case d.json && d.markdown:
		return misusef("--json does not go with --markdown: leave one of them out")
	case d.limit < 0:
		return misusef("--limit is %d: name a number above 0", d.limit)
	}
	return nil
}

func (d *differ) run(cmd *cobra.Command, oldName, newName string) error {
	before, err := readFile(cmd, oldName)
	if err != nil {
		return err
	}
	after, err := readFile(cmd, newName)
	if err != nil {
		return err
	}
	diff := proof.Diff(d.dialect.Parse(before), d.dialect.Parse(after), proof.Options{Agents: d.agents, Limit: d.limit})
	out := bufio.NewWriter(cmd.OutOrStdout())
	switch {
	case d.json:
		out.Write(printable.JSON(append(appendJSON(nil, diff), '\n')))
	case d.markdown:
		writeMarkdown(out, diff)
	default:
		writeDiff(out, diff, colored(cmd.OutOrStdout()))
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("cannot write the changes: %w", cause(err))
	}
	for _, c := range diff.Changes {
		if d.failOn == "any" || d.failOn == c.Direction() {
			return errNo
		}
	}
	if !diff.Decided() {
		return errFailed
	}
	return nil
}

// mostShown is how many regions of a change are shown to people.
const mostShown = 50

// A told is a change as people are told of it.
type told struct {
	proof.Change
	regions []proof.Region // the main ones; their lines are those of the first agent
}

// together returns changes, with those as one that have the same patterns and
// witnesses for several robots, though other lines of their groups differ.
func together(changes []proof.Change) (all []*told) {
	seen := make(map[string]*told)
	for _, c := range changes {
		regions := c.Main()
		key := c.Direction()
		for _, r := range regions {
			key += fmt.Sprintf(" %q %q", pattern(r), r.Witness)
		}
		if same := seen[key]; same != nil {
			same.Agents = append(same.Agents, c.Agents...)
			continue
		}
		c.Agents = slices.Clone(c.Agents)
		seen[key] = &told{c, regions}
		all = append(all, seen[key])
	}
	return all
}

// people returns the names of the robots of a change.
func (c *told) people() string {
	const most = 10
	if len(c.Agents) <= most+1 {
		return strings.Join(c.Agents, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(c.Agents[:most], ", "), len(c.Agents)-most)
}

// writeDiff writes what changed for people.
func writeDiff(w io.Writer, d *proof.Difference, color bool) {
	t := &table{w: w, color: color}
	for _, c := range together(d.Changes) {
		fmt.Fprintf(w, "%s\n", printable.Clipped(c.people(), 400))
		regions := c.regions
		for i, r := range regions {
			if i == mostShown {
				t.add([]cell{{text: fmt.Sprintf("    and %d more", len(regions)-i)}})
				break
			}
			verdict := cell{"    closed", red}
			if c.Opened {
				verdict = cell{"    opened", green}
			}
			t.add([]cell{verdict, {text: shown(pattern(r))}, {text: "for example " + shown(r.Witness)}},
				"        was "+r.Before.String(), "        is  "+r.After.String())
		}
		t.flush()
	}
	for _, c := range d.Records {
		fmt.Fprintln(w, c)
	}
	switch {
	case !d.Decided():
		fmt.Fprintf(w, "undecided for %s: there are too many cases; --limit lets it look at more\n", printable.Clipped(strings.Join(d.Undecided, ", "), 200))
	case len(d.Changes) == 0 && len(d.Records) == 0:
		fmt.Fprintln(w, "no change: every robot gets the same answer for every path")
	case len(d.Changes) == 0:
		fmt.Fprintln(w, "no path is closed or opened to any robot")
	}
}

// pattern returns the pattern of the rule of a region.
func pattern(r proof.Region) string {
	if r.Rule.Line == 0 {
		return "/"
	}
	return r.Rule.Pattern
}

// writeMarkdown writes what changed as Markdown: a table for each direction.
func writeMarkdown(w io.Writer, d *proof.Difference) {
	code := func(s string) string {
		s = strings.NewReplacer("|", `\|`, "`", "ˋ").Replace(printable.Clipped(s, 200))
		return "`" + s + "`"
	}
	closed, opened := 0, 0
	changes := together(d.Changes)
	for _, c := range changes {
		if c.Opened {
			opened += len(c.regions)
		} else {
			closed += len(c.regions)
		}
	}
	fmt.Fprintf(w, "### What this change of robots.txt means\n\n")
	switch {
	case !d.Decided():
		fmt.Fprintf(w, "Not everything could be decided, for %s.\n\n", code(strings.Join(d.Undecided, ", ")))
	case len(d.Changes) == 0:
		fmt.Fprintf(w, "Every robot gets the same answer for every path.\n\n")
	}
	if len(d.Changes) > 0 {
		fmt.Fprintf(w, "%s closed, %s opened.\n\n| | robots | paths | for example | decided by |\n|---|---|---|---|---|\n", count(closed, "pattern"), count(opened, "pattern"))
	}
	rows := 0
	for _, c := range changes {
		for _, r := range c.regions {
			if rows++; rows > 2*mostShown {
				break
			}
			by := "no rule"
			if r.After.Reason == robots.DecidingRule {
				by = fmt.Sprintf("line %d: %s", r.After.Rule.Line, code(r.After.Rule.String()))
			}
			fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", c.Direction(), code(c.people()), code(pattern(r)), code(r.Witness), by)
		}
	}
	if rows > 2*mostShown {
		fmt.Fprintf(w, "\nand more; `robots diff` tells all.\n")
	}
	if len(d.Records) > 0 {
		fmt.Fprintf(w, "\nRecords beside the rules:\n\n")
		for _, c := range d.Records {
			fmt.Fprintf(w, "- %s\n", code(c.String()))
		}
	}
}
