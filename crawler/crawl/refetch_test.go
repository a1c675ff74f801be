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

	"github.com/robotsexclusion/robots/crawler/warc"
)

// TestRefetched kills a crawl again and again. After each kill the crawl must not request more
// pages again than requests were open, because the earlier answers are in the archive.
func TestRefetched(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	const pages, workers = 1600, 8
	var mu sync.Mutex
	asked := make(map[string]int)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked[r.Host+r.URL.Path]++
		mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/" {
			for i := range pages / 40 {
				fmt.Fprintf(w, "<a href=/p%d>p</a>", i)
			}
		}
		fmt.Fprintf(w, "<p>%d %d %d", rand.Int(), rand.Int(), rand.Int())
	})
	ch := &robotTask{Dir: filepath.Join(t.TempDir(), "crawl"),
		Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Workers: workers, Pause: 20 * time.Millisecond,
		Delay: 20 * time.Millisecond}
	for range 40 {
		s := httptest.NewServer(handler)
		defer s.Close()
		ch.Seeds = append(ch.Seeds, s.URL+"/")
	}
	again, kills := 0, 0
	for {
		p := ch.start(t)
		after := time.Duration(300+rand.IntN(500)) * time.Millisecond
		if kills == 8 {
			after = time.Hour
		}
		timer := time.AfterFunc(after, func() { p.Process.Kill() })
		if err := p.Wait(); err == nil {
			timer.Stop()
			break
		}
		kills++
		time.Sleep(served)
		now := 0
		mu.Lock()
		for path, n := range asked {
			if !strings.HasSuffix(path, "/robots.txt") {
				now += n - 1
			}
		}
		mu.Unlock()
		t.Logf("kill %d: %d pages asked for again, with %d open at most", kills, now-again, workers)
		again = now
	}
	if kills < 3 {
		t.Errorf("there were %d kills", kills)
	}
	if again > kills*workers {
		t.Errorf("%d pages were asked for again in %d kills with %d open at most", again, kills, workers)
	}
	// Each answer is in the archive once, including those about robots.txt. Requests open at a kill
	// have no answer there.
	for r := range archived(t, ch.Dir) {
		if r.Type() == warc.TypeResponse {
			asked[strings.TrimPrefix(r.URL(), "http://")]--
		}
	}
	vain := 0
	for path, n := range asked {
		if n < 0 {
			t.Errorf("%s is in the archive %d times more than it was asked for", path, -n)
		}
		vain += n
	}
	if vain > kills*workers {
		t.Errorf("%d answers are not in the archive, after %d kills with %d open at most", vain, kills, workers)
	}
}
