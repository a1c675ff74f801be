package fetch

import (
	"cmp"
	"container/list"
	"context"
	"fmt"
	"sync"
	"time"
)

// maxPaused is the maximum number of origins for which pauses are remembered, with about 200 bytes
// each. The origin asked least recently is forgotten first.
const maxPaused = 100_000

// pauses has the turns at each origin that asks for a pause. The zero value is
// ready to use, and safe for concurrent use.
type pauses struct {
	mu     sync.Mutex
	hosts  map[string]*list.Element // of *pausedOrigin, by origin
	recent list.List                // most recently asked first
	most   int                      // the limit in place of maxPaused, for tests, or 0
}

// A pausedOrigin is an origin with its last turn, and the longest pause after it.
type pausedOrigin struct {
	origin string
	last   time.Time
	pause  time.Duration
}

// free returns when no pause is left.
func (p *pausedOrigin) free() time.Time { return p.last.Add(p.pause) }

// wait waits for a turn at an origin, by the pace that the origin asks for and a least pause. The
// turns of concurrent callers follow each other. The error wraps that of ctx. If ctx ends before
// the turn, wait returns at once and reserves nothing.
func (p *pauses) wait(ctx context.Context, origin string, pace *pace, least time.Duration) (waited bool, err error) {
	at := time.Now()
	deadline, limited := ctx.Deadline()
	turn, before, ok := p.reserve(origin, at, pace, least, deadline, limited)
	if !ok {
		return false, fmt.Errorf("%w: %w", &PauseError{origin, turn}, context.DeadlineExceeded)
	}
	if !turn.After(at) {
		return false, nil
	}
	timer := time.NewTimer(turn.Sub(at))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true, nil
	case <-ctx.Done():
		p.giveBack(origin, turn, before)
		return true, fmt.Errorf("fetch %s: in the pause that robots.txt asks for: %w", origin, context.Cause(ctx))
	}
}

// reserve returns the next turn at an origin and the turn before, and reserves the next one if it
// is before the deadline.
func (p *pauses) reserve(origin string, at time.Time, pace *pace, least time.Duration, deadline time.Time,
	limited bool) (turn, before time.Time, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	turn = at
	e := p.hosts[origin]
	if e != nil {
		before = e.Value.(*pausedOrigin).last
		turn = pace.turn(before, at, least)
	}
	if limited && !turn.Before(deadline) {
		return turn, before, false
	}
	if e == nil {
		if p.hosts == nil {
			p.hosts = make(map[string]*list.Element)
		}
		e = p.recent.PushFront(&pausedOrigin{origin: origin})
		p.hosts[origin] = e
	} else {
		p.recent.MoveToFront(e)
	}
	of := e.Value.(*pausedOrigin)
	of.last, of.pause = turn, max(least, pace.longest())
	p.forget(at)
	return turn, before, true
}

// forget drops origins whose pause is over, the least recently asked first; above the limit, it
// drops others too. It drops at most two, so that each request costs the same. p.mu must be held.
func (p *pauses) forget(at time.Time) {
	for range 2 {
		e := p.recent.Back()
		if last := e.Value.(*pausedOrigin); last.free().After(at) && len(p.hosts) <= cmp.Or(p.most, maxPaused) {
			return
		}
		delete(p.hosts, p.recent.Remove(e).(*pausedOrigin).origin)
		if len(p.hosts) == 0 {
			return
		}
	}
}

// giveBack gives an unused turn back. If a later turn is reserved already, it stays where it is,
// and so does the pause before it.
func (p *pauses) giveBack(origin string, turn, before time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e := p.hosts[origin]; e != nil {
		if of := e.Value.(*pausedOrigin); of.last.Equal(turn) {
			of.last = before
		}
	}
}
