package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/columns"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof"
	"github.com/spf13/cobra"
)

// newDiff returns the verb that shows which paths a change of a file closes and opens.
func newDiff() *cobra.Command {
	var d differ
	cmd := &cobra.Command{
		Use:   "diff [flags] (OLD NEW|ORIGIN)",
		Short: "tell what a change of robots.txt means: which paths it closes and opens",
		Long: `Diff compares two robots.txt files by what they say, not by their lines: for each
robot that one of them names, and for all others (*), which paths were closed and
which opened, each with the rule that does it and a path that shows it. It asks
about all paths at once; that nothing changed is proven. Records beside the
rules that changed, such as Sitemap and Crawl-delay, are told too.

With --at a robots.txt is that which was in force for an origin at a time, or on a
day, by the history in the folder of --cache: one file and one origin with one
--at, or one origin with two.

The exit status is 0 if every robot gets the same answer for every path, 1 if
something changed, and 2 if it could not be asked, or not be decided. With
--fail-on closed, or opened, only such a change is "1".`,
		Example: `  robots diff robots.txt new.robots.txt
  git show HEAD:robots.txt | robots diff - robots.txt
  robots diff --agent Googlebot --fail-on closed old.txt new.txt
  robots diff --markdown old.txt new.txt
  robots diff --cache ~/robots --at 2026-03-03 example.com robots.txt
  robots diff --cache ~/robots --at 2026-03-03 --at 2026-06-01 example.com`,
		Args: func(cmd *cobra.Command, args []string) error { return d.checkArgs(cmd, args) },
		RunE: func(cmd *cobra.Command, args []string) error { return d.run(cmd, args) },
	}
	flags := cmd.Flags()
	d.table.add(cmd)
	flags.StringArrayVar(&d.agents, "agent", nil, "ask only about the robot with this product `token`; repeat it for others")
	flags.Var(dialectFlag{&d.dialect}, "dialect", "read both as `name` says")
	flags.StringVar(&d.failOn, "fail-on", "any", "the `change` that is answered by exit status 1: any, closed, opened")
	flags.IntVar(&d.limit, "limit", 0, "look at no more than `number` cases for each question (default 65536)")
	flags.BoolVar(&d.json, "json", false, "print a JSON object")
	flags.BoolVar(&d.markdown, "markdown", false, "print Markdown, for the comment of a pull request")
	flags.Var(momentsFlag{&d.at}, "at", usageOfAt+"; repeat it to compare two times")
	flags.StringVar(&d.cache, "cache", "", "the `folder` with the history that --at asks")
	d.lang.add(cmd)
	complete(cmd, "dialect", dialectNames())
	complete(cmd, "fail-on", []string{"any", "closed", "opened"})
	return cmd
}

// A differ has the flags of diff, and runs the verb.
type differ struct {
	table    tableFlag
	agents   []string
	dialect  robots.Dialect
	failOn   string
	limit    int
	json     bool
	markdown bool
	at       []moment
	cache    string
	lang     languageFlag
}

func (d *differ) checkArgs(cmd *cobra.Command, args []string) error {
	if err := checkAt(d.cache, len(d.at) > 0); err != nil {
		return err
	}
	if len(d.at) > 0 {
		if err := d.checkOrigins(args); err != nil {
			return err
		}
	}
	switch {
	case len(d.at) == 2:
	case len(args) < 2:
		return misusef("two files are needed: the old robots.txt, then the new one")
	case len(args) > 2:
		return misusef("unexpected argument %q: diff compares two files", args[2])
	case args[0] == stdin && args[1] == stdin:
		return misusef("standard input cannot be both files: name a file for one of them")
	}
	switch {
	case d.failOn != "any" && d.failOn != "closed" && d.failOn != "opened":
		return misusef("--fail-on is %q: name any, closed or opened", d.failOn)
	case d.json && d.markdown:
		return misusef("--json does not go with --markdown: leave one of them out")
	case d.limit < 0 || d.limit == 0 && cmd.Flags().Changed("limit"):
		return misusef("--limit is %d: name a number above 0", d.limit)
	}
	return nil
}

// checkOrigins refuses arguments whose origins do not fit the number of --at.
func (d *differ) checkOrigins(args []string) error {
	origins := 0
	for _, arg := range args {
		if _, ok := origin(arg); ok {
			origins++
		}
	}
	switch {
	case len(d.at) == 1 && (len(args) != 2 || origins != 1):
		return misusef("with one --at, name one file and one origin: it asks what was in force for the origin")
	case len(d.at) == 2 && (len(args) != 1 || origins != 1):
		return misusef("with two --at, name one origin: diff compares what was in force for it")
	case len(d.at) > 2:
		return misusef("--at is given %d times: diff compares two", len(d.at))
	}
	return nil
}

