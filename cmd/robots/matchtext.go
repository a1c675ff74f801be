package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/inquire"
	"github.com/robotsexclusion/robots/internal/columns"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// textResults writes a line for each result:
//
//	disallowed  /private/x  line 3: Disallow: /private/
type textResults struct {
	table   *columns.Table
	named   bool // the robots have a column
	why     bool
	dialect robots.Dialect
	lang    language.Language

	origin origins
}

func (w *textResults) result(r *inquire.Result) error {
	if err := w.origin.tell(w.table, r, w.lang); err != nil {
		return err
	}
	if len(r.Answers) == 0 {
		return w.table.Add([]columns.Cell{columns.Red(textError.In(w.lang)), columns.Text(shown(r.URL)), columns.Text(printable.Text(language.Explain(w.lang, r.Err)))})
	}
	e := &r.Answers[0]
	cells := []columns.Cell{verdict(w.lang, e.Match)}
	if w.named {
		cells = append(cells, columns.Text(shown(r.Robot.Name)))
	}
	cells = append(cells, columns.Text(shown(r.URL)), columns.Text(reason(w.lang, e.Match)))
	var beneath []string
	if w.why {
		beneath = explain(w.lang, w.dialect, e, "    ")
		if len(r.Robot.Tokens) > 1 || r.Robot.Alone {
			beneath = append(beneath, "    "+textObeys.In(w.lang, printable.Text(strings.Join(r.Robot.Obeys(), textThen.In(w.lang)))))
		}
	}
	switch {
	case r.Page != nil:
		beneath = append(beneath, "    "+textPage.In(w.lang, sayPageResult(w.lang, r)))
	case r.Err != nil:
		beneath = append(beneath, "    "+textPage.In(w.lang, textNotRead.In(w.lang, printable.Text(language.Explain(w.lang, r.Err)))))
	}
	return w.table.Add(cells, beneath...)
}

// origins shows people the outcome of fetching each policy. It writes to standard error, so
// that a program that reads the answers finds nothing else among them.
type origins struct {
	answers *bufio.Writer // the table writes to it
	people  io.Writer
	last    string
}

// tell writes the outcome of fetching the policy of a result, unless the result before has the
// same policy. It flushes the answers before, because a terminal shows both.
func (o *origins) tell(t *columns.Table, r *inquire.Result, l language.Language) error {
	if r.Source == nil || r.Source.Origin == o.last {
		return nil
	}
	o.last = r.Source.Origin
	if err := t.Flush(); err != nil {
		return err
	}
	if err := o.answers.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(o.people, saySourceOf(l, r.Source))
	return nil
}

// sayPageResult returns the directives of the page for the robot.
func sayPageResult(l language.Language, r *inquire.Result) string {
	p, v := r.Page, r.Verdict
	text := p.Sentence(l.String())
	switch {
	case !v.Fetch && p.Doc == nil && !p.Closed && p.Err != nil, v.Fetch && p.Err != nil, v.Fetch && v.Decision == nil:
		return text
	case v.Fetch && p.Missing():
		return text + ", " + textNoPage.In(l)
	case v.Fetch:
		return text + ", " + v.Decision.Sentence(l.String())
	case len(p.Redirects) > 0:
		return text + "; " + v.Sentence(l.String())
	}
	return v.Sentence(l.String())
}

func (w *textResults) records(list *recordList) error {
	if err := w.table.Flush(); err != nil {
		return err
	}
	return list.write(w.table, w.lang)
}

func (w *textResults) end(error) error { return w.table.Flush() }

// verdict returns the cell for yes or no.
func verdict(l language.Language, m robots.Match) columns.Cell {
	if m.Allowed {
		return columns.Green(textAllowed.In(l))
	}
	return columns.Red(textDisallowed.In(l))
}

// reason returns the reason for the verdict.
func reason(l language.Language, m robots.Match) string {
	if m.Reason == robots.DecidingRule {
		return textLineSays.In(l, m.Rule.Line, m.Rule.String())
	}
	return sayReason(l, m.Reason)
}

