package crawl_test

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestLive resumes a crawl with many URLs of many hosts, all of which have something to do:
// ten million URLs of 5,000 hosts in the full test. The crawl is started, killed and
// restarted. The test logs the time of loading the folder and the memory, which stays within
// bounds.
func TestLive(t *testing.T) {
	if !isWhole() { // the full test has the machine for itself
		t.Parallel()
	}
	urls, hosts := ofWhole(t, 10_000_000, 20_000), ofWhole(t, 5000, 50)
	delay, span := 200*time.Millisecond, time.Second
	if isWhole() {
		delay, span = 10*time.Second, time.Minute
	}
	l, err := net.Listen("tcp4", "0.0.0.0:0")
	fatal.If(t, err)
	if c, err := net.Dial("tcp", fmt.Sprintf("127.1.0.1:%d", l.Addr().(*net.TCPAddr).Port)); err != nil {
		t.Skip("127.0.0.0/8 is not all loopback here: ", err)
	} else {
		c.Close()
	}
	var served atomic.Int64
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		served.Add(1)
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>%s</title><a href=/>a</a> <a href=new-%d>b</a>", r.URL.Path, served.Load())
	})}
	go server.Serve(l)
	defer server.Close()
	ch := &robotTask{Dir: filepath.Join(t.TempDir(), "crawl"),
		Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Workers: 128, Delay: delay}
	began := time.Now()
	url := func(i int) string {
		host := i % hosts
		return fmt.Sprintf("http://127.1.%d.%d:%d/articles/of-the-host/%d.html", host/250, 1+host%250,
			l.Addr().(*net.TCPAddr).Port, i/hosts)
	}
	ch.Seeds = []string{url(0)}
	err = crawl.Fill(t.Context(), *ch.crawler(), urls, urls/10, url)
	fatal.If(t, err)
	for part, size := range sizes(ch.Dir) {
		t.Logf("%s: %.1f MB, %.1f bytes a URL", part, float64(size)/1e6, float64(size)/float64(urls))
	}
	t.Logf("%d URLs of %d hosts, made in %.1f s", urls, hosts, time.Since(began).Seconds())
	for _, start := range []string{"stopped", "killed"} {
		before := served.Load()
		p := ch.start(t)
		var most int64
		for end := time.Now().Add(span); time.Now().Before(end) || served.Load() == before; {
			time.Sleep(100 * time.Millisecond)
			most = max(most, memoryOf(p))
			if time.Since(end) > time.Minute {
				p.Process.Kill()
				p.Wait()
				t.Fatalf("it asks for nothing, and says %s", &p.out)
			}
		}
		p.Process.Kill()
		p.Wait()
		t.Logf("after it was %s: %.60s; %d pages, %d MB at most, %.1f s of processors", start, &p.out,
			served.Load()-before, most/1e6, p.cpu().Seconds())
		if most > 300_000_000 {
			t.Errorf("it took %d MB", most/1e6)
		}
	}
}
