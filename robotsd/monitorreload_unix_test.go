//go:build unix

package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestMonitorReads sends SIGHUP to a watch whose file of sites was edited: first wrongly, which
// must change nothing, and then with another site, a claim, and a receiver. The events that the old
// receiver did not take come to the one that has its name now.
func TestMonitorReads(t *testing.T) {
	t.Parallel()
	closing := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "User-agent: *\nDisallow: /x\n")
	})
	site, other := httptest.NewServer(closing), httptest.NewServer(closing)
	defer site.Close()
	defer other.Close()
	asked, got := make(chan bool, 100), make(chan string, 100)
	down := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
		asked <- true
	}))
	defer down.Close()
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		events, err := eventsOf(r.Body)
		if err != nil {
			t.Error(err)
		}
		for _, e := range events {
			got <- e.Origin + " " + e.Updates[0].Finding.Subject
		}
	}))
	defer hook.Close()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "a.claims"), "all may fetch /x\n")
	put(t, filepath.Join(dir, "b.claims"), "all may fetch /x/y\n")
	name := filepath.Join(dir, "monitor.conf")
	put(t, name, site.URL+" claims=a.claims\nwebhook "+down.URL+" name=ops\n")
	p := &guardProcess{}
	cmd := robotsProcess(t, "monitor", "--allow-private", "--wait", "0s", "--config", name, "--dir",
		filepath.Join(dir, "state"))
	cmd.Stderr = p
	fatal.If(t, cmd.Start())
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	receive(t, asked) // and the event stays in the queue
	os.Remove(filepath.Join(dir, "a.claims"))
	put(t, name, "nonsense here\n")
	cmd.Process.Signal(syscall.SIGHUP)
	p.says(t, "the sites and receivers stay as they were")
	put(t, filepath.Join(dir, "a.claims"), "all may fetch /x\n")
	put(t, name, site.URL+" claims=a.claims\n"+other.URL+" claims=b.claims\nwebhook "+hook.URL+" name=ops\n")
	cmd.Process.Signal(syscall.SIGHUP)
	all := []string{receive(t, got), receive(t, got)}
	for _, want := range []string{site.URL + " all may fetch /x", other.URL + " all may fetch /x/y"} {
		if !strings.Contains(strings.Join(all, "\n"), want) {
			t.Errorf("no %q in %q", want, all)
		}
	}
	cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil || cmd.ProcessState.ExitCode() != 0 {
		t.Errorf("the watch was stopped, and ended with %v", err)
	}
}

// receive waits for a value.
func receive[T any](t *testing.T, c <-chan T) (value T) {
	t.Helper()
	select {
	case value = <-c:
	case <-time.After(time.Minute):
		t.Fatal("nothing came for a minute")
	}
	return value
}
