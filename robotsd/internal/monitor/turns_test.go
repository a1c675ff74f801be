package monitor_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// requestOf returns the URL of a page, or the header with which robots.txt is requested.
func requestOf(r *http.Request) string {
	if r.URL.Path == "/robots.txt" {
		return r.Header.Get("User-Agent")
	}
	return "https://a.example" + r.URL.Path
}

// TestTurns checks that each page and each header has its turn at a site that always limits some of
// them. The slow twin is a queue: what a look asked for goes to the end of the queue if the look
// was limited. Every second look is by another process.
func TestTurns(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 0))
			s := monitor.Site{URL: "https://a.example", Every: time.Hour}
			for i := range random.IntN(4) {
				s.Pages = append(s.Pages, fmt.Sprintf("https://a.example/%d", i))
			}
			for i := range 1 + random.IntN(4) {
				s.As = append(s.As, fmt.Sprintf("Bot%d/1.0", i))
			}
			queue := slices.Concat(s.Pages, s.As)
			limited := make(map[string]bool)
			for _, text := range queue {
				limited[text] = random.IntN(2) == 0
			}
			var got []string
			looker := &monitor.Looker{UserAgent: "ExampleWatch/1.0", Lookup: noAddress,
				Transport: answers(func(r *http.Request) (int, string, string, error) {
					text := requestOf(r)
					if text != "ExampleWatch/1.0" {
						got = append(got, text)
					}
					if limited[text] {
						return 429, "Retry-After: 5400", "", nil
					}
					return 200, "", texts["live"], nil
				})}
			var skipped []string
			dir := t.TempDir()
			for range 5 {
				m, err := monitor.New(monitor.Config{Dir: dir, Looker: looker, Sites: []monitor.Site{s},
					Looked: func(l monitor.Look) {
						if l.Err != nil {
							t.Errorf("seed %d: %v", seed, l.Err)
							return
						}
						skipped = l.Observation.Skipped
					}})
				fatal.If(t, err)
				for range 2 {
					got = nil
					m.Once(t.Context())
					time.Sleep(2 * time.Hour)
					n := len(queue)
					if i := slices.IndexFunc(queue, func(text string) bool { return limited[text] }); i >= 0 {
						n = i + 1
					}
					if !slices.Equal(got, queue[:n]) || !slices.Equal(skipped, queue[n:]) {
						t.Fatalf("seed %d: asked for %q and skipped %q, want %q and %q", seed, got, skipped, queue[:n],
							queue[n:])
					}
					queue = slices.Concat(queue[n:], queue[:n])
				}
				m.Close()
			}
		})
	}
}

// TestTurnsOfServer looks at a real server that always limits one robot and one page, and has a
// staging robots.txt for the robot after it.
func TestTurnsOfServer(t *testing.T) {
	var mu sync.Mutex
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text := requestOf(r)
		mu.Lock()
		asked = append(asked, text)
		mu.Unlock()
		switch text {
		case "https://a.example/moved":
			http.Redirect(w, r, "/limited", http.StatusFound)
		case "https://a.example/limited", "GPTBot/1.2":
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
		case "OtherBot/1.0":
			fmt.Fprint(w, texts["staging"])
		default:
			fmt.Fprint(w, texts["live"])
		}
	}))
	defer server.Close()
	looker := &monitor.Looker{UserAgent: "ExampleWatch/1.0",
		Transport: fetch.DialFilter{AllowPrivate: true}.Transport()}
	var found []monitor.Finding
	m, err := monitor.New(monitor.Config{Dir: t.TempDir(), Looker: looker, Looked: func(l monitor.Look) {
		if l.Err != nil {
			t.Error(l.Err)
		}
		found = append(found, l.Findings...)
	}, Sites: []monitor.Site{{URL: server.URL, Pages: []string{server.URL + "/moved", server.URL + "/page"},
		As: []string{"GPTBot/1.2", "OtherBot/1.0"}}}})
	fatal.If(t, err)
	defer m.Close()
	for range 3 {
		m.Once(t.Context())
		time.Sleep(1100 * time.Millisecond) // Retry-After counts in seconds
	}
	want := []string{
		"ExampleWatch/1.0", "https://a.example/moved", "https://a.example/limited",
		"ExampleWatch/1.0", "https://a.example/page", "GPTBot/1.2",
		"ExampleWatch/1.0", "OtherBot/1.0", "https://a.example/moved", "https://a.example/limited",
	}
	if !slices.Equal(asked, want) {
		t.Errorf("got the requests %q, want %q", asked, want)
	}
	if !slices.ContainsFunc(found, func(f monitor.Finding) bool {
		return f.Kind == monitor.Vantage && f.Subject == "OtherBot/1.0"
	}) {
		t.Errorf("the other robots.txt of OtherBot is not found: %+v", found)
	}
}

// TestSkippedPage looks at a site that always limits two robots, so that every second look has no
// turn for pages. A page that had no turn is not forgotten, and its incident does not end: both
// would make a change of the page no news, or news twice.
func TestSkippedPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		looker := &monitor.Looker{UserAgent: "ExampleWatch/1.0", Lookup: noAddress,
			Transport: answers(func(r *http.Request) (int, string, string, error) {
				switch text := requestOf(r); {
				case text == "https://a.example/page" && time.Since(start) > 6*time.Hour:
					return 410, "", "", nil
				case text == "GPTBot/1.2" || text == "OtherBot/1.0":
					return 429, "Retry-After: 3600", "", nil
				}
				return 200, "", texts["live"], nil
			})}
		c := monitor.Config{Dir: t.TempDir(), Looker: looker,
			Sites: []monitor.Site{{URL: "https://a.example", Pages: []string{"https://a.example/page"},
				As: []string{"GPTBot/1.2", "OtherBot/1.0"}}}}
		var told []string
		c.Looked = func(l monitor.Look) {
			for _, u := range l.Updates {
				told = append(told, fmt.Sprint(u.Step, " ", u.Finding.Kind, " ", u.Finding.Subject, " ",
					u.Finding.After))
			}
		}
		watch(t, c, 15*time.Hour)
		want := []string{"begun vantage GPTBot/1.2 429", "begun vantage OtherBot/1.0 429",
			"begun page https://a.example/page 410"}
		if !slices.Equal(told, want) {
			t.Errorf("got %q, want %q", told, want)
		}
	})
}
