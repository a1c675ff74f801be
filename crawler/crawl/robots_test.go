package crawl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/crawl"
)

// TestLongRobots crawls a host whose robots.txt is too long to stay in memory. The crawl must
// still obey the file, and request it only once.
func TestLongRobots(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{
		"/robots.txt": strings.Repeat("# long\n", 2000) + "User-agent: *\nDisallow: /closed/\n",
		"/":           `<a href="/a">a</a> <a href="/closed/x">no</a> <a href="/b">b</a>`,
		"/a":          `<a href="/closed/y">no</a> <a href="/b">b</a>`,
		"/b":          "the end",
	})
	summary, err := crawl.New(*newCrawler(t)).Run(t.Context(), s.URL)
	if err != nil || !summary.Finished {
		t.Fatalf("%+v, %v", summary, err)
	}
	if want := map[string]int{"/robots.txt": 1, "/": 1, "/a": 1, "/b": 1}; fmt.Sprint(s.asked) != fmt.Sprint(want) {
		t.Errorf("asked for %v, want %v", s.asked, want)
	}
}
