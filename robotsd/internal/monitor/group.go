package monitor

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"time"
)

// A news is the same for events of several sites that are one message.
type news struct {
	severity Severity
	step     Step
	kind     Kind
}

const (
	usualWait     = 30 * time.Second // for the same news of other sites
	pauseFactor   = 10               // between two messages with the same news pass so many waits
	maxGroup      = 500              // events of a message
	maxGroupBytes = 256 << 10        // of their JSON, unless there is one event only
)

func newsOf(e *Event) news {
	lead := e.Lead()
	return news{lead.Finding.Severity, lead.Step, lead.Finding.Kind}
}

// sizeOf returns the length of an event's JSON in bytes.
func sizeOf(e *Event) int {
	data, err := json.Marshal(e)
	if err != nil {
		return maxGroupBytes
	}
	return len(data)
}

// messageID returns the id of the message of some events.
func messageID(numbers []uint64, events map[uint64]*owedEvent) string {
	if len(numbers) == 1 {
		return events[numbers[0]].event.ID
	}
	h := sha256.New()
	for _, number := range numbers {
		io.WriteString(h, events[number].event.ID+"\n")
	}
	return "group-" + hex.EncodeToString(h.Sum(nil)[:12])
}

// A grouper makes messages of the events for one receiver.
type grouper struct {
	wait time.Duration      // for the same news of other sites
	told map[news]time.Time // when the last message with the news was sent
}

// choose is a chooser. Events with the same news are one message, when the oldest of them is due.
// An event comes after all earlier events of its site.
func (g *grouper) choose(waiting []*owedEvent, now time.Time) (numbers []uint64, wait time.Duration) {
	next := make(map[string]news)   // by origin, the news of the first events
	closed := make(map[string]bool) // origins with other news after these: their later events must wait
	due := make(map[news]time.Time)
	var free []*owedEvent // that do not come after other news of their site
	for _, e := range waiting {
		if e.since.After(now) {
			e.since = now // the clock was set back
		}
		first, ok := next[e.event.Origin]
		switch {
		case !ok:
			next[e.event.Origin] = e.news
		case closed[e.event.Origin]:
			continue
		case first != e.news:
			closed[e.event.Origin] = true
			continue
		}
		free = append(free, e)
		if at, ok := due[e.news]; !ok || g.due(e).Before(at) {
			due[e.news] = g.due(e)
		}
	}
	best, found, wait := news{}, false, never
	for _, e := range free { // the order of a map is by chance
		at := due[e.news]
		switch {
		case at.After(now):
			wait = min(wait, at.Sub(now))
		case !found || e.news.severity > best.severity:
			best, found = e.news, true
		}
	}
	if !found {
		return nil, wait
	}
	size := 0
	for _, e := range free {
		if e.news != best {
			continue
		}
		size += e.size
		if len(numbers) == maxGroup || len(numbers) > 0 && size > maxGroupBytes {
			break
		}
		numbers = append(numbers, e.number)
	}
	return numbers, 0
}

// due returns when an event is to be sent: after the wait, and if the same news were sent a short
// time ago, after a pause. So it is never late by more than the pause.
func (g *grouper) due(e *owedEvent) time.Time {
	pause := pauseFactor * g.wait
	at := e.since.Add(g.wait)
	if told, ok := g.told[e.news]; ok {
		at = later(at, told.Add(pause))
	}
	if latest := e.since.Add(pause); at.After(latest) {
		at = latest
	}
	return at
}

// sent notes that a message was sent.
func (g *grouper) sent(m *Message, now time.Time) { g.told[newsOf(&m.Events[0])] = now }
