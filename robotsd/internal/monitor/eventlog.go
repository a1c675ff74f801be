package monitor

import (
	"slices"
	"strings"
	"sync"
)

const (
	maxLogged      = 500     // events that are kept after receivers have them
	maxLoggedBytes = 4 << 20 // of their JSON
)

// An eventLog has the last events, the oldest first, whether receivers have them or not. It is safe
// for concurrent use.
type eventLog struct {
	mu     sync.Mutex
	events []loggedEvent
	bytes  int
}

// A loggedEvent is an event with its number in the journal, or 0.
type loggedEvent struct {
	number uint64
	event  Event
	size   int // of the JSON in bytes
}

// add adds the newest event, and drops the oldest ones if there are too many.
func (l *eventLog) add(number uint64, e *Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	size := sizeOf(e)
	l.events = append(l.events, loggedEvent{number, *e, size})
	l.bytes += size
	drop := 0
	for len(l.events)-drop > maxLogged || l.bytes > maxLoggedBytes && drop < len(l.events)-1 {
		l.bytes -= l.events[drop].size
		drop++
	}
	l.events = slices.Delete(l.events, 0, drop)
}

// all returns the events with their numbers.
func (l *eventLog) all() []loggedEvent {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.events)
}

// Events returns up to limit of the last events, the newest first: those before the event with an
// id, or if the id is "" the last ones of all. Only events of sites whose origins contain a text
// count. It reports whether there are more. If there is no event with the id any more, there are
// none before it. Events may be called while Run runs.
//
// A Monitor keeps 500 events and 4 MiB at most. Those of a journal survive a restart; if instances
// share sites, each one keeps its own events, and loses them with its process.
func (m *Monitor) Events(before string, limit int, text string) (events []Event, more bool) {
	all := m.store.log().all()
	slices.Reverse(all)
	if before != "" {
		i := slices.IndexFunc(all, func(e loggedEvent) bool { return e.event.ID == before })
		if i < 0 {
			return nil, false
		}
		all = all[i+1:]
	}
	text = strings.ToLower(text)
	for i := range all {
		if !strings.Contains(all[i].event.Origin, text) {
			continue
		}
		if len(events) >= limit {
			return events, true
		}
		events = append(events, all[i].event)
	}
	return events, false
}
