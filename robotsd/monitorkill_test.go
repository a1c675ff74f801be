package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// A killedWatch is a watch whose process is killed. Each site serves another file for each request.
// An event says which path was opened and which was closed, so the events of a site are a chain: a
// lost event, or one that was made twice, breaks the chain.
type killedWatch struct {
	mu     sync.Mutex
	served map[string]int // by site, the number in its last file
	// of the receiver: "up", "refuses", "breaks", or "deaf", which takes an event and answers
	// nothing
	mode    string
	left    int // requests until the process is killed; 0 means never
	kill    func()
	events  []monitor.Event   // that the receiver took
	ends    []int             // the number of events after each message
	same    map[string]string // by id of a message, the ids of its events
	changed []string          // messages that were sent again with other events
}

// request counts a request, and kills the process a moment after the last one. k.mu must be held.
func (k *killedWatch) request() {
	if k.left--; k.left == 0 {
		time.AfterFunc(rand.N(8*time.Millisecond), k.kill)
	}
}

func (k *killedWatch) site(w http.ResponseWriter, r *http.Request) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.request()
	k.served[r.Host]++
	fmt.Fprintf(w, "User-agent: ExampleBot\nDisallow: /%d/\n", k.served[r.Host])
}

func (k *killedWatch) receiver(w http.ResponseWriter, r *http.Request) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.request()
	events, err := eventsOf(r.Body)
	switch {
	case err != nil || k.mode == "breaks":
		panic(http.ErrAbortHandler)
	case k.mode == "refuses":
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	k.events = append(k.events, events...)
	k.ends = append(k.ends, len(k.events))
	ids := ""
	for _, e := range events {
		ids += " " + e.ID
	}
	id := r.Header.Get("Webhook-Id")
	if before, ok := k.same[id]; ok && before != ids {
		k.changed = append(k.changed, fmt.Sprint(id, " had", before, ", and has", ids))
	}
	k.same[id] = ids
	if k.mode == "deaf" {
		k.kill()
		panic(http.ErrAbortHandler)
	}
}

// TestMonitorKilled kills the process at any time, while its receiver is down, comes back, and
// takes events without an answer. No event is lost, and a message is sent twice only if the process
// was killed when it was being sent: then with the same events.
func TestMonitorKilled(t *testing.T) {
	t.Parallel()
	k := &killedWatch{served: make(map[string]int), same: make(map[string]string)}
	hook := httptest.NewServer(http.HandlerFunc(k.receiver))
	defer hook.Close()
	dir := t.TempDir()
	text := "webhook " + hook.URL + "\n"
	for range 4 {
		site := httptest.NewServer(http.HandlerFunc(k.site))
		defer site.Close()
		text += site.URL + "\n"
	}
	config := put(t, filepath.Join(dir, "monitor.conf"), text)
	args := []string{"--config", config, "--dir", filepath.Join(dir, "state")}
	monitored(t, append(args, "--once")...) // what is normal
	lives := []string{"refuses", "up", "breaks", "deaf", "up", "up", "deaf", "up", "refuses"}
	if testing.Short() {
		lives = lives[:4]
	}
	for _, mode := range lives {
		cmd := robotsProcess(t, append([]string{"monitor", "--allow-private", "--wait", "50ms"}, args...)...)
		k.mu.Lock()
		k.mode, k.left, k.kill = mode, 1+rand.IntN(4), func() { cmd.Process.Kill() }
		fatal.If(t, cmd.Start())
		k.mu.Unlock()
		if err := cmd.Wait(); err == nil {
			t.Error("the process ended before it was killed")
		}
	}
	k.mu.Lock()
	k.mode, k.left = "up", 0
	k.mu.Unlock()
	if out, status := monitored(t, append(args, "--once")...); status != 1 {
		t.Errorf("the last looks: status %d\n%s", status, out)
	}
	k.check(t, len(lives))
}

// check checks the events that the receiver took.
func (k *killedWatch) check(t *testing.T, kills int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	seen := make(map[string]bool)
	last := make(map[string]string) // by site, the file of its last event
	for _, e := range k.events {
		if seen[e.ID] {
			continue
		}
		seen[e.ID] = true
		var opened, closed string
		for _, u := range e.Updates {
			switch rule := strings.Join(u.Finding.Patterns, " "); u.Finding.Kind {
			case monitor.Opened:
				opened = rule
			case monitor.Closed:
				closed = rule
			}
		}
		if before, ok := last[e.Origin]; closed == "" || ok && opened != before || !ok && opened != "Disallow: /1/" {
			t.Errorf("%s opens %q and closes %q, after an event that closed %q", e.Origin, opened, closed, before)
		}
		last[e.Origin] = closed
	}
	for host, n := range k.served {
		if want, got := fmt.Sprintf("Disallow: /%d/", n), last["http://"+host]; got != want {
			t.Errorf("the last event of %s closes %q, want %q", host, got, want)
		}
	}
	doubles := sentTwice(k.events, k.ends)
	if doubles > kills {
		t.Errorf("%d messages were sent twice by %d processes that were killed", doubles, kills)
	}
	for _, text := range k.changed {
		t.Errorf("sent again with other events: %s", text)
	}
	t.Logf("%d events in %d messages, %d of them sent twice", len(seen), len(k.ends), doubles)
}
