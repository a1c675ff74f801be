package monitor

import (
	"slices"
	"strings"
	"sync"
)

const (
	maxPast      = 500     // events that are kept after receivers have them
	maxPastBytes = 4 << 20 // of their JSON
)

// A past has the last events, the oldest first, whether receivers have them or not. It is safe for concurrent use.
type past struct {
	mu     sync.Mutex
	events []pastEvent
	bytes  int
}

// A pastEvent is an event with its number in the journal, or 0.
type pastEvent struct {
	number uint64
	event  Event
	size   int // of the JSON in bytes
}

// add adds the newest event, and drops the oldest ones if there are too many.
func (p *past) add(number uint64, e *Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	size := sizeOf(e)
	p.events = append(p.events, pastEvent{number, *e, size})
	p.bytes += size
	drop := 0
	for len(p.events)-drop > maxPast || p.bytes > maxPastBytes && drop < len(p.events)-1 {
		p.bytes -= p.events[drop].size
		drop++
	}
	p.events = slices.Delete(p.events, 0, drop)
}

// all returns the events with their numbers.
func (p *past) all() []pastEvent {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.events)
}

// Events returns up to limit of the last events, the newest first: those before the event with an id, or if the id is "" the last ones of all.
// Only events of sites whose origins contain a text count. It reports whether there are more. If there is no event with the id any more, there are
// none before it. Events may be called while Run runs.
//
// A Monitor keeps 500 events and 4 MiB at most. Those of a journal survive a restart; if instances share sites, each one
// keeps its own events, and loses them with its process.
func (m *Monitor) Events(before string, limit int, text string) (events []Event, more bool) {
	all := m.store.past().all()
	slices.Reverse(all)
	if before != "" {
		i := slices.IndexFunc(all, func(e pastEvent) bool { return e.event.ID == before })
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
