package monitor

import "time"

// An Event is what a look changed in the incidents of a site. It is sent to receivers as a whole, so that what belongs together is
// one message. Its JSON is stored, and is what webhooks send.
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
	Noted    Step = "noted"    // a change that is no incident
)

// Severity returns that of the most severe update. An incident that ended counts as it was.
func (e *Event) Severity() (most Severity) {
	for _, u := range e.Updates {
		most = max(most, u.Finding.Severity)
	}
	return most
}
