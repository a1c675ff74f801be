package crawl_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// deadOrigin is a host that refuses connections: no process listens on port 1.
const deadOrigin = "http://127.0.0.1:1"

// failed records in the folder of a crawl that fetching a host's robots.txt has failed so many
// times, the last time a minute ago.
func failed(t *testing.T, dir, origin string, failures int) {
	t.Helper()
	at := time.Now().Add(-time.Minute).UTC()
	err := fetch.Dir(filepath.Join(dir, "robots")).Put(t.Context(), &fetch.Entry{
		Origin: origin, State: fetch.Unreachable, URL: origin + "/robots.txt", Cause: "connection refused",
		CheckedAt: at, FreshUntil: at.Add(59 * time.Second), UnreachableSince: at, Failures: failures,
	})
	fatal.If(t, err)
}

// wantGivenUp fails unless a crawl ends whose site names a sitemap at the dead host.
func wantGivenUp(t *testing.T, c *crawl.Config, seeds ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	summary, err := crawl.New(*c).Run(ctx, seeds...)
	if err != nil || !summary.Finished {
		t.Fatalf("it goes on: %+v, %v", summary, err)
	}
	r := readResults(t, c.Dir)[deadOrigin+"/sitemap.xml"]
	if r["reason"] != "unreachable" || summary.Reasons[result.Unreachable] != 1 {
		t.Errorf("got %v, %v", r, summary.Reasons)
	}
}

func siteWithDeadSitemap(t *testing.T) *site {
	return newSite(t, map[string]string{
		"/robots.txt": "User-agent: *\nDisallow: /closed\n\nSitemap: " + deadOrigin + "/sitemap.xml\n",
		"/":           "<a href=/a>a</a>", "/a": "a",
	})
}

// TestDeadHost checks that a crawl drops a host after a second attempt if it only waits for
// that host, the host never answered, and no seed names it.
func TestDeadHost(t *testing.T) {
	t.Parallel()
	c := newCrawler(t)
	failed(t, c.Dir, deadOrigin, 1)
	s := siteWithDeadSitemap(t)
	wantGivenUp(t, c, s.URL)
	if s.asked["/a"] != 1 {
		t.Errorf("asked for %v", s.asked)
	}
}

// TestDeadHostLater checks that the crawl waits after the first attempt, for a minute at most,
// and that a crawl stopped meanwhile resumes in the same way.
func TestDeadHostLater(t *testing.T) {
	t.Parallel()
	s := siteWithDeadSitemap(t)
	c := newCrawler(t)
	r := start(t, c, s.URL)
	eventually(t, "it waits for the dead host", func() bool {
		s := r.Status(10)
		return s != nil && s.Counts.Done == 2 && s.Busy == 0 && len(s.Hosts) == 1 && s.Hosts[0].Wait == "unreachable"
	})
	h := r.Status(10).Hosts[0]
	if left := time.Until(h.Next); h.Origin != deadOrigin || left > time.Minute {
		t.Errorf("it waits for %v: %+v", left, h)
	}
	if summary, err := r.end(); err != nil || summary.Finished {
		t.Errorf("%+v, %v", summary, err)
	}
	failed(t, c.Dir, deadOrigin, 2)
	again := newCrawler(t)
	again.Dir = c.Dir
	wantGivenUp(t, again)
}

// TestDeadSeed checks that a seed's host, dead or not, gets all attempts that Patience allows.
// So does a host that answers, even if it only answers that it cannot serve its robots.txt
// now.
func TestDeadSeed(t *testing.T) {
	t.Parallel()
	n := newNeighbourhood(t)
	for name, origin := range map[string]string{"dead": deadOrigin, "down": n.origin("down")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := n.crawler(t)
			c.Scope.Reach = crawl.Web
			failed(t, c.Dir, origin, 3)
			seed := newSite(t, map[string]string{"/": "<a href='" + origin + "/x'>x</a>"}).URL
			if name == "dead" {
				seed = deadOrigin
			}
			r := start(t, c, seed)
			eventually(t, "it waits for the host", func() bool {
				s := r.Status(10)
				return s != nil && s.Busy == 0 && len(s.Hosts) == 1 && s.Hosts[0].Wait == "unreachable" &&
					strings.HasPrefix(s.Hosts[0].Origin, origin)
			})
			time.Sleep(100 * time.Millisecond) // a wrong crawl drops the host at once
			if summary, err := r.end(); err != nil || summary.Finished || summary.Counts.Queued != 1 {
				t.Errorf("%+v, %v", summary, err)
			}
		})
	}
}
