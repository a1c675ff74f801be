package say

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/ask"
	"github.com/robotsexclusion/robots/cmd/internal/inforce"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/language/matchtext"
	"github.com/robotsexclusion/robots/internal/printable"
)

var (
	textError         = language.New("error")
	textByGroup       = language.New("(group %[1]s)")
	textSum           = language.New("%[1]s: %[2]d of %[3]d robots may fetch %[4]s")
	textObeys         = language.New("the robot obeys the group of %[1]s")
	textThen          = language.New(", then ")
	textPage          = language.New("page: %[1]s")
	textNotRead       = language.New("not read: %[1]s")
	textNoPage        = language.New("so there is no page to index")
	textNoGroup       = language.New("no group is for this robot, nor for everyone (*)")
	textGroupAndPath  = language.New("group %[1]s, path %[2]s")
	textNoRuleMatches = language.New("no rule matches")
	textDecides       = language.New("decides")
	textDoesNotMatter = language.New("does not matter: %[1]s")
	textComesAfter    = language.New("comes after line %[1]d")
	textShorter       = language.New("%[1]d ⟨byte/bytes⟩, shorter than the %[2]d of line %[3]d")
	textAllowWins     = language.New("as long as line %[1]d, and allow wins")
	textSaysSame      = language.New("says the same as line %[1]d")
	textSame          = language.New("same")
	textDiffer        = language.New("differ")
	textAgentColumn   = language.New("agent")
	textVerdicts      = language.New("verdicts")
	textSameVerdicts  = language.New("the dialects give the same verdicts")
	textDifferIn      = language.New("the dialects differ in %[1]d of %[2]d verdicts")
	textNumberIsLine  = language.New("a number is the line that decides")
)

// Results writes a row for each result of package ask:
//
//	disallowed  /private/x  line 3: Disallow: /private/
//
// Results of several dialects have a column for each dialect. Results keeps some rows, to align
// their columns: call Flush or End after the last one.
type Results struct {
	Printer
	Dialects []robots.Dialect
	Named    bool // the robots have a column
	Why      bool // with the rules that match, and why they win or lose

	// People, if not nil, gets the source of each policy that comes from an origin, as a sentence
	// before the first result. A program that reads the rows finds nothing else among them.
	People io.Writer

	origin       string // of the last policy
	rows         *columns.Table
	asked, other int // results of several dialects, and those whose verdicts differ
}

// Table returns the table of the rows, for other rows after the results.
func (r *Results) Table() *columns.Table {
	if r.rows == nil {
		r.rows = r.table()
	}
	return r.rows
}

// Add adds a result. The error is that of the writer.
func (r *Results) Add(of *ask.Result) error {
	if err := r.source(of.Source); err != nil {
		return err
	}
	switch {
	case len(of.Answers) == 0:
		return r.addError(of)
	case len(r.Dialects) > 1:
		return r.addSideBySide(of)
	}
	e := &of.Answers[0]
	cells := []columns.Cell{r.verdict(e.Match, "")}
	if r.Named {
		cells = append(cells, columns.Text(printable.Shown(of.Robot.Name)))
	}
	cells = append(cells, columns.Text(printable.Shown(of.URL)),
		columns.Text(r.reason(e.Match)+r.group(of.Robot, e.Group)))
	var beneath []string
	if r.Why {
		beneath = r.explain(r.Dialects[0], e, "    ")
		if len(of.Robot.Tokens) > 1 || of.Robot.Alone {
			beneath = append(beneath, "    "+
				r.in(textObeys, printable.Text(strings.Join(of.Robot.Obeys(), r.in(textThen)))))
		}
	}
	beneath = append(beneath, r.dots(of)...)
	switch {
	case of.Page != nil:
		beneath = append(beneath, "    "+r.in(textPage, r.page(of)))
	case of.Err != nil:
		beneath = append(beneath, "    "+r.in(textPage,
			r.in(textNotRead, printable.Text(language.Explain(r.Language, of.Err)))))
	}
	return r.Table().Add(cells, beneath...)
}

// source writes the source of a policy that is not that of the last result. The rows before go
// out first, because a terminal shows both.
func (r *Results) source(s *ask.Source) error {
	if s == nil || s.Origin == r.origin || r.People == nil {
		return nil
	}
	r.origin = s.Origin
	if err := r.Flush(); err != nil {
		return err
	}
	if w, ok := r.W.(interface{ Flush() error }); ok {
		if err := w.Flush(); err != nil {
			return err
		}
	}
	sentence := ""
	if v, ok := s.Version.(*inforce.Version); ok {
		sentence = InForce(r.Language, v)
	} else {
		sentence = Fetched(r.Language, s.Fetched)
	}
	fmt.Fprintln(r.People, sentence) // the answers do not depend on it
	return nil
}

// group returns the name of the group that answered, if it is not that of the robot, in
// parentheses after a blank.
func (r *Results) group(of agent.Subject, group string) string {
	if group == "" || len(of.Tokens) > 0 && strings.EqualFold(group, of.Tokens[0]) {
		return ""
	}
	return " " + r.in(textByGroup, printable.Text(group))
}

