// Package cardtext says in words what is on a report card: for the screen of the command, and for
// the page.
package cardtext

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/card"
	"github.com/robotsexclusion/robots/internal/language"
)

var (
	textCardGroups   = language.New("%[1]d ⟨group/groups⟩")
	textCardErrors   = language.New("%[1]d ⟨error/errors⟩")
	textCardWarnings = language.New("%[1]d ⟨warning/warnings⟩")

	textOpenState        = language.InContext("a site, to robots", "open")
	textClosedState      = language.InContext("a site, to robots", "closed")
	textOpenExcept       = language.New("open except for %[1]d ⟨pattern/patterns⟩")
	textOpenExceptMost   = language.New("open except for at most %[1]d ⟨pattern/patterns⟩")
	textOpenExceptOne    = language.New("open except for %[1]s")
	textClosedExceptOne  = language.New("closed except for %[1]s")
	textClosedExcept     = language.New("closed except for %[1]d ⟨pattern/patterns⟩")
	textClosedExceptMost = language.New("closed except for at most %[1]d ⟨pattern/patterns⟩")
	textUndecidedState   = language.New("not decided")
	textStateTo          = language.New("%[1]s to %[2]d ⟨robot/robots⟩")
	textStateOf          = language.New("%[1]s (%[2]d ⟨robot/robots⟩)")
	textNotLookedAt      = language.New("%[1]d more ⟨name was/names were⟩ not looked at")

	textMistakes    = language.New("mistakes")
	textNoMistakes  = language.New("none found")
	textFindingLine = language.New("line %[1]d: %[2]s: %[3]s")
	textMoreAt      = language.New("and %[1]d more: %[2]s")
	textElsewhere   = language.New("read otherwise")
	textSameForAll  = language.New("no: Google, Bing, Yandex and Apple agree")
	textNotAllFound = language.New("not decided: the search took too many cases")
	textMayFetch    = language.New("%[1]s: %[2]s may fetch %[3]s")
	textMayNotFetch = language.New("%[1]s: %[2]s may not fetch %[3]s")
	textLostFrom    = language.New("Google and Bing read 500 KiB: line %[1]d and all after it are lost")
	textSitemaps    = language.New("sitemaps")
	textNoneNamed   = language.New("none named")
	textNext        = language.New("next")

	textLine         = language.New("line %[1]d")
	textAndMore      = language.New("and %[1]d more")
	textNamesAndMore = language.New("%[1]s and %[2]d more")

	textBytes          = language.New("%[1]d ⟨byte/bytes⟩")
	textCut            = language.New("cut because there was more")
	textByRedirects    = language.New("by %[1]d ⟨redirect/redirects⟩ from %[2]s")
	textUnavailable    = language.New("unavailable, everything is allowed")
	textNothingAllowed = language.New("nothing is allowed")
	textOldCopyInForce = language.New("a copy of before, %[1]d ⟨byte/bytes⟩, is in force")

	textOtherNames = language.New("other names")
	textAllOthers  = language.New("all others")
	textPurposes   = map[string]language.Text{
		"ai-train":  language.New("AI training"),
		"ai-search": language.New("AI search"),
		"ai-user":   language.New("AI assistants"),
		"search":    language.New("search engines"),
		"preview":   language.New("link previews"),
		"archive":   language.New("archives"),
		"seo":       language.New("SEO tools"),
	}
)

// A Sheet is a report card in words. Its strings are printable.
type Sheet struct {
	Head      string `json:"head"`                 // what the card is about, and how its server answered
	Redirects string `json:"redirects,omitempty"`  // a line under the head
	NotRobots string `json:"not_robots,omitempty"` // why the text is not a robots.txt
	Rows      []Row  `json:"rows"`
	Next      string `json:"next"` // the heading of the commands
}

// A Row is a part of a Sheet.
type Row struct {
	Label   string `json:"label"`
	Lines   []Line `json:"lines"`
	Beneath []Line `json:"beneath,omitempty"` // these need the whole width
}

