//go:build unix

package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// TestGuardRestarts checks that no request fails while guards hand the listener on, that robots.txt
// is read again on SIGHUP, and that the last guard ends at an interrupt.
func TestGuardRestarts(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.RequestURI)
	}))
	defer site.Close()
	rules := filepath.Join(t.TempDir(), "robots.txt")
	put(t, rules, "User-agent: *\nDisallow: /private/\n")
	p := runService(t, "guard", "--upstream", site.URL, "--robots", rules)

	var stop atomic.Bool
	var sent atomic.Int64
	var clients sync.WaitGroup
	for i := range 4 {
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: i%2 == 0}}
		clients.Go(func() {
			defer client.CloseIdleConnections()
			for !stop.Load() {
				path := fmt.Sprintf("/page/%d", sent.Add(1))
				answer, err := client.Get("http://" + p.address + path)
				if err != nil {
					t.Errorf("%s: %v", path, err)
					return
				}
				body, err := io.ReadAll(answer.Body)
				answer.Body.Close()
				if err != nil || answer.StatusCode != 200 || string(body) != path {
					t.Errorf("%s: got %d %q, %v", path, answer.StatusCode, body, err)
				}
			}
		})
	}
	var last *os.Process
	for restart := range 3 {
		for before := sent.Load(); sent.Load() < before+50 && !t.Failed(); time.Sleep(time.Millisecond) {
		}
		if last == nil {
			p.signal(syscall.SIGUSR2)
		} else {
			last.Signal(syscall.SIGUSR2)
		}
		last = p.again(t, restart+1)
	}
	stop.Store(true)
	clients.Wait()
	if err := p.wait(); err != nil {
		t.Errorf("the first guard ends with %v", err)
	}
	if got := p.status(t, "/private/x", "GPTBot/1.0"); got != 403 {
		t.Errorf("got %d, want 403", got)
	}
	put(t, rules, "User-agent: *\nDisallow: /other/\n")
	last.Signal(syscall.SIGHUP)
	for end := time.Now().Add(time.Minute); p.status(t, "/private/x", "GPTBot/1.0") != 200 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	last.Signal(os.Interrupt)
	p.closed()
	if said := p.says(t, ""); strings.Contains(said, "panic") {
		t.Error(said)
	}
}
