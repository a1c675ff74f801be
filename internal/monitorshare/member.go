package monitorshare

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/monitor"
)

// A member is this instance with one name, until its lease ends. The states of a part at this member:
//
//	state     the part is watched here   entered when                                left when
//	none      no                         a member begins, work has ended, or         a start
//	                                     a part could not be taken
//	taking    no                         the owner is dead or there is none, and     its values have been read:
//	                                     this member should own it; or the owner     held; or an error: none
//	                                     before has written this member's name
//	held      yes                        its values have been read                   a start
//	leaving   until its work has ended   another member should own it, or owns it    its work has ended: none
//
// Only the goroutine of run changes states; other goroutines do the work, and send it a result.
type member struct {
	*Share
	take   func(context.Context, int) error
	leave  func(int)
	joined func()

	id    string
	ctx   context.Context // done when the lease ends
	lapse context.CancelCauseFunc

	mu    sync.Mutex
	until time.Time // the end of the lease
	held  map[int]bool
	sent  map[uint64]time.Time // heartbeats that have not come back

	// Used by the goroutine of run.
	began   time.Time
	seen    time.Time         // when the heartbeat was sent that came back last
	others  map[string]*other // by name
	gone    map[string]bool   // members that have left in order
	parts   [monitor.Parts]part
	results chan result
	running int
	live    []string // the members for which wants was made
	wants   [monitor.Parts]string
	failure string // of a part, that was reported
}

// An other is another member.
type other struct {
	last  time.Time // when its last heartbeat came
	lease time.Duration
}

type partState uint8

const (
	none partState = iota
	taking
	held
	leaving
)

// A part is a part of the sites.
type part struct {
	state    partState
	owner    string
	lease    time.Duration // of the owner
	revision uint64
	unknown  time.Time // when an owner without a heartbeat was seen
	cancel   context.CancelFunc
}

// A result is the outcome of work on a part.
type result struct {
	part     int
	state    partState
	owner    string // if revision is not 0
	revision uint64
	err      error
}

const maxWork = 16 // parts that are taken or left at a time

// errLate is the cause of the end of a lease.
var errLate = errors.New("no heartbeat was stored in time")

