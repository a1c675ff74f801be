package monitor

import "time"

// A Message is sent to a receiver as a whole: the events of sites with the same news, or one event.
// News are the same if the leading updates have the same step, kind and severity. A Message is not
// modified.
type Message struct {
	ID     string  // the same if the message is sent again; that of the event if there is one only
	Events []Event // the oldest first; those of one site in their order
}

// Sites returns the number of sites that the events are about.
func (m *Message) Sites() int {
	origins := make(map[string]bool)
	for i := range m.Events {
		origins[m.Events[i].Origin] = true
	}
	return len(origins)
}

// An Event is what a look changed in the incidents of a site. It is sent to receivers as a whole.
// Its JSON is stored, and is what webhooks send.
type Event struct {
	ID      string    `json:"id"` // the same if the event is sent again
	Origin  string    `json:"origin"`
	Time    time.Time `json:"time"` // of the look
	Updates []Update  `json:"updates"`
}

// An Update is a step of one incident.
type Update struct {
	Step    Step      `json:"step"`
	Began   time.Time `json:"began,omitzero"` // when the incident was first seen
	Finding Finding   `json:"finding"`
}

// A Step says what happened to an incident.
type Step string

// The steps. Stored, and sent to receivers: never change a word.
const (
	Begun    Step = "begun"
	Changed  Step = "changed"  // it goes on, with another severity or content
	Ended    Step = "ended"    // the site is as before
	Accepted Step = "accepted" // the change stayed, and is the normal state now
	Flapping Step = "flapping" // it begins and ends too often to report each time
	Noted    Step = "noted"    // a change that is not an incident
)

// Severity returns that of the most severe update. An incident that ended counts as it was.
func (e *Event) Severity() Severity { return e.Lead().Finding.Severity }

// Lead returns the leading update: the first one of the most severe. Events with no update have an
// empty one.
func (e *Event) Lead() (lead Update) {
	for _, u := range e.Updates {
		if u.Finding.Severity > lead.Finding.Severity {
			lead = u
		}
	}
	return lead
}
