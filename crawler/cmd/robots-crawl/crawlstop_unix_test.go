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
	"syscall"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/scripttest"
)

// TestCrawlStopped stops a crawl in the middle of a page, as Ctrl-C does and as systemd,
// Docker and Kubernetes do: the page is still read, archived and written to the results, and
// nothing stays open. Two signals at once are one, as timeout of coreutils sends them; a later one
// ends the process at once.
func TestCrawlStopped(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		signals []os.Signal
	}{
		{"interrupt", []os.Signal{os.Interrupt}},
		{"SIGTERM", []os.Signal{syscall.SIGTERM}},
		{"two at once", nil},
		{"SIGTERM twice", []os.Signal{syscall.SIGTERM, syscall.SIGTERM}},
		{"both", []os.Signal{os.Interrupt, syscall.SIGTERM}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			testCrawlStopped(t, test.signals)
		})
	}
}

func testCrawlStopped(t *testing.T, signals []os.Signal) {
	arrived, release, gone := make(chan bool, 1), make(chan bool), make(chan bool, 1)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		arrived <- true
		select {
		case <-release:
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<title>slow</title><a href=/next>next</a>")
		case <-r.Context().Done():
			gone <- true
		}
	}))
	defer site.Close()
	dir := filepath.Join(t.TempDir(), "crawl")
	cmd := scripttest.Process(t, "robots", "crawl", "--dir", dir, "--allow-private", "--delay", "0s", "--user-agent",
		"ExampleBot/1.0 (+https://example.com/bot)", site.URL+"/")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	fatal.If(t, cmd.Start())
	defer cmd.Process.Kill()
	<-arrived
	if signals == nil {
		fatal.If(t, cmd.Process.Signal(os.Interrupt))
		signals = []os.Signal{syscall.SIGTERM}
	}
	fatal.If(t, cmd.Process.Signal(signals[0]))
	if len(signals) > 1 {
		// The system merges pending signals of the same kind, so the second signal is repeated
		// until it arrives.
		stopped := make(chan bool)
		go func() { cmd.Wait(); close(stopped) }()
		for ended := false; !ended; {
			cmd.Process.Signal(signals[1])
			select {
			case <-stopped:
				ended = true
			case <-time.After(50 * time.Millisecond):
			}
		}
		<-gone
		if code := cmd.ProcessState.ExitCode(); code != -1 {
			t.Errorf("it ended by itself, with status %d: %s", code, &stderr)
		}
		return
	}
	close(release)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != cli.StatusNo {
		t.Errorf("the exit status is %d, want %d: %s", code, cli.StatusNo, &stderr)
	}
	if !strings.Contains(stderr.String(), "robots: stopped: the same command goes on in ") {
		t.Errorf("standard error: %s", &stderr)
	}
	results, err := os.ReadFile(filepath.Join(dir, "results.jsonl"))
	if err != nil || !strings.Contains(string(results), `"title":"slow"`) {
		t.Errorf("the page that was under way is not told: %s, %v", results, err)
	}
	for _, left := range []string{"*.open", "*.part"} {
		if names, _ := filepath.Glob(filepath.Join(dir, "archive", left)); len(names) > 0 {
			t.Errorf("it leaves %v", names)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "robot.json")); err != nil ||
		!strings.Contains(string(text), `"open":false`) {
		t.Errorf("the crawl did not stop in order: %s, %v", text, err)
	}
}

// TestWorkerStopped stops a worker that waits for servers: two of three are down.
func TestWorkerStopped(t *testing.T) {
	t.Parallel()
	nodes := natstest.Cluster(t, 3)
	nodes[1].Stop()
	nodes[2].Stop()
	dir := filepath.Join(t.TempDir(), "worker")
	cmd := scripttest.Process(t, "robots", "crawl", "--nats", nodes[0].Direct(), "--name", "stopped", "--worker",
		"--dir", dir, "--log", "-", "--user-agent", "ExampleBot/1.0 (+https://example.com/bot)", "https://example.com/")
	stderr, err := cmd.StderrPipe()
	fatal.If(t, err)
	fatal.If(t, cmd.Start())
	defer cmd.Process.Kill()
	var told strings.Builder
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		fmt.Fprintln(&told, lines.Text())
		if strings.Contains(lines.Text(), "the NATS servers are not ready") {
			fatal.If(t, cmd.Process.Signal(syscall.SIGTERM))
		}
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != cli.StatusNo ||
		!strings.Contains(told.String(), "robots: stopped: the same command goes on in "+dir) {
		t.Errorf("it ends with status %d, want %d: %s", code, cli.StatusNo, &told)
	}
}
