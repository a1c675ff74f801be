package store

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestUnseenAllocates checks that Unseen allocates for a batch, and not for each link.
func TestUnseenAllocates(t *testing.T) {
	corpus.Unraced(t)
	s, err := Open(Options{Dir: t.TempDir()})
	fatal.If(t, err)
	defer s.Close()
	items := make([]Item, 1000)
	for i := range items {
		items[i] = Item{URL: fmt.Sprintf("http://h%d.example/%d", i%7, i)}
	}
	b := s.Batch(0)
	for i := range 500 {
		b.Seen(items[i])
	}
	fatal.If(t, b.Commit(1))
	fatal.If(t, s.Compact())
	// The minimum of several runs: Pebble's own goroutines allocate too, now and then.
	allocs := func(items []Item) float64 {
		least := math.Inf(1)
		for range 20 {
			least = min(least, testing.AllocsPerRun(1, func() {
				if _, err := s.Unseen(items); err != nil {
					t.Error(err)
				}
			}))
		}
		return least
	}
	few, many := allocs(items[490:510]), allocs(items)
	if many > few+20 { // lookups read blocks
		t.Errorf("%v allocations for 20 links, %v for 1000", few, many)
	}
}

// TestNextCost checks that done items cost nothing: after thousands were removed from a
// queue, Next reads only the entries that are left.
func TestNextCost(t *testing.T) {
	corpus.Unraced(t)
	s, err := Open(Options{Dir: t.TempDir()})
	fatal.If(t, err)
	defer s.Close()
	const origin = "http://a.example"
	b := s.Batch(0)
	for i := range 3000 {
		b.Seen(Item{URL: fmt.Sprintf("%s/%d", origin, i), Priority: uint8(i / 1000)})
	}
	fatal.If(t, b.Commit(1))
	now := time.Now()
	for seq := range uint64(290) {
		items, err := s.Next(0, origin, now, 10)
		if err != nil || len(items) != 10 {
			t.Fatal(items, err)
		}
		b := s.Batch(0)
		for _, k := range items {
			b.Done(k.Item, State{Fetched: now, Due: now.Add(time.Hour)})
		}
		fatal.If(t, b.Commit(2+seq))
	}
	l := s.lookup()
	defer l.free()
	hk := l.hasher.host(0, origin)
	it, err := queueOf(s.db, hk)
	fatal.If(t, err)
	defer it.Close()
	keys, err := s.leases.due(it, hk, s.hosts.hosts[hk], millis(now), 10)
	stats := it.Stats()
	steps := stats.ForwardStepCount[pebble.InternalIterCall] + stats.ForwardSeekCount[pebble.InternalIterCall]
	if err != nil || len(keys) != 10 || steps > 40 {
		t.Errorf("%d items after %d steps, %v; want 10 after 40 steps at most", len(keys), steps, err)
	}
}
