package monitorshare

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/cmd/internal/monitor"
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
