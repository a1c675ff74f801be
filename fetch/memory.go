package fetch

import (
	"container/list"
	"context"
	"fmt"
	"io/fs"
	"sync"
	"time"
)

// Memory is a [Cache] in memory with a bounded cost. When a Memory is full, it drops the least
// recently used entries. The zero Memory is ready to use.
type Memory struct {
	// MaxCost is the maximum cost of all entries, in bytes; 0 means 64 MiB. An entry costs four
	// times the size of its text plus 2 KiB. Most entries take half of their cost in memory; a
	// text made to be expensive takes three times its cost at most. An entry that costs more
	// than MaxCost is not kept.
	MaxCost int64

	// Behind is a cache that keeps everything, such as a [Dir], or nil. Get looks for missing
	// entries there, and also for entries that are no longer fresh, because another process may
	// have stored a newer one. Put stores entries in Behind as well.
	Behind Cache

	mu      sync.Mutex
	entries map[string]*list.Element // of *Entry
	recent  list.List                // most recently used first
	cost    int64
}

// Get implements [Cache].
func (m *Memory) Get(ctx context.Context, origin string) (*Entry, error) {
	e := m.find(origin)
	if m.Behind != nil && (e == nil || !e.fresh(time.Now())) {
		behind, err := m.Behind.Get(ctx, origin)
		if err == nil && (e == nil || behind.CheckedAt.After(e.CheckedAt)) {
			m.keep(behind)
			return behind, nil
		}
		if e == nil {
			return nil, err
		}
	}
	if e == nil {
		return nil, fmt.Errorf("fetch: memory has no entry for %s: %w", origin, fs.ErrNotExist)
	}
	return e, nil
}

// Put implements [Cache].
func (m *Memory) Put(ctx context.Context, e *Entry) error {
	m.keep(e)
	if m.Behind == nil {
		return nil
	}
	return m.Behind.Put(ctx, e)
}

// find returns the entry of an origin, or nil.
func (m *Memory) find(origin string) *Entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := m.entries[origin]
	if at == nil {
		return nil
	}
	m.recent.MoveToFront(at)
	return at.Value.(*Entry)
}

// keep puts an entry at the front, and drops others until there is room.
func (m *Memory) keep(e *Entry) {
	most := m.MaxCost
	if most == 0 {
		most = 64 << 20
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if old := m.entries[e.Origin]; old != nil {
		m.drop(old)
	}
	if e.cost() > most {
		return
	}
	for m.cost+e.cost() > most {
		m.drop(m.recent.Back())
	}
	if m.entries == nil {
		m.entries = make(map[string]*list.Element)
	}
	m.entries[e.Origin] = m.recent.PushFront(e)
	m.cost += e.cost()
}

func (m *Memory) drop(at *list.Element) {
	e := m.recent.Remove(at).(*Entry)
	delete(m.entries, e.Origin)
	m.cost -= e.cost()
}

// cost estimates the bytes that an entry takes: its text, and what the policy derives from the
// text.
func (e *Entry) cost() int64 {
	cost := int64(2 << 10)
	if e.File != nil {
		cost += 4 * int64(e.File.Size)
	}
	return cost
}
