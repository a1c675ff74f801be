package monitor

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/internal/filelock"
)

// A journal keeps the states of sites and the events that receivers have not got yet. It is a
// folder:
//
//	journal.jsonl       a line for each change, with a checksum
//	texts/9b/9b74….txt  the texts of baselines, named by their SHA-256
//	lock                held by the process that uses the folder
//
// The state of a site and the event of the look that led to it are one line, which is synced before
// commit returns: a kill loses both or neither. Replaying the lines gives the state in memory; when
// the lines are many times as long as the state, compact rewrites the state. A journal is safe
// for concurrent use.
type journal struct {
	dir   string
	texts textFolder
	lock  *filelock.Lock

	mu     sync.Mutex
	file   *os.File
	size   int64 // of the file
	base   int64 // of the file after it was compacted
	id     string
	next   uint64           // number of the next event
	sites  map[string]*site // by origin; their baselines have no Policy
	queues queues
	events eventLog
}

// A line is a line of the journal. Its members are stored: never rename one, nor give one another
// meaning.
type line struct {
	Version int      `json:"version,omitempty"` // of the first line: 1
	ID      string   `json:"id,omitempty"`      // of the first line: the start of the ids of events
	Next    uint64   `json:"next,omitempty"`    // of the first line
	Site    *site    `json:"site,omitempty"`
	Number  uint64   `json:"number,omitempty"` // of the event
	Event   *Event   `json:"event,omitempty"`
	To      []string `json:"to,omitempty"` // the receivers that do not have the event yet
	// the receivers that have it now, and with it all events of its message
	Got   []string      `json:"got,omitempty"`
	Sends *messageStart `json:"sends,omitempty"`
}

// A messageStart says that the sending of a message begins. Its members are stored too.
type messageStart struct {
	To     string   `json:"to"`     // the receiver
	Events []uint64 `json:"events"` // their numbers
}

const (
	journalName = "journal.jsonl"
	maxQueue    = 20_000  // events that wait for a receiver; then the oldest is dropped
	compactFrom = 1 << 20 // bytes of lines below which the journal is not compacted
)

// openJournal opens or makes the journal in a folder. Events for other receivers than those named
// are dropped. The error wraps filelock.ErrLocked if another process uses the folder.
func openJournal(dir string, receivers []string) (*journal, error) {
	if err := os.MkdirAll(filepath.Join(dir, "texts"), 0o777); err != nil {
		return nil, err
	}
	lock, err := filelock.Try(filepath.Join(dir, "lock"), filelock.Exclusive)
	if err != nil {
		return nil, err
	}
	j := &journal{dir: dir, texts: textFolder(filepath.Join(dir, "texts")), lock: lock, next: 1,
		sites: make(map[string]*site), queues: newQueues(receivers)}
	if err := j.open(); err != nil {
		lock.Close()
		return nil, fmt.Errorf("%s: %w", j.path(journalName), err)
	}
	return j, nil
}

