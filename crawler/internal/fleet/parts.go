package fleet

import (
	"context"
	"errors"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
)

// A part is a partition, as the loop sees it.
type part struct {
	hold     Hold
	busy     bool          // a call is under way
	acquired bool          // Drop or Drain has to come
	session  uint64        // of the log, when it was read
	retry    time.Duration // when it is read again
	claimed  bool          // the log may have a claim of this session that nothing follows
	late     time.Duration // until when such a claim may still reach the log
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