// A Line is a line of a Row.
type Line struct {
	Text string `json:"text"`
	Tone Tone   `json:"tone,omitempty"`
	At   int    `json:"at,omitempty"` // the number of the line of robots.txt that it is about
}

// A Tone is how good or bad a Line is.
type Tone string

// Tones; most lines have none.
const (
	Good Tone = "good"
	Bad  Tone = "bad"
)

// A Form is how much of a card a sheet has.
type Form struct {
	Screen   bool // lines are as wide as a screen; otherwise nothing is cut, and each part has its line
	Parts    int  // that are shown of what a file says to the robots of a purpose
	Findings int  // that are shown
}

// Page is the form of the page.
var Page = Form{Parts: 3, Findings: 3}

const (
	screen   = 80 // columns
	readings = 2  // that are shown
)

// A writer makes a sheet.
type writer struct {
	*card.Card
	Form
	language language.Language
	room     int // columns beside the widest label
	sheet    Sheet
}

// Of returns a card in words.
func Of(c *card.Card, l language.Language, form Form) *Sheet {
	w := &writer{Card: c, Form: form, language: l}
	w.room = w.widthBeside()
	w.sheet.Rows = []Row{}
	w.head()
	if a := c.Answer; a == nil || a.Copy || a.State == "ok" || a.State == "unavailable" {
		w.body()
	} // else nothing was read, and the head says what that means
	w.sheet.Next = w.in(textNext)
	return &w.sheet
}

func (c *writer) in(text language.Text, args ...any) string { return text.In(c.language, args...) }

// add adds a row, if it has lines.
func (c *writer) add(label language.Text, lines ...Line) {
	if len(lines) > 0 {
		c.sheet.Rows = append(c.sheet.Rows, Row{Label: c.in(label), Lines: lines})
	}
}

// body writes what the file says.
func (c *writer) body() {
	for _, of := range c.Purposes {
		c.add(textPurposes[of.Purpose], c.saysTo(of.Says)...)
	}
	named := c.saysTo(c.Named)
	if c.NamedMore > 0 {
		named = append(named, Line{Text: c.in(textNotLookedAt, c.NamedMore)})
	}
	c.add(textOtherNames, named...)
	c.add(textAllOthers, c.everyone(c.Everyone))
	c.mistakes()
	c.add(textElsewhere, c.readings()...)
	sitemaps := c.in(textNoneNamed)
	if n := len(c.Sitemaps) + c.MoreMaps; n == 1 {
		sitemaps = c.clip(c.Sitemaps[0], c.room)
	} else if n > 1 {
		sitemaps = c.in(textNamesAndMore, c.clip(c.Sitemaps[0], c.room-12), n-1)
	}
	c.add(textSitemaps, Line{Text: sitemaps})
}

// head writes what the card is about, and how a server answered.
func (c *writer) head() {
	head, a := c.Subject, c.Answer
	var parts []string
	between := ", "
	if a != nil {
		head += "/robots.txt"
		switch {
		case a.State == "ok" && a.ContentType != "":
			parts = append(parts, fmt.Sprintf("%d %s", a.Status, c.clip(a.ContentType, screen/2)))
		case a.State == "ok":
			parts = append(parts, strconv.Itoa(a.Status))
		case a.State == "unavailable":
			parts = append(parts, a.Cause, c.in(textUnavailable))
		case a.Copy:
			parts = append(parts, a.Cause, c.in(textOldCopyInForce, c.Bytes))
		default:
			parts = append(parts, a.Cause, c.in(textNothingAllowed))
			between = "; " // the cause is a sentence
		}
	}
	if a == nil || a.State == "ok" {
		parts = append(parts, c.in(textBytes, c.Bytes))
		if a != nil && a.Cut {
			parts = append(parts, c.in(textCut))
		}
		parts = append(parts, c.in(textCardGroups, c.Groups))
	}
	c.sheet.Head = head + ": " + strings.Join(parts, between)
	if a != nil && len(a.Redirects) > 0 {
		c.sheet.Redirects = c.in(textByRedirects, len(a.Redirects), a.URL)
	}
	c.sheet.NotRobots = c.NotRobots
}

