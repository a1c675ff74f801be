package monitorshare

import (
	"context"
	"errors"
	"time"
)

// errLate is the cause of the end of a lease.
var errLate = errors.New("no heartbeat was stored in time")

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

// alive reports whether another member may still have its lease.
func (m *member) alive(id string) bool {
	o := m.others[id]
	return o != nil && !m.seen.After(o.last.Add(grace(o.lease)))
}

// grace is how long a member without a heartbeat may have its lease: the clocks of two machines do not run at exactly the same speed.
func grace(lease time.Duration) time.Duration { return lease + lease/4 }
