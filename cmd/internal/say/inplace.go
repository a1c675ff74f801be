package say

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/cmd/internal/inplace"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/rogpeppe/go-internal/diff"
)

// An InPlace is a change of a robots.txt in its place, for some robots.
type InPlace struct {
	File    string
	New     bool // there is no file yet
	Open    bool
	Old     string
	Edit    *inplace.Edit
	Robots  []agent.Subject // those that were named
	Table   *agent.Table
	Engines []string // search engines to which the site is closed
}

// The purposes with a sentence of their own: what these robots do, and what closing the site costs,
// as far as it follows from that.
var costs = []struct {
	purpose        agent.Purpose
	closed, opened language.Text
}{
	{agent.Search, textSearchClosed, textSearchOpened},
	{agent.AITrain, textTrainClosed, textTrainOpened},
	{agent.AISearch, textAnswersClosed, textAnswersOpened},
	{agent.AIUser, textUserClosed, textUserOpened},
}

// operatorsSay has what operators say about a closed site, in our words. Their documents are those
// of the table of robots, with its date.
var operatorsSay = []struct {
	token string
	text  language.Text
}{
	{"GPTBot", textGPTBot},
	{"OAI-SearchBot", textOAISearch},
	{"ClaudeBot", textClaudeBot},
	{"Claude-SearchBot", textClaudeSearch},
	{"Claude-User", textClaudeUser},
	{"Google-Extended", textGoogleExtended},
}

// Print writes what changes, what it means and costs, and the lines.
func (c *InPlace) Print(p *Printer) {
	if c.Edit.Text == c.Old {
		c.unchanged(p)
		return
	}
	if len(c.Engines) > 0 {
		alarm := p.in(textAlarm, printable.Clipped(p.names(c.Engines, 10), 400))
		if slices.Contains(c.Engines, "*") {
			alarm = p.in(textAlarmAll)
		}
		t := p.table()
		t.Add([]columns.Cell{columns.Red(alarm)})
		t.Flush()
		fmt.Fprintln(p.W)
	}
	if c.New {
		fmt.Fprintf(p.W, "%s\n\n", p.in(textNewFile, printable.Shown(c.File)))
	}
	c.meaning(p)
	fmt.Fprintln(p.W)
	p.Difference(c.Edit.Difference)
	fmt.Fprintln(p.W)
	c.lines(p)
}

// unchanged writes that nothing changes, and why.
func (c *InPlace) unchanged(p *Printer) {
	text := textAlreadyClosed
	if c.Open {
		text = textAlreadyOpen
	}
	fmt.Fprintln(p.W, p.in(text, printable.Shown(c.File), p.names(safe(c.Edit.Already), 10)))
	c.parts(p)
	c.lost(p)
}

// lost writes that lines could not be given back.
func (c *InPlace) lost(p *Printer) {
	if c.Edit.Lost {
		fmt.Fprintln(p.W, p.in(textLost))
	}
}

func safe(names []string) (all []string) {
	for _, name := range names {
		all = append(all, printable.Shown(name))
	}
	return all
}

// parts writes which rules still close parts of the site by name.
func (c *InPlace) parts(p *Printer) {
	for _, part := range c.Edit.Partly {
		text := p.in(textLineSays, part.Rule.Line, part.Rule.String())
		if part.More > 0 {
			text += " (" + p.in(textAndMore, part.More) + ")"
		}
		fmt.Fprintln(p.W, p.in(textPart, printable.Shown(part.Token), text))
	}
}

