// Package notify has receivers of the events of package monitor: webhooks, chats, mail and a feed.
//
//	config.Subscriptions = []monitor.Subscription{
//		{Name: "ops", Receiver: &notify.Webhook{URL: "https://ops.example.com/robots", Secret: secret}},
//	}
//
// Strangers wrote a part of each event. No receiver of this package lets it become markup, a mention, a header or a control
// sequence.
package notify

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/monitor"
)

// maxLines is the maximum number of updates that a message for people has.
const maxLines = 20

// subject returns the event in a few words, such as "https://example.com: critical: closed-site". It is printable.
func subject(e *monitor.Event, l language.Language) string {
	var kinds []string
	for _, u := range e.Updates {
		if kind := string(u.Finding.Kind); len(kinds) < 5 && !strings.Contains(strings.Join(kinds, " "), kind) {
			kinds = append(kinds, kind)
		}
	}
	return printable.Clipped(e.Origin+": "+e.Severity().In(l.String())+": "+strings.Join(kinds, ", "), 200)
}

// lines returns a printable line for each update.
func lines(e *monitor.Event, l language.Language) (all []string) {
	for i, u := range e.Updates {
		if i == maxLines {
			return append(all, textMore.In(l, len(e.Updates)-maxLines))
		}
		all = append(all, u.Sentence(l.String()))
	}
	return all
}

var textMore = language.New("and %[1]d more", "y %[1]d más", "그 밖에 %[1]d건", "и ещё %[1]d")
