package store

import (
	"sync"

	"github.com/cockroachdb/pebble/v2"
)

// A compactionScheduler decides when Pebble may merge tables (compaction): one merge at a time, and
// none before the store is open. Pebble's own scheduler lets a merge begin while logs are
// read after a crash, and opening then waits for the end of the merge, for a second or
// more.
//
// Pebble asks by TrySchedule. After a refusal Pebble does not ask again, but waits for an
// offer, which grant makes.
type compactionScheduler struct {
	db pebble.DBForCompaction

	mu       sync.Mutex
	settled  sync.Cond // signaled when granting becomes false
	begun    bool
	ended    bool
	busy     bool // a merge runs or is offered
	granting bool
	refused  bool // a merge was refused since the last offer
}

// Register implements [pebble.CompactionScheduler].
func (m *compactionScheduler) Register(_ int, db pebble.DBForCompaction) {
	m.db = db
	m.settled.L = &m.mu
}

// Unregister implements [pebble.CompactionScheduler].
func (m *compactionScheduler) Unregister() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ended = true
	for m.granting {
		m.settled.Wait()
	}
}

// TrySchedule implements [pebble.CompactionScheduler]. It is called with locks of
// the database held.
func (m *compactionScheduler) TrySchedule() (bool, pebble.CompactionGrantHandle) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.begun || m.ended || m.busy {
		m.refused = true
		return false, nil
	}
	m.busy = true
	return true, m
}

// UpdateGetAllowedWithoutPermission implements [pebble.CompactionScheduler]: the number
// is always one.
func (m *compactionScheduler) UpdateGetAllowedWithoutPermission() {}

// Started implements [pebble.CompactionGrantHandle].
func (m *compactionScheduler) Started() {}

// MeasureCPU implements [pebble.CompactionGrantHandle].
func (m *compactionScheduler) MeasureCPU(pebble.CompactionGoroutineKind) {}

// CumulativeStats implements [pebble.CompactionGrantHandle].
func (m *compactionScheduler) CumulativeStats(pebble.CompactionGrantHandleStats) {}

// Done implements [pebble.CompactionGrantHandle]: a merge has ended.
func (m *compactionScheduler) Done() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.busy = false
	m.grant()
}

// begin lets merges begin.
func (m *compactionScheduler) begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.begun = true
	m.grant()
}

// grant offers a merge to the database, if the database waits for one. m.mu must be held;
// grant unlocks it while it calls the database.
func (m *compactionScheduler) grant() {
	for m.granting {
		m.settled.Wait()
	}
	for m.begun && !m.ended && !m.busy {
		m.busy, m.granting, m.refused = true, true, false
		m.mu.Unlock()
		taken := false
		if waiting, _ := m.db.GetWaitingCompaction(); waiting {
			taken = m.db.Schedule(m)
		}
		m.mu.Lock()
		m.granting = false
		m.settled.Broadcast()
		if taken {
			return // the merge may have ended already
		}
		m.busy = false
		if !m.refused {
			return
		}
	}
}
