package monitor

import (
	"context"
	"fmt"
	"maps"
	"slices"
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
	return j.commit(context.Background(), s, o, updates, func(*Event) []string { return slices.Sorted(maps.Keys(j.queues.of)) })
}

// State is journal.state with the policy of the baseline.
func (j *journal) State(origin string, o *Observation) (*site, error) {
	s := j.state(origin)
	return s, j.texts.complete(s, o)
}

// Deliver takes the oldest event of a receiver, calls send, and stores that the receiver has it.
func (j *journal) Deliver(name string, send func(Event)) (ok bool, err error) {
	e, number, ok := j.first(name, func(*Event) bool { return true })
	if !ok {
		return false, nil
	}
	send(e)
	return true, j.got(name, number)
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

// Until is Quiet.until.
func (q *Quiet) Until(t time.Time) time.Time { return q.until(t) }

// RunSender runs a sender for a subscription.
func RunSender(ctx context.Context, j *Journal, s Subscription, report func(error)) {
	(&sender{Subscription: s, store: j, report: report, wake: make(chan struct{}, 1)}).run(ctx)
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
