package fleet

import (
	"slices"
	"time"
)

// A Worker is a worker of the fleet, as its key says.
type Worker struct {
	Number  uint32
	Session uint64 // the last one that is known
	State   string // alive, dead (another worker has found that it does not beat), or left
	Note    string // what it has told the others, see [Member.Tell]
	report  string
	beat    time.Time // when the key was written, by the clock of the servers; zero for this worker
}

// Began returns when the session of the worker began, or somewhat later if sessions of the worker
// followed each other fast.
func (w Worker) Began() time.Time { return time.Unix(int64(uint32(w.Session)), 0).UTC() }

// Tell has the next beats, and the end of the key, carry a note for the other workers. A new note
// is sent soon.
func (m *Member) Tell(note string) { m.post(func(l *loop) { l.note = note }) }

// Workers returns all workers that have a key, this one included, by number. It returns nil if Run
// has returned, and must not be called before Run.
func (m *Member) Workers() []Worker {
	got := make(chan []Worker, 1)
	m.post(func(l *loop) {
		state := alive
		if !l.session.Joined || l.session.Over {
			state = dead
		}
		all := []Worker{{l.worker, l.session.ID, string(state), l.note, l.report, time.Time{}}}
		for number, k := range l.peers {
			if k.State != "" {
				all = append(all, Worker{number, k.Session, string(k.State), k.Note, k.Report, k.beat})
			}
		}
		slices.SortFunc(all, func(a, b Worker) int { return int(int64(a.Number) - int64(b.Number)) })
		got <- all
	})
	select {
	case all := <-got:
		return all
	case <-m.done:
		return nil
	}
}
