package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	cluster "github.com/robotsexclusion/robots/internal/nats"
)

// A loop decides for a member. It never waits for a server or for Partitions: other goroutines do,
// and post the results.
type loop struct {
	*Member
	ctx       context.Context // of the calls of the session
	end       context.CancelCauseFunc
	link      *cluster.Session
	bucket    *cluster.Bucket // nil without a server
	synced    bool            // all keys have been seen
	firstOwn  uint64          // the first session of this process, or 0
	lastOwn   uint64          // the last one
	before    uint64          // the session of a process before, which the key has proven to be over
	held      time.Duration   // when the key became that of the session, by the time of sights
	shown     uint64          // the last revision of the own key in the watch
	watched   time.Duration   // when the watch began, or forever
	own       Sight           // of the own key, while it has a session of another process
	renewing  bool
	nextBeat  time.Duration
	nextRenew time.Duration
	nextSweep time.Duration
	trouble   string                   // what was logged last about beats
	logged    map[string]time.Duration // when failures of calls were logged last
	moves     uint64                   // partitions that the session has released
	sent      uint64                   // moves of the last beat
	note      string                   // what the worker tells the others
	told      string                   // the note of the last beat
	report    string                   // a Report, in JSON
	lapses    int                      // sessions that have ended unasked
	peers     map[uint32]*peer
	changes   uint64 // of peers
	weights   map[uint32][]uint64
	owners    []uint32 // who should have each partition, or nil if it has to be found again
	parts     []part
	leaving   bool
	leaveBy   time.Duration
	put       bool // the grave of a leave is on its way, or was
	finished  bool
	failure   error
}

func newLoop(m *Member) *loop {
	l := &loop{Member: m, peers: make(map[uint32]*peer), weights: make(map[uint32][]uint64),
		logged: make(map[string]time.Duration),
		parts:  make([]part, m.options.Journal.Options().Partitions)}
	l.ctx, l.end = context.WithCancelCause(context.Background())
	return l
}

// run decides until the worker has left, and returns why it left unasked.
func (m *loop) run(ctx context.Context) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for asked := ctx.Done(); !m.finished; timer.Reset(m.step()) {
		select {
		case <-asked:
			asked = nil
			m.read() // a worker that was stopped notices its lapse first
			m.leave(nil)
		case do := <-m.posts:
			m.read()
			do(m)
		case <-timer.C:
		}
	}
	m.end(nil)
	return m.failure
}

// connected is the start of a session with the servers.
func (m *loop) connected(s *cluster.Session, b *cluster.Bucket) {
	m.link, m.bucket = s, b
	m.nextBeat, m.nextRenew, m.watched = 0, 0, forever
	// Others could not beat either: they get the time for two beats before they may be buried.
	for _, k := range m.peers {
		k.sight.Since = max(k.sight.Since, m.seen()-m.rules.Lease+2*m.options.Beat+m.options.Answer)
	}
}

// forever is the time of what is not due.
const forever = 1 << 62

// now returns the time of the guard.
func (m *loop) now() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.clock.at(time.Now())
}

// seen returns the time of sights, which a step of the wall clock does not make longer.
func (m *loop) seen() time.Duration { return time.Since(m.started) + 1 }

// set sets the session, and drops everything if it is over.
func (m *loop) set(s Session) {
	m.mu.Lock()
	before := m.session
	m.session = s
	m.mu.Unlock()
	if before.Joined != s.Joined || before.Over != s.Over {
		m.owners = nil
	}
	if s.Over && !before.Over {
		if !m.leaving {
			m.lapses++
		}
		m.end(errors.New("the session of the worker is over"))
		for i := range m.parts {
			m.parts[i].hold = m.parts[i].hold.Drop()
			m.parts[i].claimed = false
		}
	}
}

// read reads the clock, and ends the session if its guard has passed. The loop does this before
// anything else.
func (m *loop) read() (now time.Duration) {
	now = m.now()
	next := m.session.Pass(&m.rules, now)
	if next.Over && !m.session.Over {
		m.log.Warn("no beat of this worker was answered in time: it drops its partitions",
			"silent", now-m.session.Renewed)
	}
	m.set(next)
	return now
}

