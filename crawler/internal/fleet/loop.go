package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
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
	own       Sight           // of the own key, while it has a session of another process
	renewing  bool
	nextBeat  time.Duration
	nextRenew time.Duration
	trouble   string                   // what was logged last about beats
	logged    map[string]time.Duration // when failures of calls were logged last
	moves     uint64                   // partitions that the session has released
	sent      uint64                   // moves of the last beat
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
	m.nextBeat, m.nextRenew = 0, 0
	// Others could not beat either: they get the time for two beats before they may be buried.
	for _, k := range m.peers {
		k.sight.Since = max(k.sight.Since, m.seen()-m.rules.Lease+2*m.options.Beat+m.options.Answer)
	}
}

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
	next := min(now+m.rules.Guard, m.beat(now), m.renew(now), m.bury(now), m.work(now), m.depart(now))
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
	if m.moves > m.sent {
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
	m.nextBeat, m.sent = now+m.options.Beat, m.moves
	ctx, b, link, v := m.ctx, m.bucket, m.link, value{s.ID, alive, m.moves}
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
		} else if m.shown < s.Revision && now-s.Renewed >= m.options.Beat && link != nil {
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
	k.sight = k.sight.See(v.Revision, m.seen())
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
	k.value = got
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
		ctx, b := m.ctx, m.bucket
		go func() {
			grave := value{session, dead, 0}.encode()
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

// assign finds which worker should have each partition.
func (m *loop) assign() {
	if m.owners != nil {
		return
	}
	var live []uint32
	if m.session.Joined && !m.session.Over && !m.leaving {
		live = append(live, m.worker)
	}
	for worker, k := range m.peers {
		if k.State == alive {
			live = append(live, worker)
		}
	}
	known := m.weights
	m.weights = make(map[uint32][]uint64, len(live))
	for _, worker := range live {
		if m.weights[worker] = known[worker]; known[worker] == nil {
			all := make([]uint64, len(m.parts))
			for p := range all {
				all[p] = weight(worker, p)
			}
			m.weights[worker] = all
		}
	}
	m.owners = make([]uint32, len(m.parts))
	for p := range m.owners {
		for _, worker := range live {
			if best := m.owners[p]; best == 0 || m.weights[worker][p] > m.weights[best][p] {
				m.owners[p] = worker
			}
		}
		if m.owners[p] == m.worker {
			m.parts[p].retry = 0
		}
	}
}

// work brings the partitions nearer to what they should be.
func (m *loop) work(now time.Duration) (next time.Duration) {
	m.assign()
	next = forever
	for n := range m.parts {
		p := &m.parts[n]
		if p.busy {
			continue
		}
		mine := m.owners[n] == m.worker && m.session.Alive(&m.rules, now) && m.synced && !m.leaving
		switch {
		case p.hold.Phase == Foreign && p.acquired:
			m.call(n, func(context.Context) error {
				m.options.Partitions.Drop(n)
				return nil
			}, func(p *part, _ error) { p.acquired = false })
		case p.hold.Phase == Foreign && (mine || p.claimed) && now < p.retry:
			next = min(next, p.retry)
		case p.hold.Phase == Foreign && (mine || p.claimed):
			m.want(n)
		case p.hold.Phase == Mine && !mine && m.session.Alive(&m.rules, now) && (m.synced || m.leaving):
			m.drain(n)
		}
	}
	return next
}

// call makes a call for a partition in another goroutine, and has the loop go on after it.
func (m *loop) call(n int, do func(ctx context.Context) error, then func(p *part, err error)) {
	p, ctx := &m.parts[n], m.ctx
	p.busy = true
	go func() {
		err := do(ctx)
		m.post(func(*loop) {
			p.busy = false
			then(p, err)
		})
	}()
}

// limited has a call wait until few others are under way.
func limited(reads chan struct{}, do func(ctx context.Context) error) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		select {
		case reads <- struct{}{}:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		defer func() { <-reads }()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return do(ctx)
	}
}

// want reads the end of the log of a partition, and claims the partition if the worker should have
// it. It also claims what it holds in the log and could not release: nobody else may claim that.
func (m *loop) want(n int) {
	var tail journal.Tail
	changes := m.changes
	m.call(n, limited(m.reads, func(ctx context.Context) (err error) {
		tail, err = m.options.Journal.Tail(ctx, n)
		return err
	}), func(p *part, err error) {
		now := m.now()
		if err != nil {
			p.retry = now + m.options.Beat
			m.failed("the end of the log of a partition cannot be read", n, err)
			return
		}
		p.session = tail.Session
		if tail.Session != m.session.ID || tail.Released {
			p.claimed = p.claimed && now < p.late
			if m.owners == nil || m.owners[n] != m.worker {
				p.retry = now + m.options.Beat
				return
			}
		}
		end := Tail{Sequence: tail.Sequence, Session: tail.Session, Released: tail.Released}
		hold, e := p.hold.Want(&m.rules, m.session, now, end, tail.Session != 0 && m.over(tail.Session))
		if e.Kind == None {
			if p.retry = now + m.rules.Lease; m.changes != changes { // or when the key of the owner says more
				p.retry = now + m.options.Beat/20
			}
			return
		}
		p.hold, p.claimed = hold, true
		tail.Claimant = e.Session
		m.acquire(n, e, tail, time.Now().Add(hold.Ready-now))
	})
}

// acquire claims a partition.
func (m *loop) acquire(n int, e Entry, tail journal.Tail, ready time.Time) {
	m.call(n, limited(m.reads, func(ctx context.Context) error {
		return m.options.Partitions.Acquire(ctx, n, tail, ready)
	}), func(p *part, err error) {
		if err != nil {
			now := m.now()
			p.hold = p.hold.Refused(&m.rules, m.session, e)
			p.retry, p.late = now+m.options.Beat, now+m.rules.Lease
			if errors.Is(err, journal.ErrFenced) {
				p.retry, p.late = now+m.options.Beat/20, 0
				return
			}
			m.failed("a partition cannot be acquired", n, err)
			return
		}
		p.acquired = true // even if the session is another one now: then it is dropped
		p.hold = p.hold.Claimed(&m.rules, m.session, m.now(), e, Tail{Sequence: tail.Sequence})
	})
}

// drain hands a partition over.
func (m *loop) drain(n int) {
	p, s := &m.parts[n], m.session
	p.hold = p.hold.Drain()
	m.call(n, func(ctx context.Context) error { return m.options.Partitions.Drain(ctx, n) }, func(p *part, err error) {
		if err != nil {
			p.hold = p.hold.Refused(&m.rules, m.session, Entry{Kind: Released, Session: s.ID})
			m.failed("a partition cannot be drained", n, err)
			return
		}
		p.acquired, p.claimed, p.retry, p.session = false, false, 0, s.ID
		if hold, e := p.hold.Release(&m.rules, m.session); e.Kind == Released {
			p.hold = hold.Saved(m.session, e, hold.Last)
			m.moves++
		}
	})
}

// failed logs the error of a call of a session that is not over, once a guard for all partitions.
func (m *loop) failed(text string, partition int, err error) {
	now := m.now()
	if last, known := m.logged[text]; !m.session.Over && (!known || now-last >= m.rules.Guard) {
		m.logged[text] = now
		m.log.Warn(text, "partition", partition, "error", err)
	}
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
	b := m.bucket
	go func() {
		grave := value{s.ID, left, m.moves}.encode()
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