// A part is what a file says to some robots of a purpose, with its state in words.
type part struct {
	card.Says
	phrase string
}

// states are the states in the order of parts: what is closed to somebody comes first.
var states = []string{card.Closed, card.ClosedExcept, card.Open, card.OpenExcept, card.Undecided}

// partsOf joins what is said in the same words: first the part for most robots, then the others.
func (c *writer) partsOf(says []card.Says) (parts []part) {
	for _, s := range says {
		phrase := c.state(s)
		i := slices.IndexFunc(parts, func(part part) bool { return part.phrase == phrase })
		if i < 0 {
			i = len(parts)
			parts = append(parts, part{s, phrase})
			parts[i].Robots = nil
		}
		for _, name := range s.Robots {
			parts[i].Robots = append(parts[i].Robots, c.clip(name, c.room/2))
		}
	}
	bySize := func(a, b part) int { return cmp.Compare(len(b.Robots), len(a.Robots)) }
	slices.SortStableFunc(parts, bySize)
	if len(parts) > 1 {
		slices.SortStableFunc(parts[1:], func(a, b part) int {
			return cmp.Compare(slices.Index(states, a.State), slices.Index(states, b.State))
		})
	}
	return parts
}

// saysTo returns lines with what a file says to some robots: the same to all, or first to most of
// them, then to the others by their names.
func (c *writer) saysTo(says []card.Says) (lines []Line) {
	parts := c.partsOf(says)
	if len(parts) == 0 {
		return nil
	}
	most := parts[0]
	n := len(most.Robots)
	text := c.in(textStateOf, most.phrase, n)
	switch {
	case n == 1:
		text = most.Robots[0] + ": " + most.phrase
	case most.State == card.Open, most.State == card.Closed:
		text = c.in(textStateTo, most.phrase, n)
	}
	if len(parts) == 1 {
		return []Line{stateLine(most.State, text)}
	}
	for i, part := range parts[1:] {
		if i+1 == c.Parts {
			more := c.in(textAndMore, len(parts)-c.Parts)
			if !c.Screen {
				lines = append(lines, Line{Text: text})
				text = more
			} else {
				text += "; " + more
			}
			break
		}
		more := c.names(part.Robots, 2) + ": " + part.phrase
		if !c.Screen || language.Width(text)+2+language.Width(more) > c.room {
			lines = append(lines, Line{Text: text})
			text = more
		} else {
			text += "; " + more
		}
	}
	return append(lines, Line{Text: text})
}

// everyone returns a line with what a file says to robots that it does not name, and the patterns
// that fit in.
func (c *writer) everyone(s card.Says) Line {
	text := c.state(s)
	if len(s.Patterns) == 0 || isShort(s) {
		return stateLine(s.State, text)
	}
	patterns := ""
	for shown := 1; shown <= len(s.Patterns); shown++ {
		list := strings.Join(s.Patterns[:shown], ", ")
		if shown < s.Count {
			list = c.in(textNamesAndMore, list, s.Count-shown)
		}
		if shown > 1 && language.Width(text)+2+language.Width(list) > c.room {
			break
		}
		patterns = list
	}
	return Line{Text: text + ": " + c.clip(patterns, c.room)}
}

// stateLine returns a line with the tone of a state.
func stateLine(state, text string) Line {
	switch state {
	case card.Open:
		return Line{Text: text, Tone: Good}
	case card.Closed:
		return Line{Text: text, Tone: Bad}
	}
	return Line{Text: text}
}

// state returns a state in words: with the exception if it is the only one, and is short.
func (c *writer) state(s card.Says) string {
	switch {
	case s.State == card.OpenExcept && isShort(s):
		return c.in(textOpenExceptOne, s.Patterns[0])
	case s.State == card.ClosedExcept && isShort(s):
		return c.in(textClosedExceptOne, s.Patterns[0])
	case s.State == card.Open:
		return c.in(textOpenState)
	case s.State == card.Closed:
		return c.in(textClosedState)
	case s.State == card.OpenExcept && s.AtMost:
		return c.in(textOpenExceptMost, s.Count)
	case s.State == card.OpenExcept:
		return c.in(textOpenExcept, s.Count)
	case s.State == card.ClosedExcept && s.AtMost:
		return c.in(textClosedExceptMost, s.Count)
	case s.State == card.ClosedExcept:
		return c.in(textClosedExcept, s.Count)
	}
	return c.in(textUndecidedState)
}

