package feed_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/feed"
	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A target records what it gets.
type target struct {
	got    []string
	failed error // of Sync
	closed int
}

func (x *target) Put(p *index.Page) (string, []string, error) {
	x.got = append(x.got, "put "+p.URL+" "+p.FetchedAt.Format("05"))
	if p.NoSnippet {
		x.got = append(x.got, "no snippet")
	}
	return "", nil, nil
}

func (x *target) Remove(url string, at time.Time) (bool, error) {
	x.got = append(x.got, "remove "+url+" "+at.Format("05"))
	return true, nil
}

func (x *target) Sync() error  { return x.failed }
func (x *target) Close() error { x.closed++; return nil }

// TestTarget sends the pages of a crawl elsewhere: each once if a position is kept, unless the
// pages were not safe, and all of them if none is kept or all are wanted. The robot and the results
// are those of the index of the crawl.
func TestTarget(t *testing.T) {
	f := newFake(t)
	check := func(o feed.Options, want ...string) {
		t.Helper()
		x := new(target)
		o.Target = x
		status := f.update(o)
		if !slices.Equal(x.got, want) || x.closed != 1 || int(status.Indexed+status.Removed) < len(want)-1 {
			t.Errorf("got %q, %+v, want %q", x.got, status, want)
		}
	}
	elsewhere := filepath.Join(f.dir, "told.jsonl")
	a := []string{"put " + u("a") + " 01", "no snippet"}
	f.tell(f.visited(u("a"), "", "<meta name=ExampleBot content=nosnippet><p>a"))
	fatal.If(t, os.Rename(f.results(), elsewhere))
	f.update(feed.Options{Robot: []string{"ExampleBot"}, Results: elsewhere})
	position := filepath.Join(f.dir, "opensearch", "x")
	kept := feed.Options{Index: position}
	check(kept, a...)
	check(kept)
	fatal.If(t, os.Rename(elsewhere, f.results()))
	b := f.visited(u("b"), "", "<p>b")
	f.tell(b)
	f.tell(b.with(result{"status": 404, "reason": "not-found", "index": nil}))
	fatal.If(t, os.Rename(f.results(), elsewhere))
	changes := []string{"put " + u("b") + " 02", "remove " + u("b") + " 02"}

	x := &target{failed: errors.New("no room")}
	full := f.feeder(feed.Options{Index: position, Target: x})
	if err := full.Update(t.Context()); !errors.Is(err, x.failed) || !slices.Equal(x.got, changes) {
		t.Errorf("got %q, %v", x.got, err)
	}
	fatal.If(t, full.Close())
	check(kept, changes...)
	check(kept)
	check(feed.Options{Index: position, Afresh: true}, append(a, changes...)...)
	check(feed.Options{}, append(a, changes...)...)
	check(feed.Options{}, append(a, changes...)...)
	f.finds("a", u("a")) // the index is as it was
}
