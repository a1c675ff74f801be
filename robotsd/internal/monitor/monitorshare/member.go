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

	"github.com/robotsexclusion/robots/internal/nats"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// A member is this instance with one name, until its lease ends. The states of a part at this
// member:
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

	id      string
	ctx     context.Context // done when the lease ends
	lapse   func(error)
	expiry  *time.Timer  // of the lease
	sites   *nats.Bucket // and the owners of parts
	members *nats.Bucket

	mu    sync.Mutex
	until time.Time // the end of the lease
	held  map[int]bool
	sent  map[uint64]time.Time // heartbeats that have not come back

	// Used by the goroutine of run.
	began   time.Time
	seen    time.Time         // when the heartbeat was sent that came back last
	others  map[string]*other // by name
	parts   [monitor.Parts]part
	results chan result
	running int
	failure string // of a part, that was reported
}

// An other is another member.
type other struct {
	last  time.Time // when its last heartbeat came
	lease time.Duration
	left  bool // in order; a heartbeat that was on the way may come afterwards
}

// run is a member until ctx is done or the lease ends, and returns why.
func (m *member) run(ctx context.Context) error {
	heartbeats, err := m.members.Watch(m.group + ".*")
	if err != nil {
		return err
	}
	owners, err := m.sites.Watch(m.group + ".part.*")
	if err != nil {
		return err
	}
	m.start()
	var beating sync.WaitGroup
	beating.Go(m.beat)
	defer func() {
		m.lapse(nil)
		m.expiry.Stop()
		beating.Wait()
	}()
	tick := time.NewTicker(m.retry())
	defer tick.Stop()
	current := 0 // watches that have given all values
	for ctx.Err() == nil && m.ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-m.ctx.Done():
		case v := <-heartbeats:
			if v.Key == "" {
				current++
			} else {
				m.seeMember(v)
			}
			continue // the tick decides: heartbeats come all the time
		case v := <-owners:
			if v.Key == "" {
				current++
			} else {
				m.seePart(v)
			}
			continue
		case r := <-m.results:
			m.finish(r)
		case <-tick.C:
			if time.Since(m.began) > 3*m.lease && time.Since(m.seen) > 3*m.lease {
				m.lapse(errors.New("heartbeats are stored, and do not come back"))
			}
		}
		if current == 2 && !m.seen.IsZero() && ctx.Err() == nil && m.ctx.Err() == nil {
			m.joined()
			m.balance()
		}
	}
	m.end()
	return context.Cause(m.ctx)
}

// start gives the member a name and its first lease, in which it has no part.
func (m *member) start() {
	m.id, m.began = rand.Text()[:16], time.Now()
	m.until = m.began.Add(m.lease)
	m.expiry = time.AfterFunc(m.lease, func() { m.lapse(errLate) })
	m.held, m.sent = make(map[int]bool), make(map[uint64]time.Time)
	m.others, m.results = make(map[string]*other), make(chan result)
	m.member.Store(m)
}

// seeMember notes a heartbeat, or that a member left.
func (m *member) seeMember(v nats.Value) {
	id := strings.TrimPrefix(v.Key, m.group+".")
	if v.Deleted {
		m.others[id] = &other{left: true}
		return
	}
	n, lease, err := parseHeartbeat(v.Data)
	switch {
	case err != nil: // of a later version of the program, with rules of its own
		m.lapse(fmt.Errorf("the heartbeat of %s: %w", id, err))
	case id != m.id:
		if o := m.others[id]; o == nil || !o.left {
			m.others[id] = &other{last: time.Now(), lease: lease}
		}
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
func (m *member) seePart(v nats.Value) {
	n, err := strconv.Atoi(v.Key[strings.LastIndexByte(v.Key, '.')+1:])
	if err != nil || n < 0 || n >= monitor.Parts || v.Revision <= m.parts[n].revision {
		return
	}
	var owner string
	var lease time.Duration
	if !v.Deleted {
		if owner, lease, err = parseOwner(v.Data); err != nil {
			m.lapse(fmt.Errorf("the owner of part %d: %w", n, err))
			return
		}
	}
	m.own(n, owner, lease, v.Revision)
}

// end ends the work on all parts. If the lease has not ended, it lets the other members know, so
// that they need not wait.
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
	if m.ctx.Err() == nil {
		m.members.Delete(m.group+"."+m.id, 0) // an error costs the others the lease
	}
}
