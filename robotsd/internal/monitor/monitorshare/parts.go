package monitorshare

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/robotsexclusion/robots/internal/nats"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

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

// own notes the owner of a part.
func (m *member) own(n int, owner string, lease time.Duration, revision uint64) {
	p := &m.parts[n]
	p.owner, p.lease, p.revision, p.unknown = owner, lease, revision, time.Time{}
	if owner != m.id && p.state == taking {
		p.cancel()
	}
}

// ownerless reports whether no member can have a part.
func (m *member) ownerless(p *part) bool {
	switch {
	case p.owner == "":
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
	live := []string{m.id}
	for id := range m.others {
		if m.alive(id) {
			live = append(live, id)
		}
	}
	for n := range m.parts {
		if m.running >= maxWork {
			return
		}
		p, want := &m.parts[n], choose(live, n)
		mine := p.owner == m.id
		switch {
		case p.state == taking || p.state == leaving:
		case mine && want != m.id || !mine && p.state == held:
			m.giveUp(n, mine, want)
		case mine && p.state == none || !mine && want == m.id && m.ownerless(p):
			m.takeOver(n, mine)
		}
	}
}

// giveUp ends the work on a part. If the part is this member's, it is the next owner's afterwards;
// else it may be another member's already.
func (m *member) giveUp(n int, mine bool, next string) {
	p := m.parts[n]
	if !mine {
		p.cancel()
		m.setHeld(n, false)
	}
	lease := m.lease
	if o := m.others[next]; o != nil {
		lease = o.lease
	}
	m.begin(n, leaving, func(context.Context) result {
		if p.state == held {
			m.leave(n)
		}
		m.setHeld(n, false)
		if !mine {
			return result{}
		}
		return m.write(n, next, lease, p.revision)
	})
}

// takeOver takes a part that is this member's, or that it makes its own.
func (m *member) takeOver(n int, mine bool) {
	revision := m.parts[n].revision
	m.begin(n, taking, func(ctx context.Context) (r result) {
		if !mine {
			if r = m.write(n, m.id, m.lease, revision); r.err != nil {
				return r
			}
		}
		m.setHeld(n, true)
		if r.err = m.take(ctx, n); r.err != nil {
			m.setHeld(n, false)
			return r
		}
		r.state = held
		return r
	})
}

// choose returns the member that should own a part: the living member with the largest
// hash of its name and the part.
func choose(live []string, part int) (owner string) {
	most := uint64(0)
	for _, id := range live {
		sum := sha256.Sum256([]byte(id + " " + strconv.Itoa(part)))
		if h := binary.BigEndian.Uint64(sum[:]); h >= most {
			most, owner = h, id
		}
	}
	return owner
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
	revision, err := m.sites.Put(ctx, m.partKey(n), formatOwner(owner, lease), revision)
	if err != nil {
		return result{err: err}
	}
	return result{owner: owner, revision: revision}
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
	if r.err == nil || m.ctx.Err() != nil || errors.Is(r.err, nats.ErrRevision) ||
		errors.Is(r.err, monitor.ErrRevision) || errors.Is(r.err, context.Canceled) {
		return
	}
	if text := r.err.Error(); text != m.failure {
		m.failure = text
		m.notice(fmt.Errorf("a part of the sites cannot be taken or left now: %w", r.err))
	}
}