// policies returns the two policies to compare.
func (d *differ) policies(cmd *cobra.Command, args []string) (both [2]*robots.Policy, err error) {
	if len(d.at) == 2 {
		args = []string{args[0], args[0]}
	}
	times := d.at
	for i, name := range args {
		if _, ok := origin(name); ok && len(times) > 0 {
			both[i], err = policyAt(cmd, d.cache, name, times[0], d.lang.language())
			times = times[1:]
			if err != nil {
				return both, err
			}
			both[i] = both[i].In(d.dialect)
			continue
		}
		data, err := readRobots(cmd, name)
		if err != nil {
			return both, err
		}
		both[i] = d.dialect.Parse(data)
	}
	return both, nil
}

func (d *differ) run(cmd *cobra.Command, args []string) error {
	both, err := d.policies(cmd, args)
	if err != nil {
		return err
	}
	known, err := d.table.read(cmd)
	if err != nil {
		return err
	}
	diff := proof.Diff(both[0], both[1], proof.Options{Agents: d.agents, Robots: known, Limit: d.limit})
	out := bufio.NewWriter(cmd.OutOrStdout())
	switch {
	case d.json:
		out.Write(printable.JSON(append(printable.AppendJSON(nil, diff), '\n')))
	case d.markdown:
		writeMarkdown(out, diff, d.lang.language())
	default:
		writeDiff(out, diff, d.lang.language(), colored(cmd.OutOrStdout()))
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

// mostShown is the maximum number of regions of a change shown to people.
const mostShown = 50

// A told is a change as shown to people. It groups robots that are affected in the same way,
// even if other lines of their groups decide.
type told struct {
	proof.Change                // without regions; has all the robots
	regions      []proof.Region // the main regions, of the first robots
	answered     [][]answer     // for each region
}

// An answer is the match for the witness of a region, for some robots, before and after the
// change.
type answer struct {
	agents        people
	before, after robots.Match
}

// People are the names of robots.
type people []string

// together groups changes that have the same patterns and witnesses for several robots.
func together(changes []proof.Change) (all []*told) {
	seen := make(map[string]*told)
	for _, c := range changes {
		regions := c.Main()
		key := c.Direction()
		for _, r := range regions {
			key += fmt.Sprintf(" %q %q", pattern(r), r.Witness)
		}
		t := seen[key]
		if t == nil {
			t = &told{regions: regions, answered: make([][]answer, len(regions))}
			t.Opened = c.Opened
			seen[key] = t
			all = append(all, t)
		}
		t.Agents = append(t.Agents, c.Agents...)
		t.Followers = append(t.Followers, c.Followers...)
		for i, r := range regions {
			t.answered[i] = append(t.answered[i], answer{c.Agents, r.Before, r.After})
		}
	}
	return all
}

// answers applies say to each answer about a region. It returns the different texts, and for
// each text its robots, or no robots if all robots have the same text.
func (c *told) answers(region int, say func(answer) string) (texts []string, who map[string]people) {
	who = make(map[string]people)
	for _, v := range c.answered[region] {
		text := say(v)
		if who[text] == nil {
			texts = append(texts, text)
		}
		who[text] = append(who[text], v.agents...)
	}
	if len(texts) == 1 {
		clear(who)
	}
	return texts, who
}

// title returns the names of the robots of a change: first those that a file names, then those
// that obey one of them.
func (c *told) title(l language.Language) string {
	const most = 10
	agents := people(slices.DeleteFunc(slices.Clone(c.Agents), func(name string) bool { return slices.Contains(c.Followers, name) }))
	switch {
	case len(c.Followers) == 0:
		return sayNames(l, agents, most)
	case len(agents) == 0:
		return sayNames(l, c.Followers, most)
	}
	return textByFallback.In(l, sayNames(l, agents, most), sayNames(l, c.Followers, most))
}

// mostAnswers is the maximum number of answers about a region shown to people.
const mostAnswers = 6

// lines returns the answers before and after a change, each with its robots unless all robots
// have the same answer.
func (c *told) lines(l language.Language, region int) (lines []string) {
	for _, say := range []func(answer) string{
		func(v answer) string { return textWas.In(l, sayMatch(l, v.before)) },
		func(v answer) string { return textIs.In(l, sayMatch(l, v.after)) },
	} {
		texts, who := c.answers(region, say)
		for i, text := range texts {
			if i == mostAnswers {
				lines = append(lines, "        "+textAndMore.In(l, len(texts)-i))
				break
			}
			if len(who) > 0 {
				text += " (" + printable.Clipped(sayNames(l, who[text], 3), 200) + ")"
			}
			lines = append(lines, "        "+text)
		}
	}
	return lines
}

// writeDiff writes the difference for people.
func writeDiff(w io.Writer, d *proof.Difference, l language.Language, color bool) {
	t := &columns.Table{W: w, Color: color}
	for _, c := range together(d.Changes) {
		fmt.Fprintf(w, "%s\n", printable.Clipped(c.title(l), 400))
		regions := c.regions
		for i, r := range regions {
			if i == mostShown {
				t.Add([]columns.Cell{columns.Text("    " + textAndMore.In(l, len(regions)-i))})
				break
			}
			verdict := columns.Red("    " + textClosed.In(l))
			if c.Opened {
				verdict = columns.Green("    " + textOpened.In(l))
			}
			t.Add([]columns.Cell{verdict, columns.Text(shown(pattern(r))), columns.Text(textForExample.In(l, shown(r.Witness)))}, c.lines(l, i)...)
		}
		t.Flush()
	}
	for _, c := range d.Records {
		fmt.Fprintln(w, sayRecordChange(l, c))
	}
	switch {
	case !d.Decided():
		fmt.Fprintln(w, textUndecidedFor.In(l, printable.Clipped(strings.Join(d.Undecided, ", "), 200)))
	case len(d.Changes) == 0 && len(d.Records) == 0:
		fmt.Fprintln(w, textNoChange.In(l))
	case len(d.Changes) == 0:
		fmt.Fprintln(w, textNoPathChanges.In(l))
	}
}

// sayRecordChange returns a changed record as a line, such as "+ Crawl-delay: 5 (for *)".
func sayRecordChange(l language.Language, c proof.RecordChange) string {
	text := "- "
	if c.Added {
		text = "+ "
	}
	text += c.Record.String()
	if len(c.Agents) > 0 {
		text += " (" + textForRobots.In(l, printable.Text(strings.Join(c.Agents, ", "))) + ")"
	}
	return text
}

// pattern returns the pattern of the rule of a region.
func pattern(r proof.Region) string {
	if r.Rule.Line == 0 {
		return "/"
	}
	return r.Rule.Pattern
}

// deciding returns the lines that decide about a region now, each with its robots unless the
// line decides for all.
func (c *told) deciding(l language.Language, region int, code func(string) string) string {
	texts, who := c.answers(region, func(v answer) string {
		if v.after.Reason != robots.DecidingRule {
			return textNoRule.In(l)
		}
		return textLineSays.In(l, v.after.Rule.Line, code(v.after.Rule.String()))
	})
	var all []string
	for i, text := range texts {
		if i == mostAnswers {
			all = append(all, textAndMore.In(l, len(texts)-i))
			break
		}
		if len(who) > 0 {
			text += " (" + code(sayNames(l, who[text], 3)) + ")"
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// writeMarkdown writes the difference as Markdown: a table for each direction.
func writeMarkdown(w io.Writer, d *proof.Difference, l language.Language) {
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
	fmt.Fprintf(w, "### %s\n\n", textMarkdownTitle.In(l))
	switch {
	case !d.Decided():
		fmt.Fprintf(w, "%s\n\n", textNotDecided.In(l, code(strings.Join(d.Undecided, ", "))))
	case len(d.Changes) == 0:
		fmt.Fprintf(w, "%s\n\n", textAllSame.In(l))
	}
	if len(d.Changes) > 0 {
		fmt.Fprintf(w, "%s\n\n%s\n|---|---|---|---|---|\n", textPatterns.In(l, closed, opened), textMarkdownHead.In(l))
	}
	rows := 0
	for _, c := range changes {
		for i, r := range c.regions {
			if rows++; rows > 2*mostShown {
				break
			}
			direction := textClosed
			if c.Opened {
				direction = textOpened
			}
			fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", direction.In(l), code(c.title(l)), code(pattern(r)), code(r.Witness), c.deciding(l, i, code))
		}
	}
	if rows > 2*mostShown {
		fmt.Fprintf(w, "\n%s\n", textMoreInDiff.In(l))
	}
	if len(d.Records) > 0 {
		fmt.Fprintf(w, "\n%s\n\n", textRecords.In(l))
		for _, c := range d.Records {
			fmt.Fprintf(w, "- %s\n", code(sayRecordChange(l, c)))
		}
	}
}
