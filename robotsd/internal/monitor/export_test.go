package monitor

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// Engines are the search engines that are asked about.
var Engines = engines

// A Watched is the state of a site between looks.
type Watched = site

// Step is site.step.
func (s *site) Step(o *Observation, accept time.Duration) ([]Update, bool) {
	return s.step(o, Compare(s.Baseline, o), accept)
}

// Check returns what of the state of a site can never be.
func (s *site) Check() error {
	seen := make(map[string]bool)
	for _, i := range s.Incidents {
		key := string(i.Finding.Kind) + " " + i.Finding.Subject
		switch {
		case seen[key]:
			return fmt.Errorf("%s has two incidents", key)
		case i.State < pending || i.State > flapping:
			return fmt.Errorf("%s has the state %d", key, i.State)
		case i.State == open && (i.Absent || len(i.Begins) == 0):
			return fmt.Errorf("%s is open, and absent or without a beginning", key)
		case len(i.Begins) > flapBegins:
			return fmt.Errorf("%s remembers %d beginnings", key, len(i.Begins))
		case i.Began.IsZero():
			return fmt.Errorf("%s never began", key)
		}
		seen[key] = true
	}
	return nil
}

// TextFolder is textFolder.
type TextFolder = textFolder

// Keep is textFolder.keep.
func (d textFolder) Keep(o *Observation) error { return d.keep(o) }

// Complete is textFolder.complete.
func (d textFolder) Complete(s *site, o *Observation) error { return d.complete(s, o) }

// Prune is textFolder.prune.
func (d textFolder) Prune(sites map[string]*site) { d.prune(sites) }

// Seal is seal.
func Seal(v any) ([]byte, error) { return seal(v) }

// Unseal is unseal.
func Unseal(text []byte, v any) error { return unseal(text, v) }

// A Journal is the journal of a watch.
type Journal = journal

// OpenJournal is openJournal.
func OpenJournal(dir string, receivers ...string) (*Journal, error) {
	return openJournal(dir, receivers)
}

// Commit commits a state of a site with an event.
func (j *journal) Commit(s *site, o *Observation, updates []Update) error {
	return j.commit(context.Background(), s, o, updates,
		func(*Event) []string { return slices.Sorted(maps.Keys(j.queues.of)) })
}

// State is journal.state with the policy of the baseline.
func (j *journal) State(origin string, o *Observation) (*site, error) {
	s := j.state(origin)
	return s, j.texts.complete(s, o)
}

// Deliver takes the next message for a receiver, calls send, and stores that the receiver has it.
// No event waits.
func (j *journal) Deliver(name string, send func(*Message)) (ok bool, err error) {
	g := grouper{told: make(map[news]time.Time)}
	next, _, err := j.toSend(name, func(*owedEvent) bool { return true }, func(waiting []*owedEvent) ([]uint64,
		time.Duration) {
		return g.choose(waiting, time.Now())
	})
	if next == nil || err != nil {
		return false, err
	}
	send(&next.message)
	return true, j.got(name, next)
}

// Begin begins the sending of a message without an end.
func (j *journal) Begin(t testing.TB, name string) Message {
	g := grouper{told: make(map[news]time.Time)}
	next, _, err := j.toSend(name, func(*owedEvent) bool { return true }, func(waiting []*owedEvent) ([]uint64,
		time.Duration) {
		return g.choose(waiting, time.Now())
	})
	if err != nil || next == nil {
		t.Fatalf("there is no message, %v", err)
	}
	return next.message
}

// Fill adds a number of events for a receiver, of one site each, which are not stored. Each has a
// witness of so many bytes.
func (j *journal) Fill(name string, n, witness int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for range n {
		u := Update{Step: Noted, Finding: Finding{Kind: Records, Severity: Notice,
			Witness: strings.Repeat("x", witness)}}
		e := &Event{ID: fmt.Sprint("filled-", j.next), Origin: fmt.Sprintf("https://filled%d.example", j.next),
			Updates: []Update{u}}
		j.apply(&line{Number: j.next, Event: e, To: []string{name}})
	}
}

// Past returns the ids of the last events, the oldest first.
func (j *journal) Past() (ids []string) {
	for _, e := range j.events.all() {
		ids = append(ids, e.event.ID)
	}
	return ids
}

// Waiting returns the number of events that a receiver has not got.
func (j *journal) Waiting(name string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.queues.of[name])
}

