package crawl_test

import (
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/result"
)

// A host whose robots.txt asks for pauses of centuries does not keep the crawl: its URLs are
// dropped, also those that are found later and in a later run. It is asked for its robots.txt once.
func TestMaxPause(t *testing.T) {
	t.Parallel()
	slow := newSite(t, map[string]string{"/robots.txt": "User-agent: *\nCrawl-delay: 99999999999\n" +
		"Sitemap: /map.xml\n"})
	steady := newSite(t, map[string]string{"/robots.txt": "User-agent: *\nRequest-rate: 1/2h\n", "/": "never"})
	quick := newSite(t, map[string]string{
		"/":  "<a href=/a>a</a><a href='" + slow.URL + "/1'>1</a><a href='" + steady.URL + "/'>2</a>",
		"/a": "<a href=/b>b</a>", "/b": "<a href=/c>c</a>", "/c": "<a href='" + slow.URL + "/2'>2</a>",
	})
	c := newCrawler(t)
	c.Scope.Reach, c.Archive = crawl.Web, nil
	summary, err := crawl.New(*c).Run(t.Context(), quick.URL, slow.URL+"/0")
	if err != nil || !summary.Finished || summary.Reasons[result.LongPause] != 4 {
		t.Fatalf("%+v, %v", summary, err)
	}
	again := *c
	summary, err = crawl.New(again).Run(t.Context(), slow.URL+"/3")
	if err != nil || !summary.Finished || summary.Reasons[result.LongPause] != 5 {
		t.Errorf("again: %+v, %v", summary, err)
	}
	if len(slow.asked) != 1 || slow.asked["/robots.txt"] != 1 || steady.asked["/"] != 0 {
		t.Errorf("asked %v and %v", slow.asked, steady.asked)
	}
	if r := readResults(t, c.Dir)[slow.URL+"/2"]; r["reason"] != "long-pause" || r["status"] != nil {
		t.Errorf("got %v", r)
	}
}

// A later run that accepts longer pauses visits the host.
func TestMaxPauseLater(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"/robots.txt": "User-agent: *\nCrawl-delay: 1\n", "/a": "a", "/b": "b"})
	c := newCrawler(t)
	c.Pauses.MaxPause, c.Archive = 500*time.Millisecond, nil
	summary, err := crawl.New(*c).Run(t.Context(), s.URL+"/a")
	if err != nil || summary.Reasons[result.LongPause] != 1 {
		t.Fatalf("%+v, %v", summary, err)
	}
	c.Pauses.MaxPause = time.Minute
	summary, err = crawl.New(*c).Run(t.Context(), s.URL+"/b")
	if err != nil || !summary.Finished || summary.Pages != 1 || s.asked["/b"] != 1 {
		t.Errorf("%+v, %v, asked %v", summary, err, s.asked)
	}
}