// run is a member until ctx is done or the lease ends, and returns why.
func (m *member) run(ctx context.Context) error {
	if err := m.open(ctx); err != nil {
		return err
	}
	m.ctx, m.lapse = context.WithCancelCause(context.WithoutCancel(ctx))
	defer m.lapse(nil)
	members, err := m.members.Watch(m.ctx, m.group+".*")
	if err != nil {
		return err
	}
	defer func() { go members.Stop() }() // waits five seconds for a server that does not answer
	parts, err := m.bucket.Watch(m.ctx, m.group+".part.*")
	if err != nil {
		return err
	}
	defer func() { go parts.Stop() }()
	m.start()
	var beating sync.WaitGroup
	beating.Go(m.beat)
	beating.Go(m.expire)
	defer func() {
		m.lapse(nil)
		beating.Wait()
	}()
	tick := time.NewTicker(m.retry())
	defer tick.Stop()
	current := 0 // watches that have given all values
	for {
		select {
		case <-ctx.Done():
			m.end()
			return context.Cause(ctx)
		case <-m.ctx.Done():
			m.end()
			return context.Cause(m.ctx)
		case value, ok := <-members.Updates():
			switch {
			case !ok:
				m.lapse(errors.New("the NATS server ended the list of members"))
			case value == nil:
				current++
			default:
				m.seeMember(value)
			}
			continue // the tick decides: heartbeats come all the time
		case value, ok := <-parts.Updates():
			switch {
			case !ok:
				m.lapse(errors.New("the NATS server ended the list of parts"))
			case value == nil:
				current++
			default:
				m.seePart(value)
			}
			continue
		case r := <-m.results:
			m.finish(r)
		case <-tick.C:
			if time.Since(later(m.began, m.seen)) > 3*m.lease {
				m.lapse(errors.New("heartbeats are stored, and do not come back"))
			}
		}
		if current == 2 && !m.seen.IsZero() && m.ctx.Err() == nil {
			m.joined()
			m.balance()
		}
	}
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// start gives the member a name and its first lease, in which it has no part.
func (m *member) start() {
	m.id, m.began = rand.Text()[:16], time.Now()
	m.until = m.began.Add(m.lease)
	m.held, m.sent = make(map[int]bool), make(map[uint64]time.Time)
	m.others, m.gone, m.results = make(map[string]*other), make(map[string]bool), make(chan result)
	m.Share.mu.Lock()
	defer m.Share.mu.Unlock()
	m.now, m.name = m, m.id
}

// holds reports whether a part is this member's.
func (m *member) holds(part int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.held[part] && time.Now().Before(m.until) && m.ctx.Err() == nil
}

func (m *member) setHeld(part int, held bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if held {
		m.held[part] = true
	} else {
		delete(m.held, part)
	}
}

// beat stores heartbeats until the lease ends.
func (m *member) beat() {
	for n := uint64(1); m.ctx.Err() == nil; n++ {
		sent := time.Now()
		m.mu.Lock()
		m.sent[n] = sent
		m.mu.Unlock()
		ctx, cancel := context.WithTimeout(m.ctx, m.exchange())
		_, err := m.members.Put(ctx, m.group+"."+m.id, formatHeartbeat(n, m.lease))
		cancel()
		pause := m.retry()
		if err == nil {
			pause = m.lease/3 - time.Since(sent)
			m.renew(sent)
		}
		sleep(m.ctx, pause)
	}
}

// renew makes the lease longer, unless it has ended before the answer came.
func (m *member) renew(sent time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if time.Now().After(m.until) {
		m.lapse(errLate)
		return
	}
	m.until = sent.Add(m.lease)
}

// expire ends the membership with the lease.
func (m *member) expire() {
	for m.ctx.Err() == nil {
		m.mu.Lock()
		left := time.Until(m.until)
		m.mu.Unlock()
		if left <= 0 {
			m.lapse(errLate)
		}
		sleep(m.ctx, left)
	}
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// seeMember notes a heartbeat, or that a member left.
func (m *member) seeMember(value jetstream.KeyValueEntry) {
	id := strings.TrimPrefix(value.Key(), m.group+".")
	if value.Operation() != jetstream.KeyValuePut {
		m.gone[id] = true
		delete(m.others, id)
		return
	}
	n, lease, err := parseHeartbeat(value.Value())
	switch {
	case err != nil: // of a later version of the program, with rules of its own
		m.lapse(fmt.Errorf("the heartbeat of %s: %w", id, err))
	case id != m.id:
		m.others[id] = &other{time.Now(), lease}
	default:
		m.mu.Lock()
		defer m.mu.Unlock()
		if sent, ok := m.sent[n]; ok {
			m.seen = sent
		}
		for i := range m.sent {
			if i <= n {
				delete(m.sent, i)
			}
		}
	}
}

// seePart notes the owner of a part.
func (m *member) seePart(value jetstream.KeyValueEntry) {
	n, err := strconv.Atoi(strings.TrimPrefix(value.Key(), m.partKey(0)[:len(m.partKey(0))-1]))
	if err != nil || n < 0 || n >= monitor.Parts || value.Revision() <= m.parts[n].revision {
		return
	}
	var owner string
	var lease time.Duration
	if value.Operation() == jetstream.KeyValuePut {
		if owner, lease, err = parseOwner(value.Value()); err != nil {
			m.lapse(fmt.Errorf("the owner of part %d: %w", n, err))
			return
		}
	}
	m.own(n, owner, lease, value.Revision())
}

// own notes the owner of a part.
func (m *member) own(n int, owner string, lease time.Duration, revision uint64) {
	p := &m.parts[n]
	p.owner, p.lease, p.revision, p.unknown = owner, lease, revision, time.Time{}
	if owner != m.id && p.state == taking {
		p.cancel()
	}
}

// alive reports whether another member may still have its lease.
func (m *member) alive(id string) bool {
	o := m.others[id]
	return o != nil && !m.seen.After(o.last.Add(grace(o.lease)))
}

// grace is how long a member without a heartbeat may have its lease: the clocks of two machines do not run at exactly the same speed.
func grace(lease time.Duration) time.Duration { return lease + lease/4 }

// ownerless reports whether no member can have a part.
func (m *member) ownerless(p *part) bool {
	switch {
	case p.owner == "" || m.gone[p.owner]:
		return true
	case p.owner == m.id:
		return false
	case m.others[p.owner] != nil:
		return !m.alive(p.owner)
	case p.unknown.IsZero(): // it is new, or dead for so long that its heartbeat was removed
		p.unknown = time.Now()
	}
	return m.seen.After(p.unknown.Add(grace(p.lease)))
}

// balance starts what is to be done.
func (m *member) balance() {
	m.choose()
	for n := range m.parts {
		if m.running >= maxWork {
			return
		}
		p := &m.parts[n]
		switch want := m.wants[n]; {
		case p.state == taking || p.state == leaving:
		case p.owner != m.id && p.state == held:
			p.cancel()
			m.setHeld(n, false)
			m.begin(n, leaving, func(context.Context) result {
				m.leave(n)
				return result{}
			})
		case p.owner == m.id && want != m.id:
			was, revision, lease := p.state, p.revision, m.lease
			if o := m.others[want]; o != nil {
				lease = o.lease
			}
			m.begin(n, leaving, func(context.Context) result {
				if was == held {
					m.leave(n)
				}
				m.setHeld(n, false)
				return m.write(n, want, lease, revision)
			})
		case p.owner == m.id && p.state == none:
			m.begin(n, taking, func(ctx context.Context) result { return m.receive(ctx, n, result{}) })
		case p.owner != m.id && want == m.id && m.ownerless(p):
			revision := p.revision
			m.begin(n, taking, func(ctx context.Context) result {
				r := m.write(n, m.id, m.lease, revision)
				if r.err != nil {
					return r
				}
				return m.receive(ctx, n, r)
			})
		}
	}
}

// choose decides which member should own each part: of those that live, the one with the largest hash of its name and the part.
func (m *member) choose() {
	live := []string{m.id}
	for id := range m.others {
		if m.alive(id) {
			live = append(live, id)
		}
	}
	slices.Sort(live)
	if slices.Equal(live, m.live) {
		return
	}
	m.live = live
	for n := range m.wants {
		most := uint64(0)
		for _, id := range live {
			sum := sha256.Sum256([]byte(id + " " + strconv.Itoa(n)))
			if h := binary.BigEndian.Uint64(sum[:]); h >= most {
				most, m.wants[n] = h, id
			}
		}
	}
}

// begin starts work on a part.
func (m *member) begin(n int, state partState, work func(context.Context) result) {
	p := &m.parts[n]
	ctx := m.ctx
	if state == taking {
		ctx, p.cancel = context.WithCancel(m.ctx)
	}
	p.state = state
	m.running++
	go func() {
		r := work(ctx)
		r.part = n
		m.results <- r
	}()
}

// write writes the owner of a part in place of a revision.
func (m *member) write(n int, owner string, lease time.Duration, revision uint64) result {
	ctx, cancel := context.WithTimeout(m.ctx, m.exchange())
	defer cancel()
	revision, err := put(ctx, m.bucket, m.partKey(n), formatOwner(owner, lease), revision)
	if err != nil {
		return result{err: err}
	}
	return result{owner: owner, revision: revision}
}

// receive takes a part that is this member's.
func (m *member) receive(ctx context.Context, n int, r result) result {
	m.setHeld(n, true)
	if r.err = m.take(ctx, n); r.err != nil {
		m.setHeld(n, false)
		return r
	}
	r.state = held
	return r
}

// finish takes the result of work.
func (m *member) finish(r result) {
	m.running--
	p := &m.parts[r.part]
	p.state = r.state
	if r.state == none && p.cancel != nil {
		p.cancel()
	}
	if r.revision > p.revision {
		m.own(r.part, r.owner, m.lease, r.revision)
	}
	if r.err == nil || m.ctx.Err() != nil || errors.Is(r.err, monitor.ErrRevision) || errors.Is(r.err, context.Canceled) {
		return
	}
	if text := r.err.Error(); text != m.failure {
		m.failure = text
		m.notice(fmt.Errorf("a part of the sites cannot be taken or left now: %w", r.err))
	}
}

// end ends the work on all parts. If the lease has not ended, it tells the other members, so that they need not wait.
func (m *member) end() {
	for n := range m.parts {
		if p := &m.parts[n]; p.state == taking {
			p.cancel()
		}
	}
	for m.running > 0 {
		m.finish(<-m.results)
	}
	var work sync.WaitGroup
	for n := range m.parts {
		if p := &m.parts[n]; p.state == held {
			work.Go(func() {
				m.leave(n)
				m.setHeld(n, false)
				p.cancel()
			})
		}
	}
	work.Wait()
	m.Share.mu.Lock()
	m.now = nil
	m.Share.mu.Unlock()
	if m.ctx.Err() == nil {
		ctx, cancel := context.WithTimeout(m.ctx, m.exchange())
		defer cancel()
		m.members.Delete(ctx, m.group+"."+m.id) // an error costs the others the lease
	}
}
