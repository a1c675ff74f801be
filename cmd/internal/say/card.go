package say

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/card"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/userfile"
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

// Limits of a card, which fits on a screen.
const (
	cardLines    = 24
	cardWidth    = 80 // columns
	cardReadings = 2
)

// A cardPrinter writes a report card.
type cardPrinter struct {
	*Printer
	*card.Card
	room     int // columns beside the widest label
	parts    int // that are shown of what a file says to the robots of a purpose
	findings int // that are shown
}

// Card writes a report card, for a screen of 24 lines: shorter if it would be longer, though a file
// that says something else to robots of each purpose needs some lines more.
func Card(p *Printer, of *card.Card) {
	var b bytes.Buffer
	c := &cardPrinter{Printer: &Printer{W: &b, Color: p.Color, Language: p.Language}, Card: of, parts: 3, findings: 3}
	c.room = c.widthBeside()
	c.write()
	if bytes.Count(b.Bytes(), []byte("\n")) > cardLines {
		b.Reset()
		c.parts, c.findings = 2, 1
		c.write()
	}
	p.W.Write(b.Bytes())
}

func (c *cardPrinter) write() {
	c.head()
	if a := c.Answer; a == nil || a.Copy || a.State == "ok" || a.State == "unavailable" {
		c.body()
	} // else nothing was read, and the head says what that means
	if len(c.Next) > 0 {
		next := c.table()
		next.Add([]columns.Cell{columns.Bold(c.in(textNext))})
		for _, n := range c.Next {
			next.Add([]columns.Cell{columns.Text("  " + n.Command), columns.Text(n.Does)})
		}
		next.Flush()
	}
}

// body writes what the file says.
func (c *cardPrinter) body() {
	t := c.table()
	add := func(label language.Text, lines ...columns.Cell) {
		for i, line := range lines {
			cells := []columns.Cell{columns.Text(""), line}
			if i == 0 {
				cells[0].Text = c.in(label)
			}
			t.Add(cells)
		}
	}
	for _, of := range c.Purposes {
		add(textPurposes[of.Purpose], c.saysTo(of.Says)...)
	}
	named := c.saysTo(c.Named)
	if c.NamedMore > 0 {
		named = append(named, columns.Text(c.in(textNotLookedAt, c.NamedMore)))
	}
	add(textOtherNames, named...)
	add(textAllOthers, c.everyone(c.Everyone))
	c.mistakes(t)
	add(textElsewhere, c.readings()...)
	sitemaps := c.in(textNoneNamed)
	if n := len(c.Sitemaps) + c.MoreMaps; n == 1 {
		sitemaps = clip(c.Sitemaps[0], c.room)
	} else if n > 1 {
		sitemaps = c.in(textNamesAndMore, clip(c.Sitemaps[0], c.room-12), n-1)
	}
	add(textSitemaps, columns.Text(sitemaps))
	t.Flush()
}

