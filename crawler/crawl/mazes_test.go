package crawl_test

import (
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// mazes are the endless hosts of the wild web, with the maximum number of requests that a crawl
// makes to each. A maximum is a quarter more than the crawl made on busy machines: the place of a
// maze among the hosts and the order of answers decide how many requests the crawl needs to notice
// the maze.
var mazes = map[string]int{
	"maze-tokens":       250,
	"maze-numbers":      1300,
	"maze-parameter":    1300,
	"maze-names":        450,
	"maze-mirrors":      1100,
	"maze-orders":       450,
	"maze-filters":      600,
	"maze-soft-404":     500,
	"maze-clock":        3000,
	"maze-session-path": 300,
	"maze-facets":       1000,
	"maze-redirects":    500,
	"maze-feed":         240,
	"maze-encoded":      240,
	"maze-unicode":      450,
	"maze-semicolons":   450,
	"maze-letters":      450,
	"maze-sitemaps":     20,
}

// TestMazes crawls hosts with endless pages of every kind, and honest hosts that look like them.
// The crawl must stay within the limits of the table on the endless hosts, and miss no page of
// the honest ones. Without ROBOTS_CORPUS_ALL it crawls every third kind.
func TestMazes(t *testing.T) {
	corpus.Unraced(t)
	t.Parallel()
	var kinds []string
	for i, k := range testweb.Mazes() {
		if corpus.All() || i%3 == 0 && !testing.Short() || i%6 == 0 {
			kinds = append(kinds, k.Name)
		}
	}
	web := startWild(t, testweb.Options{Hosts: len(kinds), Token: "TestBot", Kinds: kinds, Texts: []string{"empty"}})
	ch := newTask(web, t.TempDir())
	ch.Delay, ch.NoArchive = time.Millisecond, true
	c := ch.crawler()
	summary, err := crawl.NewQuick(*c).Run(t.Context(), web.Seeds()...)
	if err != nil || !summary.Finished {
		t.Fatalf("%+v, %v", summary, err)
	}
	options := wildCheck
	options.MinDelay, options.MaxTrapped = time.Millisecond, 1<<20
	wantPolite(t, web, options)
	asked := make(map[string]int)
	for r := range web.Requests() {
		asked[r.URL[:strings.IndexByte(r.URL[len("http://"):], '/')+len("http://")]]++
	}
	for i := range web.Len() {
		name, _, _ := strings.Cut(web.Describe(i), ",")
		n, most := asked[web.Origin(i)], mazes[name]
		if most > 0 && n > most {
			t.Errorf("%s: %d requests, want %d at most", name, n, most)
		}
		t.Logf("%s: %d requests", name, n)
	}
	t.Logf("%d pages, %v", summary.Pages, summary.Reasons)
}
