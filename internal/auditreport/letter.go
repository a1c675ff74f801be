package auditreport

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Letter is a letter to the operator of a robot: what the robot did, and what the sender
// asks. It says no more than the report proves.
type Letter struct {
	Language language.Language
	Report   *audit.Report
	Robot    *audit.Robot
}

// Find returns the robot with a token, or a program if no robot has it, or nil.
func Find(r *audit.Report, token string) (found *audit.Robot) {
	for i := range r.Robots {
		robot := &r.Robots[i]
		if strings.EqualFold(robot.Token, token) && (found == nil || isJudged(robot)) {
			found = robot
		}
	}
	return found
}

const (
	letterWidth = 72 // columns of text
	nameSize    = 64 // bytes of a name within text
)

// Write writes the letter as plain text, without the date and the name of the sender.
func (t *Letter) Write(w io.Writer) error {
	p := &letterWriter{Letter: t}
	p.head()
	p.deeds()
	p.requests()
	_, err := io.WriteString(w, p.b.String())
	return err
}

// A letterWriter writes a letter.
type letterWriter struct {
	*Letter
	b strings.Builder
}

func (p *letterWriter) in(text language.Text, args ...any) string {
	return text.In(p.Language, args...)
}

// say writes a paragraph, wrapped.
func (p *letterWriter) say(text language.Text, args ...any) { p.wrap(p.in(text, args...)) }

func (p *letterWriter) wrap(text string) {
	used := 0
	for word := range strings.SplitSeq(text, " ") { // no-break spaces join words
		n := language.Width(word)
		switch {
		case n == 0:
			continue
		case used > 0 && used+1+n > letterWidth:
			p.b.WriteString("\n")
			used = 0
		case used > 0:
			p.b.WriteString(" ")
			used++
		}
		p.b.WriteString(word)
		used += n
	}
	p.b.WriteString("\n")
}

// title begins a part of the letter.
func (p *letterWriter) title(text language.Text) {
	title := p.in(text)
	fmt.Fprintf(&p.b, "\n%s\n%s\n", title, strings.Repeat("-", language.Width(title)))
}

func (p *letterWriter) token() string { return printable.Clipped(p.Robot.Token, nameSize) }

func (p *letterWriter) number(n int64) string { return number(p.Language, n) }

// disallowed returns the number of all disallowed requests.
func (p *letterWriter) disallowed() int64 {
	v := p.Robot.Violations
	return v.Certain + v.Informed + v.Grace
}

func (p *letterWriter) head() {
	p.say(letterSubject, p.token())
	p.b.WriteString("\n")
	if p.Robot.Operator == "" {
		p.say(letterTo, p.token())
	} else {
		p.say(letterToOperator, p.token(), printable.Clipped(p.Robot.Operator, nameSize))
	}
	if p.Robot.Requests > 0 {
		p.b.WriteString("\n")
		p.say(letterIntro, int(p.Robot.Requests), p.token(), period(p.Robot.First, p.Robot.Last))
	}
}

// deeds says what the robot did, and how sure that is.
func (p *letterWriter) deeds() {
	v := p.Robot.Violations
	judged := isJudged(p.Robot) && slices.ContainsFunc(p.Report.Hosts, func(h audit.Host) bool { return h.Judged })
	p.title(letterDeeds)
	switch {
	case v.Certain > 0:
		p.say(letterCertain, int(v.Certain), p.periodOfCertain())
	case !judged:
		p.say(letterNotJudged)
	default:
		p.say(letterNoneCertain)
	}
	switch {
	case v.Informed+v.Grace > 0:
		p.say(letterUncertain, p.number(v.Informed), p.number(v.Grace))
	case judged && p.disallowed() == 0:
		p.say(letterNoneDisallowed)
	}
	if p.Robot.Requests > 0 {
		p.say(letterRefused, p.number(p.Robot.Refused), p.number(p.Robot.Requests))
	}
	if p.disallowed() > 0 && (p.Robot.Obeys == "no" || p.Robot.Obeys == "partly") {
		p.say(letterObeysNot)
	}
}

// periodOfCertain returns the times of the first and the last certain violation.
func (p *letterWriter) periodOfCertain() string {
	var first, last time.Time
	for _, rule := range p.Robot.Violations.Rules {
		if rule.Certain == 0 {
			continue
		}
		if first.IsZero() || rule.First.Before(first) {
			first = rule.First
		}
		if rule.Last.After(last) {
			last = rule.Last
		}
	}
	return period(first, last)
}

// requests says what the sender asks the operator to do.
func (p *letterWriter) requests() {
	p.title(letterAsk)
	if p.Robot.Identity.Unverifiable > 0 {
		p.say(letterAskIdentity)
	}
	switch {
	case p.Robot.Violations.Certain > 0:
		p.say(letterAskObey)
	case p.disallowed() > 0:
		p.say(letterAskCheck)
	}
	p.say(letterAskErrors)
}