// head writes what the card is about, and how a server answered.
func (c *cardPrinter) head() {
	head, a := userfile.Called(c.Subject), c.Answer
	var parts []string
	between := ", "
	if a != nil {
		head += "/robots.txt"
		switch {
		case a.State == "ok" && a.ContentType != "":
			parts = append(parts, fmt.Sprintf("%d %s", a.Status, clip(a.ContentType, cardWidth/2)))
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
	t := c.table()
	t.Add([]columns.Cell{columns.Bold(head + ": " + strings.Join(parts, between))})
	if a != nil && len(a.Redirects) > 0 {
		t.Add(nil, "  "+c.in(textByRedirects, len(a.Redirects), a.URL))
	}
	if c.NotRobots != "" {
		t.Add([]columns.Cell{columns.Red(c.NotRobots)})
	}
	t.Flush()
}

// A cardPart is what a file says to some robots of a purpose, with its state in words.
type cardPart struct {
	card.Says
	phrase string
}

// states are the states in the order of parts: what is closed to somebody comes first.
var states = []string{card.Closed, card.ClosedExcept, card.Open, card.OpenExcept, card.Undecided}

// partsOf joins what is said in the same words: first the part for most robots, then the others.
func (c *cardPrinter) partsOf(says []card.Says) (parts []cardPart) {
	for _, s := range says {
		phrase := c.state(s)
		i := slices.IndexFunc(parts, func(part cardPart) bool { return part.phrase == phrase })
		if i < 0 {
			i = len(parts)
			parts = append(parts, cardPart{s, phrase})
			parts[i].Robots = nil
		}
		for _, name := range s.Robots {
			parts[i].Robots = append(parts[i].Robots, clip(name, c.room/2))
		}
	}
	bySize := func(a, b cardPart) int { return cmp.Compare(len(b.Robots), len(a.Robots)) }
	slices.SortStableFunc(parts, bySize)
	if len(parts) > 1 {
		slices.SortStableFunc(parts[1:], func(a, b cardPart) int {
			return cmp.Compare(slices.Index(states, a.State), slices.Index(states, b.State))
		})
	}
	return parts
}

// saysTo returns lines with what a file says to some robots: the same to all, or first to most of
// them, then to the others by their names.
func (c *cardPrinter) saysTo(says []card.Says) (lines []columns.Cell) {
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
		return []columns.Cell{c.stateCell(most.State, text)}
	}
	for i, part := range parts[1:] {
		if i+1 == c.parts {
			text += "; " + c.in(textAndMore, len(parts)-c.parts)
			break
		}
		more := c.names(part.Robots, 2) + ": " + part.phrase
		if language.Width(text)+2+language.Width(more) > c.room {
			lines = append(lines, columns.Text(text))
			text = more
		} else {
			text += "; " + more
		}
	}
	return append(lines, columns.Text(text))
}

// everyone returns a cell with what a file says to robots that it does not name, and the patterns
// that fit in.
func (c *cardPrinter) everyone(s card.Says) columns.Cell {
	text := c.state(s)
	if len(s.Patterns) == 0 || isShort(s) {
		return c.stateCell(s.State, text)
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
	return columns.Text(text + ": " + clip(patterns, c.room))
}

// stateCell returns a cell in the colour of a state.
func (c *cardPrinter) stateCell(state, text string) columns.Cell {
	switch state {
	case card.Open:
		return columns.Green(text)
	case card.Closed:
		return columns.Red(text)
	}
	return columns.Text(text)
}

// state returns a state in words: with the exception if it is the only one, and is short.
func (c *cardPrinter) state(s card.Says) string {
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
	return s.Count == 1 && len(s.Patterns) == 1 && language.Width(s.Patterns[0]) <= cardWidth/4
}

// mistakes adds the mistakes.
func (c *cardPrinter) mistakes(t *columns.Table) {
	m := &c.Mistakes
	label := columns.Text(c.in(textMistakes))
	var parts, lines []string
	if m.Errors > 0 {
		parts = append(parts, c.in(textCardErrors, m.Errors))
	}
	if m.Warnings > 0 {
		parts = append(parts, c.in(textCardWarnings, m.Warnings))
	}
	if len(parts) == 0 {
		t.Add([]columns.Cell{label, columns.Green(c.in(textNoMistakes))})
		return
	}
	told := 0
	for _, f := range m.Findings {
		if len(lines) == c.findings {
			break
		}
		if told++; f.Message == c.NotRobots {
			continue // it is at the head
		}
		lines = append(lines, clip("  "+c.in(textFindingLine, f.Line, f.Severity, f.Message), cardWidth))
	}
	if more := m.Errors + m.Warnings - told; more > 0 {
		command := "robots lint"
		for _, n := range c.Next {
			if strings.HasPrefix(n.Command, "robots lint") {
				command = strings.Replace(n.Command, " --fix", "", 1)
				break
			}
		}
		lines = append(lines, "  "+c.in(textMoreAt, more, command))
	}
	text := strings.Join(parts, ", ")
	cell := columns.Text(text)
	if m.Errors > 0 {
		cell = columns.Red(text)
	}
	t.Add([]columns.Cell{label, cell}, lines...)
}

// readings returns lines with what search engines read otherwise.
func (c *cardPrinter) readings() (lines []columns.Cell) {
	if c.LostAt > 0 {
		lines = append(lines, columns.Red(c.in(textLostFrom, c.LostAt)))
	}
	for i, r := range c.Elsewhere {
		if len(lines) == cardReadings {
			lines[len(lines)-1].Text += ", " + c.in(textAndMore, len(c.Elsewhere)-i)
			break
		}
		text := textMayNotFetch
		if r.Allowed {
			text = textMayFetch
		}
		line := c.in(text, r.Reader, clip(r.Agent, cardWidth/5), clip(r.Path, cardWidth/5))
		if r.Line > 0 {
			line += " (" + Line(c.Language, r.Line) + ")"
		}
		lines = append(lines, columns.Text(line))
	}
	switch {
	case len(lines) > 0 || c.NotRobots != "":
	case c.Undecided:
		lines = append(lines, columns.Text(c.in(textNotAllFound)))
	default:
		lines = append(lines, columns.Text(c.in(textSameForAll)))
	}
	return lines
}

// widthBeside returns the number of columns beside the widest label.
func (c *cardPrinter) widthBeside() int {
	widest := 0
	for _, text := range append(slices.Collect(maps.Values(textPurposes)), textOtherNames, textAllOthers, textMistakes,
		textElsewhere, textSitemaps) {
		widest = max(widest, language.Width(c.in(text)))
	}
	return cardWidth - widest - 2
}

// clip returns a text with at most this many columns.
func clip(text string, most int) string {
	if language.Width(text) <= most {
		return text
	}
	for language.Width(text) > most-1 {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text + "…"
}
