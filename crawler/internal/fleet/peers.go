package fleet

import (
	"encoding/json"
	"errors"
	"io/fs"
	"time"

	cluster "github.com/robotsexclusion/robots/internal/nats"
)

// A peer is another worker, as its key says.
type peer struct {
	value
	sight  Sight
	beat   time.Time // when its key was written, by the clock of the servers
	asked  uint64    // a session of a log, whose key is missing
	busy   bool      // a grave is on its way
	retry  time.Duration
	warned bool
}

// see is a value of the watch, or of a key that was read. A value without a key ends the first
// values.
func (m *loop) see(v cluster.Value) {
	if v.Key == "" {
		m.synced, m.owners = true, nil
		return
	}
	worker, ok := workerAt(v.Key)
	if !ok {
		return
	}
	if worker == m.worker {
		m.shown = max(m.shown, v.Revision)
		if v.Revision > m.session.Revision && !m.session.Beating {
			m.nextBeat = 0 // its answer says whose the key is
		}
		return
	}
	k := m.peer(worker)
	if v.Revision < k.sight.Revision && v.Revision > 0 {
		return // older than what is known
	}
	k.sight, k.beat = k.sight.See(v.Revision, m.seen()), v.At
	got, err := decode(v, worker)
	if err != nil && !k.warned {
		k.warned = true
		m.log.Warn("a key in the bucket of the workers is not of a worker", "key", v.Key, "error", err)
	}
	if got == k.value {
		return
	}
	if got.Session != k.Session || got.State != k.State {
		m.owners = nil
	}
	same := got.Session == k.Session && got.State == k.State && got.Moves == k.Moves
	if k.value = got; same {
		return
	}
	m.changes++
	for i := range m.parts { // it may have released them, or be dead
		if p := &m.parts[i]; p.session != 0 && workerOf(p.session) == worker {
			p.retry = 0
		}
	}
}

func (m *loop) peer(worker uint32) *peer {
	k := m.peers[worker]
	if k == nil {
		k = new(peer)
		m.peers[worker] = k
	}
	return k
}

// bury puts graves in place of keys that have been silent for the lease.
func (m *loop) bury(now time.Duration) (next time.Duration) {
	next = forever
	if m.bucket == nil || !m.session.Alive(&m.rules, now) || m.leaving {
		return next
	}
	for worker, k := range m.peers {
		session := k.Session
		if k.State == "" {
			session = k.asked
		}
		if k.busy || session == 0 || k.State == dead || k.State == left {
			continue
		}
		behind, _, allowed := k.sight.Bury(&m.rules, m.seen())
		if !allowed || now < k.retry {
			next = min(next, max(k.retry, now+k.sight.Since+m.rules.Lease-m.seen()))
			continue
		}
		k.busy = true
		ctx, b, report := m.ctx, m.bucket, k.Report
		go func() {
			grave := value{Session: session, State: dead, Report: report}.encode()
			v := cluster.Value{Key: keyOf(worker), Data: grave}
			var err error
			if v.Revision, err = b.Put(ctx, v.Key, grave, behind); err != nil {
				if v, err = b.Get(ctx, v.Key); errors.Is(err, fs.ErrNotExist) {
					v, err = cluster.Value{Key: keyOf(worker), Deleted: true}, nil
				}
			} else {
				m.log.Info("a worker is dead", "dead", v.Key)
			}
			m.post(func(*loop) {
				k.busy = false
				k.retry = m.now() + m.options.Beat
				if err == nil {
					m.see(v)
				}
			})
		}()
	}
	return next
}

// graveAge is how long after the last report of a worker its grave is removed.
const graveAge = 24 * time.Hour

// sweep removes the graves of workers that have not come back for a day. A grave only spares others
// a wait for a lease, as does each key that an operator removes (the checker has that): if a log
// still names the session, it is buried again after the lease.
func sweep(m *loop, now time.Duration) (next time.Duration) {
	if m.bucket == nil || !m.session.Alive(&m.rules, now) || m.leaving {
		return forever
	}
	if m.nextSweep == 0 { // at the start logs name sessions that are over
		m.nextSweep = now + m.rules.Lease
	}
	if now < m.nextSweep {
		return m.nextSweep
	}
	m.nextSweep = now + m.rules.Lease
	for worker, k := range m.peers {
		if k.busy || k.State != dead && k.State != left || !k.isOld(m.seen()) {
			continue
		}
		k.busy = true
		ctx, b, revision := m.ctx, m.bucket, k.sight.Revision
		go func() {
			err := b.Purge(ctx, keyOf(worker), revision)
			m.post(func(*loop) {
				if k.busy = false; err == nil && k.sight.Revision == revision {
					delete(m.peers, worker)
					delete(m.weights, worker)
				}
			})
		}()
	}
	return m.nextSweep
}

// isOld reports whether a worker has said nothing for graveAge, by its report, or if it has none by
// how long its key has been seen.
func (k *peer) isOld(seen time.Duration) bool {
	var r Report
	if json.Unmarshal([]byte(k.Report), &r) == nil && !r.At.IsZero() {
		return time.Since(r.At) >= graveAge
	}
	return seen-k.sight.Since >= graveAge
}

// over reports whether the session of a log can never be alive again, as the key of its worker
// says.
func (m *loop) over(session uint64) bool {
	worker := workerOf(session)
	if worker == m.worker {
		if session <= m.before || session >= m.firstOwn && session < m.session.ID {
			return true
		}
		// The key was lost. No other session has had an answer since it is that of this one.
		_, _, others := Sight{true, m.session.Revision, m.held}.Bury(&m.rules, m.seen())
		return others
	}
	k := m.peer(worker)
	if k.Session == 0 {
		k.asked = session
		k.sight = k.sight.See(k.sight.Revision, m.seen())
	}
	return k.Session > session || k.Session == session && (k.State == dead || k.State == left)
}