// A Grouper is a grouper.
type Grouper = grouper

// NewGrouper returns a Grouper whose events wait for a time.
func NewGrouper(wait time.Duration) *Grouper { return &Grouper{wait, make(map[news]time.Time)} }

// Sent notes that an event was sent.
func (g *grouper) Sent(e *Event, at time.Time) { g.told[newsOf(e)] = at }

func owed(events []*Event) (all []*owedEvent) {
	for i, e := range events {
		all = append(all, newOwed(uint64(i), e, nil))
	}
	return all
}

// Choose is grouper.choose for events that are numbered from 0.
func (g *grouper) Choose(events []*Event, now time.Time) ([]uint64, time.Duration) {
	return g.choose(owed(events), now)
}

// SlowChoose is a plain Choose without limits.
func (g *grouper) SlowChoose(events []*Event, now time.Time) (numbers []uint64, wait time.Duration) {
	all := owed(events)
	free := func(n int) bool { // no earlier event of the site has other news
		for _, e := range all[:n] {
			if e.event.Origin == all[n].event.Origin && e.news != all[n].news {
				return false
			}
		}
		return true
	}
	due := func(e *owedEvent) time.Time {
		since := e.since
		if since.After(now) {
			since = now
		}
		at := since.Add(g.wait)
		if told, ok := g.told[e.news]; ok && told.Add(10*g.wait).After(at) {
			at = told.Add(10 * g.wait)
		}
		if at.After(since.Add(10 * g.wait)) {
			at = since.Add(10 * g.wait)
		}
		return at
	}
	var best *owedEvent
	wait = never
	for n, e := range all {
		if !free(n) {
			continue
		}
		isDue := false
		for m, other := range all {
			isDue = isDue || free(m) && other.news == e.news && !due(other).After(now)
		}
		if !isDue {
			wait = min(wait, due(e).Sub(now))
		} else if best == nil || e.news.severity > best.news.severity {
			best = e
		}
	}
	if best == nil {
		return nil, wait
	}
	for n, e := range all {
		if free(n) && e.news == best.news {
			numbers = append(numbers, e.number)
		}
	}
	return numbers, 0
}

// Compact is journal.compact.
func (j *journal) Compact() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.compact()
}

// Close is journal.close.
func (j *journal) Close() error { return j.close() }

// States returns an incident in each state.
func States(at time.Time) []incident {
	f := Finding{Kind: "a", Severity: Notice}
	begins := []time.Time{at}
	return []incident{
		{State: pending, Finding: f, Began: at},
		{State: open, Finding: f, Began: at, Moved: at, Begins: begins},
		{State: over, Finding: f, Began: at, Moved: at, Absent: true, Begins: begins},
		{State: flapping, Finding: f, Began: at, Moved: at, Begins: begins},
	}
}

// IsPause is isPause.
func IsPause(left time.Duration) bool { return isPause(left) }

// Until is Quiet.until.
func (q *Quiet) Until(t time.Time) time.Time { return q.until(t) }

// RunSender runs a sender for a subscription, whose events wait for a time for those of other
// sites.
func RunSender(ctx context.Context, j *Journal, s Subscription, wait time.Duration, report func(error)) {
	newSender(s, j, wait, report).run(ctx)
}

// PlaceOf is placeOf.
func PlaceOf(origin string) (part int, key string) { return placeOf(origin) }

// A Record is what instances share of a site.
type Record = record

// Encode is record.encode.
func (r *record) Encode() ([]byte, error) { return r.encode() }

// DecodeRecord is decodeRecord.
func DecodeRecord(value []byte) (*Record, error) { return decodeRecord(value) }

// NewRecord is newRecord.
func NewRecord(origin string) Record { return newRecord(origin) }

// AddEvent adds an event for some receivers.
func (r *record) AddEvent(e Event, to ...string) { r.Events = append(r.Events, owedShare{e, to}) }

// An Outage is an outage.
type Outage = outage

// See is see.
func (o *outage) See(origin string, unanswered bool) bool { return o.see(origin, unanswered) }

// Stands reports whether an incident was reported as begun, and not as over.
func (i *incident) Stands() bool { return i.State == open || i.State == flapping }

// IsTextFault reports whether a kind says what stands in the place of a robots.txt.
func IsTextFault(k Kind) bool { return slices.Contains(textFaults, k) }
