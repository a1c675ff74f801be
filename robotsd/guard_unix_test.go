//go:build unix

package main

import (
	"bufio"
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
		io.WriteString(w,
			r.RequestURI)
	}))
	defer site.Close()
	rules := filepath.Join(t.TempDir(), "robots.txt")
	write := func(text string) {
		if err := os.WriteFile(rules, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("User-agent: *\nDisallow: /private/\n")
	first := robotsProcess(t, "guard", "--upstream", site.URL, "--listen", "127.0.0.1:0", "--robots", rules)
	stderr, end, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stderr.Close()
	first.Stderr = end
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	end.Close()
	stderr.SetReadDeadline(time.Now().Add(2 * time.Minute))
	lines := bufio.NewScanner(stderr)
	said := func(format string, value any) {
		t.Helper()
		for lines.Scan() {
			if n, _ := fmt.Sscanf(lines.Text(), format, value); n == 1 {
				return
			}
		}
		t.Fatalf("standard error ends without %q: %v", format, lines.Err())
	}
	var address string
	said("robots: listening at %s", &address)

	var stop atomic.Bool
	var sent atomic.Int64
	var clients sync.WaitGroup
	for i := range 4 {
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: i%2 == 0}}
		clients.Go(func() {
			defer client.CloseIdleConnections()
			for !stop.Load() {
				path := fmt.Sprintf("/page/%d", sent.Add(1))
				answer, err := client.Get("http://" + address + path)
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
	process := first.Process
	for range 3 {
		for before := sent.Load(); sent.Load() < before+50 && !t.Failed(); time.Sleep(time.Millisecond) {
		}
		process.Signal(syscall.SIGUSR2)
		pid := 0
		said("robots: process %d serves now", &pid)
		if process, err = os.FindProcess(pid); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { syscall.Kill(pid, syscall.SIGKILL) })
	}
	stop.Store(true)
	clients.Wait()
	if err := first.Wait(); err != nil {
		t.Errorf("the first guard ends with %v", err)
	}
	status := func() int {
		r, _ := http.NewRequest("GET", "http://"+address+"/private/x", nil)
		r.Header.Set("User-Agent", "GPTBot/1.0")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		return answer.StatusCode
	}
	if got := status(); got != 403 {
		t.Errorf("got %d, want 403", got)
	}
	write("User-agent: *\nDisallow: /other/\n")
	process.Signal(syscall.SIGHUP)
	for end := time.Now().Add(time.Minute); status() != 200 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	process.Signal(os.Interrupt)
	for lines.Scan() { // until the last guard has closed standard error
		if strings.Contains(lines.Text(), "panic") {
			t.Error(lines.Text())
		}
	}
}
