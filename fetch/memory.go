package fetch

import (
	"container/list"
	"context"
	"fmt"
	"io/fs"
	"sync"
	"time"
)

// Memory is a [Cache] in memory, bounded by its cost. When it is full, it drops
// what was not asked for longest. The zero Memory is ready to use.
type Memory struct {
	// MaxCost is what all entries may cost, in bytes; 0 means 64 MiB. An
	// entry costs four times its text and 2 KiB. Of most texts it takes half
	// of that; one that was made to be expensive takes three times as much at
	// most. One that costs more than all may is not kept.
	MaxCost int64

	// Behind is a cache that keeps everything, such as a [Dir]. What is not
	// here is looked for there, and so is what is no longer fresh: another
	// process may have put something newer. What is put here is put there too.
	Behind Cache

	mu      sync.Mutex
	entries map[string]*list.Element // of *Entry
	recent  list.List                // what was used last is at the front
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

// keep puts an entry to the front, and drops others until there is room.
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

// cost returns about how many bytes an entry takes: its text, and what the
// policy finds in it.
func (e *Entry) cost() int64 {
	cost := int64(2 << 10)
	if e.File != nil {
		cost += 4 * int64(e.File.Size)
	}
	return cost
}
