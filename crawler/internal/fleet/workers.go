package fleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	cluster "github.com/robotsexclusion/robots/internal/nats"
)

// A Worker is a worker of the fleet, as its key says.
type Worker struct {
	Number  uint32
	Session uint64 // the last one that is known
	State   string // alive, dead (another worker has found that it does not beat), or left
	Note    string // what it has told the others, see [Member.Tell]
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
		all := []Worker{{l.worker, l.session.ID, string(state), l.note}}
		for number, k := range l.peers {
			if k.State != "" {
				all = append(all, Worker{number, k.Session, string(k.State), k.Note})
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

// CheckNone returns an error if workers of a crawl run: a key changes within the lease. It returns
// at once if no worker has a key that is alive.
func CheckNone(ctx context.Context, url, name string, times Times) error {
	conn, err := cluster.Connect(url, "robots "+name)
	if err != nil {
		return err
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return err
	}
	bucket, err := js.KeyValue(ctx, name+"-fleet")
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the bucket %s-fleet: %w", name, err)
	}
	watch, err := bucket.WatchAll(ctx)
	if err != nil {
		return fmt.Errorf("the bucket %s-fleet: %w", name, err)
	}
	defer watch.Stop()
	silent := time.NewTimer(times.Lease + times.Error)
	defer silent.Stop()
	first, any := true, false
	for {
		select {
		case e := <-watch.Updates():
			if e == nil {
				if first = false; !any {
					return nil
				}
				continue
			}
			worker, ok := workerAt(e.Key())
			got, err := decode(cluster.Value{Key: e.Key(), Revision: e.Revision(), Data: e.Value(),
				Deleted: e.Operation() != jetstream.KeyValuePut}, worker)
			if !ok || err != nil || got.State != alive {
				continue
			}
			if any = true; !first {
				return fmt.Errorf("worker %s of the crawl %s runs: stop all of its workers first", e.Key(), name)
			}
		case <-silent.C:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
