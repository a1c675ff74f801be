package monitorshare

import (
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
	m.held[part] = held
}

// beat stores heartbeats until the lease ends.
func (m *member) beat() {
	for n := uint64(1); m.ctx.Err() == nil; n++ {
		sent := time.Now()
		m.mu.Lock()
		m.sent[n] = sent
		m.mu.Unlock()
		pause := m.retry()
		if err := m.members.Set(m.ctx, m.group+"."+m.id, formatHeartbeat(n, m.lease)); err == nil {
			pause = m.lease/3 - time.Since(sent)
			m.renew(sent)
		}
		select {
		case <-m.ctx.Done():
		case <-time.After(pause):
		}
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
	m.expiry.Reset(time.Until(m.until))
}

// alive reports whether another member may still have its lease.
func (m *member) alive(id string) bool {
	o := m.others[id]
	return o != nil && !o.left && !m.seen.After(o.last.Add(grace(o.lease)))
}

// grace is how long a member without a heartbeat may have its lease: the clocks of two machines do
// not run at exactly the same speed.
func grace(lease time.Duration) time.Duration { return lease + lease/4 }
