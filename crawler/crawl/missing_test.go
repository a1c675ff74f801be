package crawl

import (
	"context"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/crawler/internal/objects"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestSearchAgain ends a pass of a searcher, as the end of the crawl does: the last pass, which has
// time, reads its partitions.
func TestSearchAgain(t *testing.T) {
	store, err := objects.Open(t.Context(), objects.Options{URL: "file://" + t.TempDir()})
	fatal.If(t, err)
	defer store.Close()
	p := new(journal.Partition)
	s := &searcher{depot: &depot{objects: store, crawl: "../"}, waiting: map[*journal.Partition]bool{p: true},
		missing: make(map[missingKey]*missingPages)}
	ended, end := context.WithCancel(t.Context())
	end()
	s.pass(ended)
	if !s.waiting[p] {
		t.Errorf("%d partitions wait", len(s.waiting))
	}
}
