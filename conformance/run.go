package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// An Asker answers the vectors. [Program] is one.
type Asker interface {
	// Ask returns the answers in the order of the questions. If answers are missing, the error says
	// why; it is an [ErrNotAsked] if no question could be asked at all. An error with all answers
	// reports another fault.
	Ask(ctx context.Context, questions []Question) ([]Answer, error)
}

// ErrNotAsked means that an [Asker] could not be asked anything, such as a program that cannot be
// started.
var ErrNotAsked = errors.New("could not be asked")

// A Report is how far the answers agree with the vectors.
type Report struct {
	Profiles []Agreement `json:"profiles"`

	// Trouble says why the answers ended early, or what else was wrong with them as a whole. It is
	// empty if nothing was.
	Trouble string `json:"trouble,omitempty"`
}

// Missed reports whether any answer disagrees. If lines is set, the deciding lines count too.
func (r *Report) Missed(lines bool) bool {
	return r.Trouble != "" || slices.ContainsFunc(r.Profiles, func(a Agreement) bool {
		return len(a.Misses) > 0 || lines && len(a.WrongLines) > 0
	})
}

// An Agreement is the part of a [Report] for one profile. An answer agrees by its verdict, allowed
// or not.
type Agreement struct {
	Profile    string `json:"profile"`
	Asks       int    `json:"asks"`
	Agreed     int    `json:"agreed"`
	Errors     int    `json:"errors"`     // answers without a verdict
	Unanswered int    `json:"unanswered"` // asks without an answer

	Misses []Miss `json:"misses"` // one for each ask that disagrees

	// WrongLines are right verdicts with a wrong line. An answer without a line is right, unless it
	// gives a reason for which no line can decide.
	WrongLines []Miss `json:"wrong_lines"`
}

// A Miss is an ask with an answer other than expected.
type Miss struct {
	Case  string `json:"case"` // its ID, such as "rfc9309/2.2.2/longest-match"
	Agent string `json:"agent"`
	URL   string `json:"url"`

	Want Verdict  `json:"want"`
	Got  *Verdict `json:"got,omitempty"` // nil if there is none

	// Error says why there is no verdict. It is empty for asks after the one at which the answers
	// ended.
	Error string `json:"error,omitempty"`
}

// A Verdict is an answer, reduced to the members in the vectors.
type Verdict struct {
	Allowed bool `json:"allowed"`
	Line    int  `json:"line,omitempty"` // 0 if no rule decides, or the answer has no line
}

// String returns the verdict as text, such as "disallowed by line 3".
func (v Verdict) String() string {
	text := "disallowed"
	if v.Allowed {
		text = "allowed"
	}
	if v.Line != 0 {
		text += " by line " + strconv.Itoa(v.Line)
	}
	return text
}

// Run asks asker all asks of sections, each in the dialect of its profile, and compares the
// answers. The report has all faults of the asker; Run returns an error only if the asker could not
// be asked, or if ctx is done.
func Run(ctx context.Context, asker Asker, sections []Section) (Report, error) {
	var questions []Question
	for ask := range asks(sections) {
		q := Question{
			ID:      strconv.AppendInt(nil, int64(len(questions)+1), 10),
			Agent:   ask.Agent,
			URL:     ask.URL,
			Dialect: ask.section.Profile,
		}
		if len(ask.of.RobotsBase64) > 0 {
			q.RobotsBase64 = ask.of.RobotsBase64
		} else {
			q.Robots = &ask.of.Robots
		}
		questions = append(questions, q)
	}
	answers, err := asker.Ask(ctx, questions)
	if ctx.Err() != nil {
		return Report{}, fmt.Errorf("put %d questions: %w", len(questions), context.Cause(ctx))
	}
	if errors.Is(err, ErrNotAsked) {
		return Report{}, err
	}
	return compare(sections, answers, err), nil
}

// A vectorAsk is an ask with its place in the vectors.
type vectorAsk struct {
	*Ask
	section *Section
	of      *Case
}

// asks returns all asks of sections in their order.
func asks(sections []Section) func(yield func(vectorAsk) bool) {
	return func(yield func(vectorAsk) bool) {
		for i := range sections {
			s := &sections[i]
			for j := range s.Cases {
				c := &s.Cases[j]
				for k := range c.Asks {
					if !yield(vectorAsk{&c.Asks[k], s, c}) {
						return
					}
				}
			}
		}
	}
}

// compare makes the report. There may be fewer answers than asks, or more; trouble says why.
func compare(sections []Section, answers []Answer, trouble error) Report {
	report := Report{Profiles: []Agreement{}}
	reason := "there is no answer"
	if trouble != nil {
		report.Trouble = trouble.Error()
		reason = report.Trouble
	}
	place := make(map[string]int)
	n := 0
	for ask := range asks(sections) {
		profile := ask.section.Profile
		i, ok := place[profile]
		if !ok {
			i = len(report.Profiles)
			place[profile] = i
			report.Profiles = append(report.Profiles, Agreement{Profile: profile, Misses: []Miss{},
				WrongLines: []Miss{}})
		}
		a := &report.Profiles[i]
		a.Asks++
		if n < len(answers) {
			a.add(ask, &answers[n])
		} else {
			a.Unanswered++
			a.Misses = append(a.Misses, ask.miss(nil, reason))
			reason = "" // reported once
		}
		n++
	}
	return report
}

// add counts an answer.
func (a *Agreement) add(ask vectorAsk, answer *Answer) {
	if answer.Allowed == nil || answer.Error != "" {
		a.Errors++
		a.Misses = append(a.Misses, ask.miss(nil, answer.Error))
		return
	}
	got := &Verdict{*answer.Allowed, answer.Line}
	if got.Allowed != ask.Allowed {
		a.Misses = append(a.Misses, ask.miss(got, ""))
		return
	}
	a.Agreed++
	told := answer.Line != 0 || answer.Reason != "" && answer.Reason != "rule"
	if told && answer.Line != ask.Line {
		a.WrongLines = append(a.WrongLines, ask.miss(got, ""))
	}
}

func (p vectorAsk) miss(got *Verdict, reason string) Miss {
	return Miss{
		Case: p.section.id(p.of), Agent: p.Agent, URL: p.URL,
		Want: Verdict{p.Allowed, p.Line}, Got: got, Error: reason,
	}
}
