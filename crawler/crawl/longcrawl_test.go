package crawl_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats-server/v2/server/ats"
	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/internal/test/child"
)

// A longCrawl is a crawl whose pauses take no time: it runs in a bubble of synctest.
type longCrawl struct {
	answer http.HandlerFunc    // answers requests
	change func(*crawl.Config) // or nil
	seeds  []string            // paths
	limit  time.Duration       // the crawl is stopped after this time

	asked   []string // paths of all requests, in order
	summary *crawl.Summary
}

const bubbleKey = "ROBOTS_BUBBLE"

// inBubble runs a crawl and calls check. Both run in a process of their own, because the journal
// keeps timers for later crawls, and a timer must not leave its bubble. The server is outside of
// the bubble, and closes each connection, because time does not pass while a goroutine waits for
// a connection.
func (l *longCrawl) inBubble(t *testing.T, check func(t *testing.T)) {
	if os.Getenv(bubbleKey) == "" {
		t.Parallel()
		out, err := child.Test(t.Name(), bubbleKey+"=1").CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
			t.Fatalf("%v\n%s", err, out)
		}
		t.Logf("%s", out)
		return
	}
	var mu sync.Mutex
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		l.asked = append(l.asked, r.URL.Path)
		l.answer(w, r)
	}))
	s.Config.SetKeepAlivesEnabled(false)
	s.Start()
	defer s.Close()
	ats.Register() // starts a goroutine outside of the bubble that would start in the bubble
	defer ats.Unregister()
	c := newCrawler(t)
	c.Pauses, c.Archive = crawl.Pauses{AddressGap: -1, AddressBudget: -1}, nil
	if l.change != nil {
		l.change(c)
	}
	var seeds []string
	for _, path := range l.seeds {
		seeds = append(seeds, s.URL+path)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), l.limit)
		defer stop()
		var err error
		if l.summary, err = crawl.New(*c).Run(ctx, seeds...); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute) // goroutines of the journal end
	})
	t.Logf("%v, %v: %s", l.summary.Elapsed, l.summary.Reasons, strings.Join(l.asked, " "))
	check(t)
}

// TestShortLivedRobots crawls a host whose pauses are longer than its robots.txt stays fresh. The
// robots.txt that was fetched last must be good enough for the page that waited for it: otherwise
// each turn fetches the file again, and no page is ever visited.
func TestShortLivedRobots(t *testing.T) {
	for name, comment := range map[string]string{"short": "", "long": strings.Repeat("# long\n", 2000)} {
		t.Run(name, func(t *testing.T) {
			l := &longCrawl{seeds: []string{"/a", "/b", "/closed"}, limit: time.Hour}
			l.answer = func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/robots.txt" {
					w.Header().Set("Cache-Control", "no-store")
					fmt.Fprint(w, comment+"User-agent: *\nCrawl-delay: 120\nDisallow: /closed\n")
				}
			}
			l.inBubble(t, func(t *testing.T) {
				if got, want := strings.Join(l.asked, " "), "/robots.txt /a /robots.txt /b /robots.txt"; got != want {
					t.Errorf("it asked for %s, want %s", got, want)
				}
				if !l.summary.Finished || l.summary.Elapsed < 8*time.Minute || l.summary.Elapsed > 11*time.Minute {
					t.Errorf("%+v", l.summary)
				}
			})
		})
	}
}

// TestRevisitsAfterOutage crawls a site without robots.txt continuously. The server then fails for
// longer than Patience lasts. Meanwhile the crawl must request no page, and afterwards it must
// visit the page again. The queue of a host is dropped if no page of the host was ever fetched.
func TestRevisitsAfterOutage(t *testing.T) {
	for name, test := range map[string]struct {
		first, last int // the requests for robots.txt that are refused, from 1 on
		dropped     int64
		pattern     string // of the requests: R for robots.txt, P for the page
	}{
		"visited":       {2, 11, 0, `^RP+R{11}P`},
		"never visited": {1, 100, 1, `^R{7}$`},
	} {
		t.Run(name, func(t *testing.T) {
			l := &longCrawl{seeds: []string{"/"}, limit: 4 * 24 * time.Hour}
			l.change = func(c *crawl.Config) { c.Revisits = &crawl.Revisits{Max: 24 * time.Hour} }
			fetches := 0
			l.answer = func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/robots.txt" {
					return
				}
				if fetches++; test.first <= fetches && fetches <= test.last {
					w.WriteHeader(http.StatusServiceUnavailable)
				} else {
					http.NotFound(w, r)
				}
			}
			l.inBubble(t, func(t *testing.T) {
				got := strings.NewReplacer("/robots.txt", "R", "/", "P").Replace(strings.Join(l.asked, ""))
				if !regexp.MustCompile(test.pattern).MatchString(got) ||
					l.summary.Reasons[result.Unreachable] != test.dropped {
					t.Errorf("the requests were %s, with %v", got, l.summary.Reasons)
				}
			})
		})
	}
}

// TestRefusedForEver crawls hosts with pages that always answer 503 or 429. A host that refuses
// one request after another must not keep a crawl for more than the hour that its robots.txt
// would get, unless the host says when to come again, or answers for another page meanwhile. Pages
// of a host that answers others in between get all of their tries.
func TestRefusedForEver(t *testing.T) {
	const hour = time.Hour
	for name, test := range map[string]struct {
		seeds          []string
		after          string // value of Retry-After
		least, longest time.Duration
		asked          int // requests for refused pages
	}{
		"one page": {[]string{"/good", "/503"}, "", hour, 72 * time.Minute, 7},
		"five pages": {[]string{"/good", "/503/1", "/503/2", "/503/3", "/429/4", "/429/5"}, "", hour, 2 * hour,
			11}, // six, and five while the host answers
		"Retry-After": {[]string{"/503/1", "/429/2"}, "7200", 12 * hour, 13 * hour, 7},
	} {
		t.Run(name, func(t *testing.T) {
			l := &longCrawl{seeds: test.seeds, limit: 100 * 24 * time.Hour}
			l.answer = func(w http.ResponseWriter, r *http.Request) {
				if test.after != "" {
					w.Header().Set("Retry-After", test.after)
				}
				switch {
				case strings.HasPrefix(r.URL.Path, "/503"):
					w.WriteHeader(http.StatusServiceUnavailable)
				case strings.HasPrefix(r.URL.Path, "/429"):
					w.WriteHeader(http.StatusTooManyRequests)
				}
			}
			l.inBubble(t, func(t *testing.T) {
				asked := 0
				for _, path := range l.asked {
					if path != "/robots.txt" && path != "/good" {
						asked++
					}
				}
				refused := len(test.seeds)
				if slices.Contains(test.seeds, "/good") {
					refused--
				}
				if !l.summary.Finished || l.summary.Elapsed < test.least || l.summary.Elapsed > test.longest ||
					asked != test.asked {
					t.Errorf("%d requests for refused pages in %v, want %d in %v to %v", asked, l.summary.Elapsed,
						test.asked, test.least, test.longest)
				}
				if got := l.summary.Reasons[result.ServerError]; got != int64(refused) {
					t.Errorf("%d pages are counted as server errors, want %d: %v", got, refused, l.summary.Reasons)
				}
			})
		})
	}
}
