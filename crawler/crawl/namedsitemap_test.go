package crawl_test

import (
	"testing"

	"github.com/robotsexclusion/robots/crawler/crawl"
)

// A sitemap may be named by a path, although its URL should be absolute. A word is not a path.
func TestSitemapByPath(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{
		"/robots.txt": "User-agent: *\nSitemap: /maps/a.txt\nSitemap: maps/b.txt?x\nSitemap: none\nSitemap:\n" +
			"Sitemap: mailto:x@example.com\nSitemap: http://[::1\n",
		"/": "home",
	})
	c := newCrawler(t)
	c.Archive = nil
	summary, err := crawl.New(*c).Run(t.Context(), s.URL)
	if err != nil || !summary.Finished {
		t.Fatalf("%+v, %v", summary, err)
	}
	if len(s.asked) != 4 || s.asked["/maps/a.txt"] != 1 || s.asked["/maps/b.txt"] != 1 {
		t.Errorf("asked for %v", s.asked)
	}
}
