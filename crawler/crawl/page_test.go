package crawl_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/robotsexclusion/robots/crawler/crawl"
)

// TestOnPage collects the pages of a crawl: each that was read, once, and nothing else.
func TestOnPage(t *testing.T) {
	s := newSite(t, map[string]string{
		"/robots.txt": "User-agent: *\nDisallow: /closed\n",
		"/":           `<title>Home</title><a href="/a">a</a> <a href="/closed">no</a> <a href="/missing">m</a> <a href="/copy">c</a>`,
		"/a":          `<title>A</title><meta name=robots content="noindex, nofollow"><a href="/b">b</a>`,
		"/copy":       `<title>Home</title><a href="/a">a</a> <a href="/closed">no</a> <a href="/missing">m</a> <a href="/copy">c</a>`,
	})
	c := newCrawler(t)
	var mu sync.Mutex
	var got []string
	c.OnPage = func(p *crawl.Page) {
		mu.Lock()
		defer mu.Unlock()
		v := p.Verdict
		got = append(got, fmt.Sprintf("%s %d %s %v %q %d links %d bytes %s %t %t %t %s",
			strings.TrimPrefix(p.Line.URL, s.URL), p.Line.Status, p.Line.Reason,
			*p.Line.Index, p.Line.Title, len(p.Doc.Links), len(p.Body), p.Header.Get("Content-Type"), v.Fetch, v.Index,
			v.Follow, v.Match.Reason))
	}
	summary, err := crawl.New(*c).Run(t.Context(), s.URL)
	if err != nil || summary.Pages != 4 { // one is missing
		t.Fatalf("%+v, %v", summary, err)
	}
	slices.Sort(got)
	want := []string{
		`/ 200  true "Home" 4 links 109 bytes text/html true true true no-rule`,
		`/a 200  false "A" 1 links 80 bytes text/html true false false no-rule`,
		`/copy 200 duplicate true "Home" 4 links 109 bytes text/html true true true no-rule`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
