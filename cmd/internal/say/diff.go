package say

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof"
)

var (
	textClosed        = language.New("closed")
	textOpened        = language.New("opened")
	textForExample    = language.New("for example %[1]s")
	textWas           = language.New("was %[1]s")
	textIs            = language.New("is  %[1]s")
	textByFallback    = language.New("%[1]s; by fallback: %[2]s")
	textForRobots     = language.New("for %[1]s")
	textUndecidedFor  = language.New("undecided for %[1]s: there are too many cases; --limit lets it look at more")
	textNoChangeFor   = language.New("no change for %[1]s")
	textNoChange      = language.New("no change: every robot gets the same answer for every path")
	textNoPathChanges = language.New("no path is closed or opened to any robot")
)

// Limits of what is shown of a difference.
const (
	mostRegions = 50 // of a change
	mostAnswers = 6  // about a region
)

// A joinedChange is a change for all robots that it affects in the same way, even if other lines
// of their groups decide.
type joinedChange struct {
	agents, followers []string // see [proof.Change]
	opened            bool
	regions           []proof.Region // the main regions, of the first robots
	answers           [][]answer     // for each region
}

// An answer is the match for the witness of a region, for some robots, before and after the
// change.
type answer struct {
	agents        []string
	before, after robots.Match
}

// join joins changes that have the same patterns and witnesses for several robots.
func join(changes []proof.Change) (all []*joinedChange) {
	seen := make(map[string]*joinedChange)
	for _, c := range changes {
		regions := c.Main()
		key := c.Direction()
		for _, r := range regions {
			key += fmt.Sprintf(" %q %q", pattern(r), r.Witness)
		}
		j := seen[key]
		if j == nil {
			j = &joinedChange{opened: c.Opened, regions: regions, answers: make([][]answer, len(regions))}
			seen[key] = j
			all = append(all, j)
		}
		j.agents = append(j.agents, c.Agents...)
		j.followers = append(j.followers, c.Followers...)
		for i, r := range regions {
			j.answers[i] = append(j.answers[i], answer{c.Agents, r.Before, r.After})
		}
	}
	return all
}

// pattern returns the pattern of the rule of a region.
func pattern(r proof.Region) string {
	if r.Rule.Line == 0 {
		return "/"
	}
	return r.Rule.Pattern
}

// texts applies say to each answer about a region. It returns the different texts, and for each
// text its robots, or no robots if all robots have the same text.
func (j *joinedChange) texts(region int, say func(answer) string) (texts []string, agents map[string][]string) {
	agents = make(map[string][]string)
	for _, a := range j.answers[region] {
		text := say(a)
		if agents[text] == nil {
			texts = append(texts, text)
		}
		agents[text] = append(agents[text], a.agents...)
	}
	if len(texts) == 1 {
		clear(agents)
	}
	return texts, agents
}

// title returns the names of the robots of a change: first those that a file names, then their
// followers.
func (p *Printer) title(j *joinedChange) string {
	const most = 10
	named := slices.DeleteFunc(slices.Clone(j.agents),
		func(name string) bool { return slices.Contains(j.followers, name) })
	switch {
	case len(j.followers) == 0:
		return p.names(named, most)
	case len(named) == 0:
		return p.names(j.followers, most)
	}
	return p.in(textByFallback, p.names(named, most), p.names(j.followers, most))
}

// beforeAndAfter returns the answers before and after a change, each with its robots unless all
// robots have the same answer.
func (p *Printer) beforeAndAfter(j *joinedChange, region int) (lines []string) {
	for _, say := range []func(answer) string{
		func(a answer) string { return p.in(textWas, Match(p.Language, a.before)) },
		func(a answer) string { return p.in(textIs, Match(p.Language, a.after)) },
	} {
		texts, agents := j.texts(region, say)
		for i, text := range texts {
			if i == mostAnswers {
				lines = append(lines, "        "+p.in(textAndMore, len(texts)-i))
				break
			}
			if len(agents) > 0 {
				text += " (" + printable.Clipped(p.names(agents[text], 3), 200) + ")"
			}
			lines = append(lines, "        "+text)
		}
	}
	return lines
}

// Difference writes which paths were closed and opened to robots, and which records changed.
func (p *Printer) Difference(d *proof.Difference) {
	t := p.table()
	for _, j := range join(d.Changes) {
		fmt.Fprintf(p.W, "%s\n", printable.Clipped(p.title(j), 400))
		verdict := columns.Red("    " + p.in(textClosed))
		if j.opened {
			verdict = columns.Green("    " + p.in(textOpened))
		}
		for i, r := range j.regions {
			if i == mostRegions {
				t.Add([]columns.Cell{columns.Text("    " + p.in(textAndMore, len(j.regions)-i))})
				break
			}
			example := p.in(textForExample, printable.Shown(r.Witness))
			t.Add([]columns.Cell{verdict, columns.Text(printable.Shown(pattern(r))), columns.Text(example)},
				p.beforeAndAfter(j, i)...)
		}
		t.Flush()
	}
	for _, c := range d.Records {
		fmt.Fprintln(p.W, p.recordChange(c))
	}
	switch {
	case len(d.Undecided) > 0:
		fmt.Fprintln(p.W, p.in(textUndecidedFor, printable.Clipped(strings.Join(d.Undecided, ", "), 200)))
	case len(d.Agents) > 0:
	case len(d.Changes) == 0 && len(d.Records) == 0:
		fmt.Fprintln(p.W, p.in(textNoChange))
	case len(d.Changes) == 0:
		fmt.Fprintln(p.W, p.in(textNoPathChanges))
	}
	if same := d.Same(); len(same) > 0 {
		fmt.Fprintln(p.W, p.in(textNoChangeFor, printable.Clipped(p.names(same, 10), 400)))
	}
}

// recordChange returns a changed record as a line, such as "+ Crawl-delay: 5 (for *)".
func (p *Printer) recordChange(c proof.RecordChange) string {
	text := "- "
	if c.Added {
		text = "+ "
	}
	text += c.Record.String()
	if len(c.Agents) > 0 {
		text += " (" + p.in(textForRobots, printable.Text(p.names(c.Agents, 10))) + ")"
	}
	return text
}