// isShort reports whether there is one exception, which is short enough to be shown each time.
func isShort(s card.Says) bool {
	return s.Count == 1 && len(s.Patterns) == 1 && language.Width(s.Patterns[0]) <= screen/4
}

// mistakes adds the mistakes.
func (c *writer) mistakes() {
	m := &c.Mistakes
	var parts []string
	if m.Errors > 0 {
		parts = append(parts, c.in(textCardErrors, m.Errors))
	}
	if m.Warnings > 0 {
		parts = append(parts, c.in(textCardWarnings, m.Warnings))
	}
	if len(parts) == 0 {
		c.add(textMistakes, Line{Text: c.in(textNoMistakes), Tone: Good})
		return
	}
	row := Row{Label: c.in(textMistakes), Lines: []Line{{Text: strings.Join(parts, ", ")}}}
	if m.Errors > 0 {
		row.Lines[0].Tone = Bad
	}
	told := 0
	for _, f := range m.Findings {
		if len(row.Beneath) == c.Findings {
			break
		}
		if told++; f.Message == c.NotRobots {
			continue // it is at the head
		}
		text := c.clip(c.in(textFindingLine, f.Line, f.Severity, f.Message), screen-2)
		row.Beneath = append(row.Beneath, Line{Text: text, At: f.Line})
	}
	if more := m.Errors + m.Warnings - told; more > 0 {
		command := "robots lint"
		for _, n := range c.Next {
			if strings.HasPrefix(n.Command, "robots lint") {
				command = strings.Replace(n.Command, " --fix", "", 1)
				break
			}
		}
		row.Beneath = append(row.Beneath, Line{Text: c.in(textMoreAt, more, command)})
	}
	c.sheet.Rows = append(c.sheet.Rows, row)
}

// readings returns lines with what search engines read otherwise.
func (c *writer) readings() (lines []Line) {
	if c.LostAt > 0 {
		lines = append(lines, Line{Text: c.in(textLostFrom, c.LostAt), Tone: Bad, At: c.LostAt})
	}
	for i, r := range c.Elsewhere {
		if len(lines) == readings {
			lines[len(lines)-1].Text += ", " + c.in(textAndMore, len(c.Elsewhere)-i)
			break
		}
		text := textMayNotFetch
		if r.Allowed {
			text = textMayFetch
		}
		line := Line{Text: c.in(text, r.Reader, c.clip(r.Agent, screen/5), c.clip(r.Path, screen/5)), At: r.Line}
		if r.Line > 0 {
			line.Text += " (" + c.in(textLine, r.Line) + ")"
		}
		lines = append(lines, line)
	}
	switch {
	case len(lines) > 0 || c.NotRobots != "":
	case c.Undecided:
		lines = append(lines, Line{Text: c.in(textNotAllFound)})
	default:
		lines = append(lines, Line{Text: c.in(textSameForAll)})
	}
	return lines
}

// names returns names: at most this many, and the number of the others.
func (c *writer) names(names []string, most int) string {
	if len(names) <= most+1 {
		return strings.Join(names, ", ")
	}
	return c.in(textNamesAndMore, strings.Join(names[:most], ", "), len(names)-most)
}

// widthBeside returns the number of columns of a screen beside the widest label.
func (c *writer) widthBeside() int {
	widest := 0
	for _, text := range append(slices.Collect(maps.Values(textPurposes)), textOtherNames, textAllOthers, textMistakes,
		textElsewhere, textSitemaps) {
		widest = max(widest, language.Width(c.in(text)))
	}
	return screen - widest - 2
}

// clip returns a text with at most this many columns, for a screen.
func (c *writer) clip(text string, most int) string {
	if !c.Screen || language.Width(text) <= most {
		return text
	}
	for language.Width(text) > most-1 {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text + "…"
}