// open replays the lines, and compacts them. An incomplete last line is what a killed process was
// writing, and was not committed. Any other damaged line is an error: the disk lost what was
// committed.
func (j *journal) open() error {
	data, err := os.ReadFile(j.path(journalName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	number := 0
	for text := range bytes.Lines(data) {
		number++
		var l line
		if err := unseal(text, &l); err != nil {
			if !bytes.HasSuffix(text, []byte("\n")) {
				break
			}
			return fmt.Errorf("line %d is damaged (%w): move the file away to begin without the past", number, err)
		}
		if number == 1 && l.Version != 1 {
			return fmt.Errorf("it has version %d, and this program reads version 1", l.Version)
		}
		j.apply(&l)
	}
	if j.id == "" {
		j.id = rand.Text()[:12]
	}
	return j.compact()
}

// apply changes the state in memory by a line.
func (j *journal) apply(l *line) {
	if l.Version != 0 {
		j.id, j.next = l.ID, l.Next
	}
	if l.Site != nil {
		j.sites[l.Site.Origin] = l.Site
	}
	if l.Event != nil {
		j.next = max(j.next, l.Number+1)
		j.events.add(l.Number, l.Event)
		j.queues.add(newOwed(l.Number, l.Event, nil), l.To)
		for _, name := range l.To {
			if len(j.queues.of[name]) > maxQueue {
				j.queues.dropOldest(name)
			}
		}
	}
	for _, name := range l.Got {
		j.queues.delivered(name, l.Number)
	}
	if l.Sends != nil {
		j.queues.begin(l.Sends.To, l.Sends.Events)
	}
}

// hold implements store: all sites are this process's.
func (j *journal) hold(ctx context.Context, _ string) (context.Context, func(), bool) {
	return ctx, func() {}, true
}

// log implements store.
func (j *journal) log() *eventLog { return &j.events }

// failing implements store.
func (j *journal) failing(string) (time.Time, bool) { return time.Time{}, false }

// complete implements store.
func (j *journal) complete(_ context.Context, s *site, o *Observation) error {
	return j.texts.complete(s, o)
}

// state implements store.
func (j *journal) state(origin string) *site {
	j.mu.Lock()
	defer j.mu.Unlock()
	s := j.sites[origin]
	if s == nil {
		return &site{Origin: origin}
	}
	c := *s
	c.Incidents = slices.Clone(s.Incidents)
	return &c
}

// commit implements store.
func (j *journal) commit(_ context.Context, s *site, o *Observation, updates []Update, to func(*Event) []string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if s.Baseline != nil && s.Baseline.Policy != nil {
		if err := j.texts.keep(s.Baseline); err != nil {
			return err
		}
		bare := *s.Baseline
		bare.Policy = nil
		s.Baseline = &bare
	}
	l := line{Site: s}
	if len(updates) > 0 {
		l.Number = j.next
		l.Event = &Event{ID: j.id + "-" + strconv.FormatUint(j.next, 10), Origin: s.Origin, Time: o.Time,
			Updates: updates}
		l.To = to(l.Event)
	} else if old := j.sites[s.Origin]; old != nil && sameJSON(old, s) {
		return nil
	}
	return j.append(&l)
}

// toSend implements store. The events of a message are stored before it is sent, so that it is the
// same after a kill.
func (j *journal) toSend(name string, may func(*owedEvent) bool, choose chooser) (*dispatch, time.Duration, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if s := j.queues.again(name, may); s != nil {
		return s, 0, nil
	}
	numbers, wait := choose(j.queues.waiting(name, may))
	if len(numbers) == 0 {
		return nil, wait, nil
	}
	if err := j.append(&line{Sends: &messageStart{name, numbers}}); err != nil {
		return nil, 0, err
	}
	return j.queues.again(name, may), 0, nil
}

// got implements store.
func (j *journal) got(name string, s *dispatch) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.append(&line{Number: s.numbers[0], Got: []string{name}})
}

// append writes a line, syncs and applies it. j.mu must be held.
func (j *journal) append(l *line) error {
	data, err := seal(l)
	if err != nil {
		return err
	}
	if _, err = j.file.WriteAt(data, j.size); err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		j.file.Truncate(j.size) // otherwise the next line overwrites the rest, or a restart ignores it
		return err
	}
	j.size += int64(len(data))
	j.apply(l)
	if j.size > max(compactFrom, 4*j.base) && j.compact() != nil {
		j.base = j.size // the line is committed: try again later
	}
	return nil
}

// close implements store: it releases the folder.
func (j *journal) close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return errors.Join(j.file.Close(), j.lock.Close())
}

func (j *journal) path(name string) string { return filepath.Join(j.dir, name) }

// sameJSON reports whether two states are stored alike.
func sameJSON(a, b *site) bool {
	x, err1 := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err1 == nil && err2 == nil && bytes.Equal(x, y)
}
