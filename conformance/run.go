package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// An Asker is what is put to the vectors. [Program] is one.
type Asker interface {
	// Ask returns the answers in the order of the questions. Where it has
	// fewer, the error says why, and it is an [ErrNotAsked] if no question
	// could be put at all. An error beside all answers says what else went
	// wrong.
	Ask(ctx context.Context, questions []Question) ([]Answer, error)
}

// ErrNotAsked tells that an [Asker] could not be put to anything, such as a
// program that cannot be started.
var ErrNotAsked = errors.New("could not be asked")

// A Report tells how far the answers agree with the vectors.
type Report struct {
	Profiles []Agreement `json:"profiles"`

	// Trouble says what ended the answers early, or what else was wrong
	// with them as a whole. It is empty where nothing was.
	Trouble string `json:"trouble,omitempty"`
}

// Missed reports whether there is anything but agreement. The lines that
// decide count too if lines is set.
func (r *Report) Missed(lines bool) bool {
	return r.Trouble != "" || slices.ContainsFunc(r.Profiles, func(a Agreement) bool {
		return len(a.Misses) > 0 || lines && len(a.WrongLines) > 0
	})
}

// An Agreement is the part of a [Report] for one profile. It is the verdict,
// allowed or not, that agrees or does not.
type Agreement struct {
	Profile    string `json:"profile"`
	Asks       int    `json:"asks"`
	Agreed     int    `json:"agreed"`
	Errors     int    `json:"errors"`     // answers without a verdict
	Unanswered int    `json:"unanswered"` // asks without an answer

	Misses []Miss `json:"misses"` // one for each ask that did not agree

	// WrongLines are right verdicts with a wrong line. An answer without a
	// line is right, unless it gives a reason for which no line can decide.
	WrongLines []Miss `json:"wrong_lines"`
}

// A Miss is an ask with an answer other than expected.
type Miss struct {
	Case  string `json:"case"` // its ID, such as "rfc9309/2.2.2/longest-match"
	Agent string `json:"agent"`
	URL   string `json:"url"`

	Want Verdict  `json:"want"`
	Got  *Verdict `json:"got,omitempty"` // nil where there is none

	// Error says why there is no verdict. It is empty for asks that came
	// after the one where the answers ended.
	Error string `json:"error,omitempty"`
}

// A Verdict is an answer, cut to what vectors tell.
type Verdict struct {
	Allowed bool `json:"allowed"`
	Line    int  `json:"line,omitempty"` // 0 where no rule decides, or none is told
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

// Run puts asker to all asks of sections, each in the dialect of its profile,
// and compares. Whatever the asker does is in the report; the error tells that
// it could not be asked, or that ctx was done.
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

// A posed is an ask with where it stands.
type posed struct {
	*Ask
	section *Section
	of      *Case
}

// asks returns all asks of sections in their order.
func asks(sections []Section) func(yield func(posed) bool) {
	return func(yield func(posed) bool) {
		for i := range sections {
			s := &sections[i]
			for j := range s.Cases {
				c := &s.Cases[j]
				for k := range c.Asks {
					if !yield(posed{&c.Asks[k], s, c}) {
						return
					}
				}
			}
		}
	}
}

// compare makes the report. There may be fewer answers than asks, or more;
// trouble says why.
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
			report.Profiles = append(report.Profiles, Agreement{Profile: profile, Misses: []Miss{}, WrongLines: []Miss{}})
		}
		a := &report.Profiles[i]
		a.Asks++
		if n < len(answers) {
			a.add(ask, &answers[n])
		} else {
			a.Unanswered++
			a.Misses = append(a.Misses, ask.miss(nil, reason))
			reason = "" // is told once
		}
		n++
	}
	return report
}

// add counts an answer.
func (a *Agreement) add(ask posed, answer *Answer) {
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

func (p posed) miss(got *Verdict, reason string) Miss {
	return Miss{
		Case: p.section.ID(p.of), Agent: p.Agent, URL: p.URL,
		Want: Verdict{p.Allowed, p.Line}, Got: got, Error: reason,
	}
}
