package crawl

import (
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/robotsexclusion/robots/crawler/internal/store"
)

// TestBacklog checks that take returns all outcomes in order, and that put waits while the
// backlog takes too much memory. An outcome larger than the limit does not wait forever.
func TestBacklog(t *testing.T) {
	large := &outcome{links: make([]link, 5000)}
	for i := range large.links {
		large.links[i].item = store.Item{URL: strings.Repeat("x", store.MaxURL)}
	}
	if n := large.size(); n <= mostLuggage {
		t.Fatalf("the largest visit takes %d bytes, which fit in a backlog", n)
	}
	synctest.Test(t, func(t *testing.T) {
		b := newBacklog()
		var put sync.WaitGroup
		sent := 0
		put.Go(func() {
			for range 3 {
				b.put(large)
				sent++
			}
			for i := range mostWaiting + 10 {
				b.put(&outcome{item: store.Item{Depth: uint32(i)}})
				sent++
			}
		})
		took := 0
		for _, want := range []int{1, 1, 1, mostWaiting, 10} {
			synctest.Wait()
			visits := b.take()
			if got := len(visits); got != want {
				t.Errorf("after %d visits: took %d, want %d", took, got, want)
			}
			for i, v := range visits {
				if n := took + i - 3; v != large && v.item.Depth != uint32(n) {
					t.Errorf("visit %d is visit %d", n, v.item.Depth)
				}
			}
			took += want
		}
		put.Wait()
		if sent != took {
			t.Errorf("took %d of %d", took, sent)
		}
		b.put(&outcome{})
		b.close()
		if last, end := b.take(), b.take(); len(last) != 1 || end != nil {
			t.Errorf("at the end: took %d and %d", len(last), len(end))
		}
	})
}
