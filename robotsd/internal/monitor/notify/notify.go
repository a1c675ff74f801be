// Package notify has receivers of the messages of package monitor: webhooks, chats, mail and a
// feed.
//
//	config.Subscriptions = []monitor.Subscription{
//		{Name: "ops", Receiver: &notify.Webhook{URL: "https://ops.example.com/robots", Secret: secret}},
//	}
//
// Strangers wrote a part of each message. No receiver of this package lets it become markup, a
// mention, a header or a control sequence.
package notify

import (
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// maxLines is the maximum number of updates, or of sites, that a message for people has.
const maxLines = 20

// A text is a message for people. It is printable.
type text struct {
	subject string
	lines   []string               // maxLines at most
	more    func(shown int) string // says how many are not shown; empty if all are
}

// textOf returns a message as text. An event has a line for each update, and a message of several
// events a line for each of them.
func textOf(m *monitor.Message, l language.Language) *text {
	if len(m.Events) == 1 {
		return textOfEvent(&m.Events[0], l)
	}
	sites := m.Sites()
	t := &text{subject: subject(textSites.In(l, sites), m, l)}
	shown := make([]int, 1, maxLines+1) // the number of sites in the first lines
	seen := make(map[string]bool)
	for i := range m.Events[:min(len(m.Events), maxLines)] {
		e := &m.Events[i]
		line := printable.Clipped(e.Origin, 200) + ": " + e.Lead().Sentence(l.String())
		if len(e.Updates) > 1 {
			line += "; " + textMore.In(l, len(e.Updates)-1)
		}
		t.lines = append(t.lines, line)
		seen[e.Origin] = true
		shown = append(shown, len(seen))
	}
	t.more = func(n int) string {
		switch {
		case n == len(m.Events):
			return ""
		case shown[n] == sites:
			return textMoreEvents.In(l, len(m.Events)-n)
		}
		return textMoreSites.In(l, sites-shown[n])
	}
	return t
}

// textOfEvent returns an event as text.
func textOfEvent(e *monitor.Event, l language.Language) *text {
	t := &text{subject: subject(e.Origin, &monitor.Message{Events: []monitor.Event{*e}}, l)}
	for _, u := range e.Updates[:min(len(e.Updates), maxLines)] {
		t.lines = append(t.lines, u.Sentence(l.String()))
	}
	t.more = func(n int) string {
		if n == len(e.Updates) {
			return ""
		}
		return textMore.In(l, len(e.Updates)-n)
	}
	return t
}

// subject returns a message in a few words, such as "https://example.com: critical: closed-site",
// or "https://example.com: over: closed-site".
func subject(of string, m *monitor.Message, l language.Language) string {
	var kinds []string
	for _, e := range m.Events {
		for _, u := range e.Updates {
			if kind := string(u.Finding.Kind); len(kinds) < 5 && !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
		}
	}
	lead := m.Events[0].Lead()
	word := lead.Finding.Severity.In(l.String())
	if lead.Step == monitor.Ended || lead.Step == monitor.Accepted {
		word = lead.Step.In(l.String())
	}
	return printable.Clipped(of+": "+word+": "+strings.Join(kinds, ", "), 200)
}

// fit returns as many lines as there are in a number of characters, with the subject, and with a
// last line that says how many there are more.
func (t *text) fit(most int) []string {
	for n := len(t.lines); ; n-- {
		lines := slices.Clone(t.lines[:n])
		if more := t.more(n); more != "" {
			lines = append(lines, more)
		}
		if n <= 1 || utf8.RuneCountInString(joined(t.subject, lines)) <= most {
			return lines
		}
	}
}

// latest returns the time of the last event.
func latest(m *monitor.Message) (t time.Time) {
	for i := range m.Events {
		if at := m.Events[i].Time; at.After(t) {
			t = at
		}
	}
	return t
}

// all returns all lines.
func (t *text) all() []string { return t.fit(math.MaxInt) }

var (
	textMore  = language.InContext("cases", "and %[1]d more")
	textSites = language.New("%[1]d sites")

	textMoreSites  = language.New("and %[1]d more sites: the output of robots monitor has all of them")
	textMoreEvents = language.New("and %[1]d more events of these sites: the output of robots monitor has all of them")
)