// meaning writes what the change means, what it costs, and what the operators of the robots say.
func (c *InPlace) meaning(p *Printer) {
	changed := make(map[string]bool)
	for _, name := range c.Edit.Changed {
		changed[name] = true
	}
	var purposes agent.Purpose
	var ignore, partly, also []string
	unsaid, undocumented, n := 0, 0, 0
	for _, s := range c.Robots {
		token := s.Tokens[0]
		if !changed[token] || token == "*" {
			continue
		}
		n++
		a := c.Table.Named(token)
		asked := askedPurposes(s)
		if asked == 0 {
			asked = a.Purposes
		} else if !c.Open && a.Purposes.Has(agent.Search) && !asked.Has(agent.Search) {
			also = append(also, printable.Shown(token))
		}
		purposes |= asked
		switch a.Obedience() {
		case agent.Ignores:
			ignore = append(ignore, printable.Shown(token))
		case agent.Partly:
			partly = append(partly, printable.Shown(token))
		case agent.Unsaid:
			unsaid++
		}
		if a.Docs() == "" {
			undocumented++
		}
	}
	for _, m := range costs {
		if !purposes.Has(m.purpose) {
			continue
		}
		text := m.closed
		if c.Open {
			text = m.opened
		}
		fmt.Fprintf(p.W, "%s: %s\n", m.purpose, p.in(text))
		purposes &^= m.purpose
	}
	if purposes != 0 && !c.Open {
		fmt.Fprintln(p.W, p.in(textOtherCost, purposes.String()))
	}
	if !c.Open {
		for _, w := range operatorsSay {
			if a := c.Table.Named(w.token); changed[w.token] && a.Docs() != "" {
				fmt.Fprintln(p.W, p.in(textSays, a.Operator, w.token, p.in(w.text), a.Docs(), a.Checked()))
			}
		}
		switch {
		case undocumented > 0 && n == 1:
			fmt.Fprintln(p.W, p.in(textUndocumentedOne))
		case undocumented > 0:
			fmt.Fprintln(p.W, p.in(textUndocumented, undocumented, n))
		}
		for _, said := range []struct {
			text  language.Text
			names []string
		}{{textIgnore, ignore}, {textPartly, partly}, {textAlsoSearch, also}} {
			if len(said.names) > 0 {
				fmt.Fprintln(p.W, p.in(said.text, p.names(said.names, 5), said.names[0]))
			}
		}
		switch {
		case unsaid > 0 && n == 1:
			fmt.Fprintln(p.W, p.in(textUnsaidOne))
		case unsaid > 0:
			fmt.Fprintln(p.W, p.in(textUnsaid, unsaid, n))
		}
	}
	if len(c.Edit.Apart) > 0 {
		fmt.Fprintln(p.W, p.in(textApart, p.names(safe(c.Edit.Apart), 5)))
	}
	if len(c.Edit.Already) > 0 {
		text := textAlreadyClosed
		if c.Open {
			text = textAlreadyOpen
		}
		fmt.Fprintln(p.W, p.in(text, printable.Shown(c.File), p.names(safe(c.Edit.Already), 10)))
	}
	c.parts(p)
	c.lost(p)
}

// askedPurposes returns the purposes by which a robot was named.
func askedPurposes(s agent.Subject) (all agent.Purpose) {
	for _, name := range s.Called {
		if p, ok := agent.ParsePurpose(name); ok {
			all |= p
		}
	}
	return all
}

// lines writes the lines that are added and removed.
func (c *InPlace) lines(p *Printer) {
	t := p.table()
	for line := range strings.Lines(Lines(c.File, c.Old, c.Edit.Text, false)) {
		cell := columns.Text(strings.TrimSuffix(line, "\n"))
		switch line[0] {
		case '+':
			cell = columns.Green(cell.Text)
		case '-':
			cell = columns.Red(cell.Text)
		}
		t.Add([]columns.Cell{cell})
	}
	t.Flush()
}

// Lines returns the lines that a robots.txt loses and gets, as diff -u shows them, or "" if there
// are none. With ends, a line that ends otherwise is another line. The result is safe for a
// terminal.
func Lines(name, old, now string, ends bool) string {
	name = printable.Shown(name)
	text := string(diff.Diff(name, shownLines(old, ends), name, shownLines(now, ends)))
	_, text, _ = strings.Cut(text, "\n") // "diff a b"
	return text
}