// Sum adds, after the results of a URL, a line for each name that stands for several of the robots:
// how many may fetch it.
func (r *Results) Sum(found []*ask.Result) error {
	var lines []string
	var names []string
	for _, of := range found {
		for _, name := range of.Robot.Called {
			if slices.Contains(names, name) {
				continue
			}
			names = append(names, name)
			all, allowed := 0, 0
			for _, o := range found {
				if !slices.Contains(o.Robot.Called, name) {
					continue
				}
				if all++; !o.Refused() && o.Err == nil {
					allowed++
				}
			}
			if all > 1 {
				lines = append(lines, r.in(textSum, printable.Shown(name), allowed, all, printable.Shown(of.URL)))
			}
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return r.Table().Add(nil, lines...)
}

// addError adds a result without an answer.
func (r *Results) addError(of *ask.Result) error {
	cells := []columns.Cell{columns.Red(r.in(textError)), columns.Text(printable.Shown(of.URL))}
	if len(r.Dialects) > 1 {
		cells[0], cells[1] = cells[1], cells[0]
	}
	return r.Table().Add(append(cells, columns.Text(printable.Text(language.Explain(r.Language, of.Err)))))
}

// addSideBySide adds a result of several dialects, after a header if it is the first.
func (r *Results) addSideBySide(of *ask.Result) error {
	if r.asked == 0 {
		if err := r.Table().Add(r.header()); err != nil {
			return err
		}
	}
	r.asked++
	var cells []columns.Cell
	if r.Named {
		cells = append(cells, columns.Text(printable.Shown(of.Robot.Name)))
	}
	cells = append(cells, columns.Text(printable.Shown(of.URL)))
	var beneath []string
	for i := range of.Answers {
		e := &of.Answers[i]
		line := ""
		if e.Match.Reason == robots.DecidingRule {
			line = " " + strconv.Itoa(e.Match.Rule.Line)
		}
		cells = append(cells, r.verdict(e.Match, line))
		if r.Why {
			beneath = append(beneath, fmt.Sprintf("    %v: %s", r.Dialects[i], Match(r.Language, e.Match)))
			beneath = append(beneath, r.explain(r.Dialects[i], e, "        ")...)
		}
	}
	last := columns.Text(r.in(textSame))
	if of.Differ() {
		r.other++
		last = columns.Bold(r.in(textDiffer))
	}
	return r.Table().Add(append(cells, last), beneath...)
}

func (r *Results) header() (cells []columns.Cell) {
	if r.Named {
		cells = append(cells, columns.Bold(r.in(textAgentColumn)))
	}
	cells = append(cells, columns.Bold("url"))
	for _, d := range r.Dialects {
		cells = append(cells, columns.Bold(d.String()))
	}
	return append(cells, columns.Bold(r.in(textVerdicts)))
}

// Flush writes the rows that were added.
func (r *Results) Flush() error { return r.Table().Flush() }

// End writes the rows that were added, and for several dialects the totals.
func (r *Results) End() error {
	if err := r.Flush(); err != nil || r.asked == 0 {
		return err
	}
	text := r.in(textSameVerdicts)
	if r.other > 0 {
		text = r.in(textDifferIn, r.other, r.asked)
	}
	_, err := fmt.Fprintf(r.W, "%s; %s\n", text, r.in(textNumberIsLine))
	return err
}

// page returns the decision of the page of a result for the robot.
func (r *Results) page(of *ask.Result) string {
	p, v, code := of.Page, of.Verdict, r.Language.String()
	text := p.Sentence(code)
	switch {
	case !v.Fetch && p.Doc == nil && !p.Closed && p.Err != nil, v.Fetch && p.Err != nil, v.Fetch && v.Decision == nil:
		return text
	case v.Fetch && p.Missing():
		return text + ", " + r.in(textNoPage)
	case v.Fetch:
		return text + ", " + v.Decision.Sentence(code)
	case len(p.Redirects) > 0:
		return text + "; " + v.Sentence(code)
	}
	return v.Sentence(code)
}

// verdict returns the cell for yes or no, with a text behind.
func (p *Printer) verdict(m robots.Match, behind string) columns.Cell {
	if m.Allowed {
		return columns.Green(p.in(matchtext.Allowed) + behind)
	}
	return columns.Red(p.in(matchtext.Disallowed) + behind)
}

// reason returns the reason for the verdict.
func (p *Printer) reason(m robots.Match) string {
	if m.Reason == robots.DecidingRule {
		return p.in(textLineSays, m.Rule.Line, m.Rule.String())
	}
	return matchtext.Reason(p.Language, m.Reason.String())
}

// explain returns lines about the matching rules, if there is a robots.txt.
func (p *Printer) explain(d robots.Dialect, e *robots.Explanation, indent string) (lines []string) {
	if e.Match.Reason == robots.Unavailable || e.Match.Reason == robots.Unreachable {
		return nil
	}
	line := indent + p.in(textNoGroup)
	if e.Group != "" {
		line = indent + p.in(textGroupAndPath, printable.Shown(e.Group), printable.Shown(e.Path))
		if len(e.Candidates) == 0 {
			line += ": " + p.in(textNoRuleMatches)
		}
	}
	lines = append(lines, line)
	for i, c := range e.Candidates {
		lines = append(lines, indent+p.in(textLineSays, c.Rule.Line, c.Rule.String()+": "+p.outcome(d, e, i)))
	}
	return lines
}

// outcome returns why a matching rule decides or loses.
func (p *Printer) outcome(d robots.Dialect, e *robots.Explanation, i int) string {
	first, c := e.Candidates[0], e.Candidates[i]
	switch {
	case i == 0 && e.Match.Reason == robots.DecidingRule:
		return p.in(textDecides)
	case e.Match.Reason != robots.DecidingRule:
		return p.in(textDoesNotMatter, Match(p.Language, e.Match))
	case d.FirstMatch():
		return p.in(textComesAfter, first.Rule.Line)
	case c.Bytes < first.Bytes:
		return p.in(textShorter, c.Bytes, first.Bytes, first.Rule.Line)
	case c.Rule.Allow != first.Rule.Allow:
		return p.in(textAllowWins, first.Rule.Line)
	}
	return p.in(textSaysSame, first.Rule.Line)
}