// explain returns lines about the matching rules, if there is a robots.txt.
func explain(l language.Language, d robots.Dialect, e *robots.Explanation, indent string) (lines []string) {
	if e.Match.Reason == robots.Unavailable || e.Match.Reason == robots.Unreachable {
		return nil
	}
	line := indent + textNoGroup.In(l)
	if e.Group != "" {
		line = indent + textGroupAndPath.In(l, shown(e.Group), shown(e.Path))
		if len(e.Candidates) == 0 {
			line += ": " + textNoRuleMatches.In(l)
		}
	}
	lines = append(lines, line)
	for i, c := range e.Candidates {
		lines = append(lines, indent+textLineSays.In(l, c.Rule.Line, c.Rule.String()+": "+sayOutcome(l, d, e, i)))
	}
	return lines
}

// sayOutcome returns why a matching rule decides or loses.
func sayOutcome(l language.Language, d robots.Dialect, e *robots.Explanation, i int) string {
	first, c := e.Candidates[0], e.Candidates[i]
	switch {
	case l == language.English:
		return c.Outcome
	case i == 0 && e.Match.Reason == robots.DecidingRule:
		return textDecides.In(l)
	case e.Match.Reason != robots.DecidingRule:
		return textDoesNotMatter.In(l, sayMatch(l, e.Match))
	case d.FirstMatch():
		return textComesAfter.In(l, first.Rule.Line)
	case c.Octets < first.Octets:
		return textShorter.In(l, c.Octets, first.Octets, first.Rule.Line)
	case c.Rule.Allow != first.Rule.Allow:
		return textAllowWins.In(l, first.Rule.Line)
	}
	return textSaysSame.In(l, first.Rule.Line)
}

// sideBySide writes a table with a column for each dialect.
type sideBySide struct {
	table    *columns.Table
	dialects []robots.Dialect
	named    bool
	why      bool
	lang     language.Language

	origin          origins
	results, differ int
}

func (w *sideBySide) result(r *inquire.Result) error {
	if err := w.origin.tell(w.table, r, w.lang); err != nil {
		return err
	}
	if len(r.Answers) == 0 {
		return w.table.Add([]columns.Cell{columns.Text(shown(r.URL)), columns.Red(textError.In(w.lang)), columns.Text(printable.Text(language.Explain(w.lang, r.Err)))})
	}
	if w.results == 0 {
		if err := w.table.Add(w.header()); err != nil {
			return err
		}
	}
	w.results++
	var cells []columns.Cell
	if w.named {
		cells = append(cells, columns.Text(shown(r.Robot.Name)))
	}
	cells = append(cells, columns.Text(shown(r.URL)))
	var beneath []string
	for i := range r.Answers {
		e := &r.Answers[i]
		c := verdict(w.lang, e.Match)
		if e.Match.Reason == robots.DecidingRule {
			c.Text += fmt.Sprintf(" %d", e.Match.Rule.Line)
		}
		cells = append(cells, c)
		if w.why {
			beneath = append(beneath, fmt.Sprintf("    %v: %s", w.dialects[i], sayMatch(w.lang, e.Match)))
			beneath = append(beneath, explain(w.lang, w.dialects[i], e, "        ")...)
		}
	}
	last := columns.Text(textSame.In(w.lang))
	if r.Differ() {
		w.differ++
		last = columns.Bold(textDiffer.In(w.lang))
	}
	return w.table.Add(append(cells, last), beneath...)
}

func (w *sideBySide) header() []columns.Cell {
	var cells []columns.Cell
	if w.named {
		cells = append(cells, columns.Bold(textAgentColumn.In(w.lang)))
	}
	cells = append(cells, columns.Bold("url"))
	for _, d := range w.dialects {
		cells = append(cells, columns.Bold(d.String()))
	}
	return append(cells, columns.Bold(textVerdicts.In(w.lang)))
}

// records is never called: --records excludes several dialects.
func (w *sideBySide) records(*recordList) error { return nil }

// end writes the totals.
func (w *sideBySide) end(err error) error {
	if flushErr := w.table.Flush(); err != nil || flushErr != nil || w.results == 0 {
		return flushErr
	}
	text := textSameVerdicts.In(w.lang)
	if w.differ > 0 {
		text = textDifferIn.In(w.lang, w.differ, w.results)
	}
	_, err = fmt.Fprintf(w.table.W, "%s; %s\n", text, textNumberIsLine.In(w.lang))
	return err
}