// shownLines returns the lines of a robots.txt with line feeds, safe for a terminal.
func shownLines(text string, ends bool) []byte {
	var b strings.Builder
	for _, line := range robots.ParseString(text).Lines() {
		shown := strings.TrimRight(line.Text, "\r\n")
		if end := line.Text[len(shown):]; ends && end != "\n" {
			shown = line.Text
		}
		b.WriteString(printable.Text(shown) + "\n")
	}
	return []byte(b.String())
}

var (
	textAlarm = language.New(
		"WARNING: this closes SEARCH ENGINES: %[1]s. People will not find your pages there any more.")
	textAlarmAll = language.New(
		"WARNING: this closes the site to ALL ROBOTS that the file does not name, SEARCH ENGINES among them. People will not find your pages there any more.")
	textNewFile       = language.New("There is no robots.txt yet: this creates %[1]s.")
	textAlreadyClosed = language.New("%[1]s is closed already to %[2]s")
	textAlreadyOpen   = language.New("%[1]s is open already to %[2]s")
	textLost          = language.New(
		"'robots block' made comments of some lines of these robots, and the file changed since then: write the lines after \"# before robots block:\" again where they are right")
	textPart = language.New("a part stays closed to %[1]s by name: %[2]s")

	textSearchClosed = language.New(
		"these robots read pages for search engines. Close the site to them, and the engines lose its text; its addresses may stay listed.")
	textSearchOpened = language.New("these robots find pages for search engines, and may read yours again.")
	textTrainClosed  = language.New(
		"these robots read pages to train models. Close the site to them, and they stop; robots.txt does not take back what they have read.")
	textTrainOpened   = language.New("these robots read pages to train models, and may read yours again.")
	textAnswersClosed = language.New(
		"these robots read pages for services that answer questions. Close the site to them, and these services neither quote nor cite it.")
	textAnswersOpened = language.New(
		"these robots read pages from which services answer questions, and may read yours again.")
	textUserClosed = language.New(
		"these robots read a page when a person asks an assistant about it. Close the site to them, and the assistant cannot read it for that person.")
	textUserOpened = language.New(
		"these robots read a page because a person asked an assistant about it, and may read yours again.")
	textOtherCost = language.New(
		"%[1]s: this program does not know what closing these robots costs: 'robots agents NAME' names the operator's page")

	textSays      = language.New("%[1]s on %[2]s: %[3]s (%[4]s, read %[5]s)")
	textGPTBot    = language.New("a closed site's content should not be used to train its models")
	textOAISearch = language.New(
		"a closed site is not shown in the answers of ChatGPT search, though links to it may appear")
	textClaudeBot    = language.New("a closed site's future material should be left out of training data")
	textClaudeSearch = language.New(
		"a closed site is not indexed for search, which may make it less visible in the answers")
	textClaudeUser = language.New(
		"a closed site is not read for a person's question, which may make it less visible in searches for people")
	textGoogleExtended = language.New(
		"closing it changes neither inclusion nor ranking in Google Search")
	textUndocumentedOne = language.New(
		"this program knows no page of the operator about what closing this robot means")
	textUndocumented = language.New(
		"for %[1]d of %[2]d robots, this program knows no page of the operator about what closing means")
	textIgnore = language.New(
		"these do not obey robots.txt, as their operators say; 'robots guard' or 'robots export' can refuse them: %[1]s")
	textPartly     = language.New("these obey robots.txt only in part, as 'robots agents %[2]s' shows: %[1]s")
	textAlsoSearch = language.New("these also read pages for search; --except %[2]s leaves one open: %[1]s")
	textUnsaidOne  = language.New("this robot does not say whether it obeys robots.txt")
	textUnsaid     = language.New(
		"of %[2]d robots, %[1]d ⟨does not say whether it obeys/do not say whether they obey⟩ robots.txt")
	textApart = language.New("these follow the rules of the robots above, and get lines of their own to keep theirs: %[1]s")
)