// step does all that is due, and returns how long nothing else is.
func (m *loop) step() time.Duration {
	now := m.read()
	next := min(now+m.rules.Guard, m.beat(now), m.renew(now), m.bury(now), sweep(m, now), m.work(now), m.depart(now))
	if m.session.Joined && !m.session.Over {
		next = min(next, m.session.Renewed+m.rules.Guard)
	}
	return max(next-now, 0)
}

// beat starts a beat when it is due.
func (m *loop) beat(now time.Duration) (next time.Duration) {
	if m.bucket == nil || m.put || m.session.Over || m.session.Beating {
		return forever
	}
	due := m.nextBeat
	if m.moves > m.sent || m.note != m.told {
		due = min(due, m.session.Began+m.options.Beat/20)
	}
	if now < due {
		return due
	}
	s, put := m.session.Beat(now)
	if !put {
		return forever
	}
	m.set(s)
	m.nextBeat, m.sent, m.told = now+m.options.Beat, m.moves, m.note
	ctx, b, link, v := m.ctx, m.bucket, m.link, value{s.ID, alive, m.moves, m.note, m.report}
	go func() {
		revision, err := b.Put(ctx, keyOf(m.worker), v.encode(), s.Revision)
		mine, refused := false, errors.Is(err, cluster.ErrRevision)
		if err != nil && !errors.Is(err, context.DeadlineExceeded) { // a server that hangs is not asked again
			// The key says whether the beat was applied.
			got, lost := b.Get(ctx, keyOf(m.worker))
			at, _ := decode(got, m.worker)
			mine = lost == nil && at.Session == s.ID && at.State == alive
			if mine {
				revision = got.Revision
			} else if lost != nil && !errors.Is(lost, fs.ErrNotExist) {
				refused = false // it may be the worker's own late beat that has the key
			}
		}
		m.post(func(*loop) { m.answered(s, revision, err, mine, refused, link) })
	}()
	return forever
}

// answered is the answer to a beat of the session s, or what the key says without one.
func (m *loop) answered(s Session, revision uint64, err error, mine, refused bool, link *cluster.Session) {
	if m.session.ID != s.ID {
		return
	}
	now := m.now()
	if m.session.Over { // which has ended the wait for the answer
		m.set(m.session.Unanswered(0, false))
		return
	}
	if err != nil {
		m.nextBeat = now + m.retry()
		if text := err.Error(); !mine && !refused && text != m.trouble {
			m.trouble = text
			m.log.Warn("a beat of this worker has no answer", "error", m.place.explain(err))
		}
		answer := (*jetstream.APIError)(nil)
		if !refused && !errors.As(err, &answer) && link == m.link && link != nil {
			link.Fail(err) // the bucket is opened again, which says more
			m.hung(err)
		}
	}
	switch {
	case err == nil:
		m.trouble = ""
		if !s.Joined {
			m.held = m.seen()
			m.log.Info("this worker has joined", "session", fmt.Sprintf("%x", s.ID))
		} else if m.shown < s.Revision && now-max(s.Renewed, m.watched) >= m.options.Beat && link != nil {
			link.Fail(errors.New("the watch of the keys is late"))
		}
		m.set(m.session.Answered(&m.rules, now, revision, true))
	case refused && !mine:
		m.set(m.session.Answered(&m.rules, now, 0, false))
		m.log.Warn("the key of this worker was replaced: it drops its partitions")
	default:
		m.set(m.session.Unanswered(revision, mine))
	}
}

