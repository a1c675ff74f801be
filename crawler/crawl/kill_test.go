package crawl_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// longestRetryAfter is the longest pause that a host asks for in a web with short pauses. A
// robot killed before it has read the answer cannot know the pause: it makes a first pause.
const longestRetryAfter = 2 * time.Second

// TestKilled crawls the test web with a process that is killed at random moments and
// restarted. The servers see no difference from a crawl that was not killed: no URL with a
// result is requested again, no link is lost, and no pause is cut short.
func TestKilled(t *testing.T) {
	t.Parallel()
	hosts, most, span := 12, 3, 1500
	switch {
	case testing.Short():
		t.Skip("it takes some time")
	case isWhole():
		hosts, most, span = ofWhole(t, 1000, 40), 20, 6000
	case corpus.All():
		hosts, most = 40, 20
	}
	o := testweb.Options{Hosts: hosts, Pages: 6 * hosts, Scale: 0.01, Token: "TestBot", TLS: true, Kinds: quickKinds(),
		Texts: quickTexts()}
	if isWhole() {
		o.Kinds, o.Texts, o.Shut = nil, nil, 2*time.Minute
	}
	web := startWild(t, o)
	ch := newTask(web, filepath.Join(t.TempDir(), "crawl"))
	ch.Pause = longestRetryAfter
	if ch.Hurried = hurried(); isWhole() {
		ch.Workers, ch.Patience = 64, 2 // as in TestHosts
	}
	fetched := make(map[string]time.Time) // request times of the URLs with a result
	var kills []time.Time
	var cpu time.Duration
	for len(kills) < most {
		p := ch.start(t)
		timer := time.AfterFunc(time.Duration(200+rand.IntN(span))*time.Millisecond, func() { p.Process.Kill() })
		err := p.Wait()
		timer.Stop()
		if text := p.out.String(); strings.HasPrefix(text, "error") {
			t.Fatalf("after %d kills: %s", len(kills), text)
		}
		cpu += p.cpu()
		if err == nil {
			break // the crawl has finished
		}
		time.Sleep(served)
		kills = append(kills, time.Now())
		now := readFetched(t, ch.Dir)
		for url := range fetched {
			if now[url].IsZero() {
				t.Errorf("%s was in the results as done, and is not any more", url)
			}
		}
		if fetched = now; len(fetched) > 0 {
			ch.Seeds = nil // the crawl has the seeds
		}
	}
	t.Logf("%d kills, %d fetched", len(kills), len(fetched))
	p := ch.start(t)
	if err := p.Wait(); err != nil || !strings.Contains(p.out.String(), "finished") {
		t.Fatalf("at last: %v, %s", err, &p.out)
	}
	// Part of the knowledge about traps is in memory only, and a slow page is open at many
	// kills.
	options := wildCheck
	options.Kills, options.Grace = kills, 10*time.Second
	options.MaxTrapped, options.MaxTries = 200*(1+len(kills)), 10+len(kills)
	wantPolite(t, web, options)
	t.Logf("%.1f s, %.1f s of processors", time.Since(web.Began()).Seconds(), (cpu + p.cpu()).Seconds())
	checkFolder(t, ch.Dir, web)
}

// TestKilledUnread kills the robot when a host asks for a pause: in the answer to robots.txt,
// which the robot has then not read, and to some of its pages. The robot is never too early,
// whether it has read the answer or not.
func TestKilledUnread(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	const alone, pages = time.Second, 3
	var (
		mu       sync.Mutex
		robot    *process
		asked    = make(map[string]int)
		answered time.Time // when the server answered 429
	)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if gap := time.Since(answered); gap < alone {
			t.Errorf("%s is asked for %v after the host asked for %v", r.URL.Path, gap, alone)
		}
		if asked[r.URL.Path]++; r.URL.Path != "/" && asked[r.URL.Path] == 1 {
			if r.URL.Path == "/robots.txt" {
				robot.Process.Kill() // otherwise the robot may have time to drop the host
			}
			w.Header().Set("Retry-After", fmt.Sprint(alone.Seconds()))
			w.WriteHeader(http.StatusTooManyRequests)
			answered = time.Now()
			http.NewResponseController(w).Flush()
			robot.Process.Kill()
			return
		}
		if r.URL.Path == "/robots.txt" {
			return
		}
		w.Header().Set("Content-Type", "text/html")
		for i := range pages {
			fmt.Fprintf(w, `<a href="/%d.html">page</a>`, i)
		}
	}))
	defer s.Close()
	ch := &robotTask{Dir: t.TempDir(), Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		Seeds: []string{s.URL}, Pause: alone}
	kills := 0
	for {
		mu.Lock()
		robot = ch.start(t)
		mu.Unlock()
		if err := robot.Wait(); err == nil {
			break
		}
		if kills++; kills > 1+pages {
			t.Fatalf("it was killed %d times: %s", kills, &robot.out)
		}
	}
	for i := range pages {
		if n := asked[fmt.Sprintf("/%d.html", i)]; n < 2 {
			t.Errorf("page %d was asked for %d times", i, n)
		}
	}
	if kills != 1+pages {
		t.Errorf("there were %d kills", kills)
	}
}
