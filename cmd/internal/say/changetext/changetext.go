// Package changetext says what it means to close a site to robots, or to open it to them: what
// these robots do, what the change costs, and which lines of robots.txt change. The command and the
// web page say the same.
//
// Text of strangers is made safe for a terminal.
package changetext

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/cmd/internal/inplace"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/rogpeppe/go-internal/diff"
)

// A Change is a change of a robots.txt in its place.
type Change struct {
	File   string
	Open   bool
	Edit   *inplace.Edit
	Robots []agent.Subject // those that were named
	Table  *agent.Table
	Page   bool // for a page: no option of a command is named, and no purpose by the command's word
}

// A Meaning is what a change means.
type Meaning struct {
	Costs []Cost
	Notes []string
	Also  []string // robots that are closed for another purpose, and read pages for search too
}

// A Cost is what the robots of a purpose do, and what it costs to close the site to them.
type Cost struct {
	Purpose string `json:"purpose"`
	Text    string `json:"text"`
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

// Of returns what a change means, in a language.
func Of(c Change, l language.Language) (m Meaning) {
	changed := make(map[string]bool)
	for _, name := range c.Edit.Changed {
		changed[name] = true
	}
	say := func(text language.Text, args ...any) { m.Notes = append(m.Notes, text.In(l, args...)) }
	var purposes agent.Purpose
	var ignore, partly []string
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
			m.Also = append(m.Also, printable.Shown(token))
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
	for _, cost := range costs {
		if !purposes.Has(cost.purpose) {
			continue
		}
		text := cost.closed
		if c.Open {
			text = cost.opened
		}
		m.Costs = append(m.Costs, Cost{cost.purpose.String(), text.In(l)})
		purposes &^= cost.purpose
	}
	if purposes != 0 && !c.Open && !c.Page {
		say(textOtherCost, purposes.String())
	}
	if !c.Open {
		for _, w := range operatorsSay {
			if a := c.Table.Named(w.token); changed[w.token] && a.Docs() != "" {
				say(textSays, a.Operator, w.token, w.text.In(l), a.Docs(), a.Checked())
			}
		}
		switch {
		case undocumented > 0 && n == 1:
			say(textUndocumentedOne)
		case undocumented > 0:
			say(textUndocumented, undocumented, n)
		}
		also := m.Also
		if c.Page {
			also = nil
		}
		for _, said := range []struct {
			text  language.Text
			names []string
		}{{textIgnore, ignore}, {textPartly, partly}, {textAlsoSearch, also}} {
			if len(said.names) > 0 {
				say(said.text, Names(l, said.names, 5), said.names[0])
			}
		}
		switch {
		case unsaid > 0 && n == 1:
			say(textUnsaidOne)
		case unsaid > 0:
			say(textUnsaid, unsaid, n)
		}
	}
	if len(c.Edit.Apart) > 0 {
		say(textApart, Names(l, safe(c.Edit.Apart), 5))
	}
	if len(c.Edit.Already) > 0 {
		m.Notes = append(m.Notes, Already(c, l))
	}
	m.Notes = append(m.Notes, Left(c, l)...)
	return m
}

// Already returns a sentence about the robots that are closed, or open, in the old text too.
func Already(c Change, l language.Language) string {
	text := textAlreadyClosed
	if c.Open {
		text = textAlreadyOpen
	}
	return text.In(l, printable.Shown(c.File), Names(l, safe(c.Edit.Already), 10))
}

// Left returns which rules still close parts of the site by name, and whether lines could not be
// given back.
func Left(c Change, l language.Language) (notes []string) {
	for _, part := range c.Edit.Partly {
		text := textLineSays.In(l, part.Rule.Line, part.Rule.String())
		if part.More > 0 {
			text += " (" + textAndMore.In(l, part.More) + ")"
		}
		notes = append(notes, textPart.In(l, printable.Shown(part.Token), text))
	}
	if c.Edit.Lost {
		notes = append(notes, textLost.In(l))
	}
	return notes
}

// Names returns names: at most this many, and the number of the others.
func Names(l language.Language, names []string, most int) string {
	if len(names) <= most+1 {
		return strings.Join(names, ", ")
	}
	return textNamesAndMore.In(l, strings.Join(names[:most], ", "), len(names)-most)
}

func safe(names []string) (all []string) {
	for _, name := range names {
		all = append(all, printable.Shown(name))
	}
	return all
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

	textLineSays     = language.New("line %[1]d: %[2]s")
	textAndMore      = language.New("and %[1]d more")
	textNamesAndMore = language.New("%[1]s and %[2]d more")
)