// renew begins the next session when the last one is over and all its requests are closed.
func (m *loop) renew(now time.Duration) (next time.Duration) {
	if m.bucket == nil || m.leaving || m.renewing || !m.session.Over || m.open() {
		return forever
	}
	if now < m.nextRenew {
		return m.nextRenew
	}
	m.renewing = true
	m.nextRenew = now + m.retry()
	b, link := m.bucket, m.link
	go func() {
		got, err := b.Get(context.Background(), keyOf(m.worker))
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		} else if err != nil {
			link.Fail(err)
			m.hung(err)
		}
		m.post(func(*loop) {
			m.renewing = false
			if err == nil && !m.leaving && m.session.Over && !m.open() {
				m.begin(got)
			}
		})
	}()
	return forever
}

// begin begins the next session behind the worker's key.
func (m *loop) begin(got cluster.Value) {
	at, err := decode(got, m.worker)
	if err != nil {
		m.log.Warn("the key of this worker is not of a worker, and is replaced", "error", err)
	}
	if at.State == alive && (m.firstOwn == 0 || at.Session < m.firstOwn || at.Session > m.lastOwn) {
		// The process before this one was killed, or another process has the number of this worker.
		before := m.own
		m.own = m.own.See(got.Revision, m.seen())
		if before.Seen && before != m.own {
			m.leave(ErrTwin)
			return
		}
		if !before.Seen {
			m.log.Info("the last process of this worker has not left: waiting for its lease", "lease", m.rules.Lease)
		}
		if _, _, allowed := m.own.Bury(&m.rules, m.seen()); !allowed {
			m.nextRenew = m.now() + m.options.Beat/2
			return
		}
	}
	id := nextSession(m.worker, max(at.Session, m.lastOwn), time.Now())
	s, begun := m.session.Renew(&m.rules, id, got.Revision, m.open())
	if !begun {
		return
	}
	if m.firstOwn == 0 || at.Session > m.lastOwn {
		m.before = at.Session
	}
	m.firstOwn, m.lastOwn, m.own = cmp.Or(m.firstOwn, id), id, Sight{}
	m.moves, m.sent, m.nextBeat = 0, 0, 0
	m.ctx, m.end = context.WithCancelCause(context.Background())
	m.set(s)
}

// open reports whether a request may be open, or a call is under way.
func (m *loop) open() bool {
	for i := range m.parts {
		if p := &m.parts[i]; p.busy || p.acquired {
			return true
		}
	}
	return false
}

// leave begins to leave the fleet.
func (m *loop) leave(why error) {
	if m.failure == nil {
		m.failure = why
	}
	if !m.leaving {
		m.leaving, m.leaveBy, m.owners = true, m.now()+m.rules.Guard, nil
	}
}

// depart ends a leave: when all partitions are released, the worker's key becomes a grave.
func (m *loop) depart(now time.Duration) (next time.Duration) {
	if !m.leaving || m.finished || m.put {
		return forever
	}
	if now >= m.leaveBy && !m.session.Over {
		m.log.Warn("not all partitions could be released in time: they are dropped")
		s := m.session
		s.Over = true
		m.set(s)
		m.work(now)
	}
	next = m.leaveBy
	if now >= next {
		next = forever
	}
	held := m.open()
	for i := range m.parts {
		held = held || m.parts[i].hold.Phase != Foreign
	}
	if held || m.session.Beating && now < m.leaveBy || m.renewing {
		return next
	}
	s, gone := m.session.Leave(&m.rules, held)
	if !gone {
		return next
	}
	if m.bucket == nil && s.Revision > 0 && m.failure == nil && now < m.leaveBy {
		return next // a server may come back in time
	}
	m.set(s)
	m.put = true
	if m.bucket == nil || s.Revision == 0 {
		m.finished = true
		return now
	}
	b, grave := m.bucket, value{s.ID, left, m.moves, m.note, m.report}.encode()
	go func() {
		_, err := b.Put(context.Background(), keyOf(m.worker), grave, s.Revision)
		m.post(func(*loop) {
			m.finished = true
			if err != nil && !errors.Is(err, cluster.ErrRevision) {
				m.log.Warn("the other workers have to wait for the lease of this one", "error", m.place.explain(err))
			}
		})
	}()
	return forever
}
