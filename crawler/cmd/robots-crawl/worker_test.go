package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/scripttest"
)

// TestWorkers runs the program twice as workers of one crawl, and asks one of them for its status.
func TestWorkers(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	asked := make(map[string]int)
	hold, held := make(chan struct{}), make(chan struct{})
	var once sync.Once
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked[r.URL.Path]++
		mu.Unlock()
		if r.URL.Path == "/2" {
			once.Do(func() { close(held) })
			<-hold
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<a href=/1>1</a><a href=/2>2</a><a href=/3>3</a><p>%s", r.URL.Path)
	}))
	defer s.Close()
	release := sync.OnceFunc(func() { close(hold) })
	defer release()
	server := natstest.Start(t)
	dirs := []string{filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")}
	robots := func(args ...string) (*exec.Cmd, *bytes.Buffer) {
		out := new(bytes.Buffer)
		cmd := scripttest.Process(t, "robots", args...)
		cmd.Stdout, cmd.Stderr = out, out
		return cmd, out
	}
	var workers []*exec.Cmd
	var outs []*bytes.Buffer
	worker := func(dir string, urls ...string) {
		cmd, out := robots(append([]string{"crawl", "--nats", server, "--name", "both", "--worker", "--dir", dir,
			"--allow-private", "--delay", "0s",
			"--user-agent", "ExampleBot/1.0 (+https://example.com/bot)"}, urls...)...)
		fatal.If(t, cmd.Start())
		t.Cleanup(func() { cmd.Process.Kill() })
		workers, outs = append(workers, cmd), append(outs, out)
	}
	worker(dirs[0], s.URL)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	select {
	case <-held:
	case <-ctx.Done():
		t.Fatalf("the first worker asks for nothing: %s", outs[0])
	}
	worker(dirs[1])
	for told := ""; strings.Count(told, " alive ") < 2; {
		cmd, out := robots("crawl", "status", "--dir", dirs[1])
		cmd.Run()
		if told = out.String(); ctx.Err() != nil {
			t.Fatalf("the status has no two workers:\n%s", told)
		}
	}
	status := func(args ...string) string {
		t.Helper()
		cmd, out := robots(append([]string{"crawl", "status"}, args...)...)
		if err := cmd.Run(); err != nil {
			t.Errorf("the status %q ends with %v", args, err)
		}
		return out.String()
	}
	// A worker knows itself before the server has its key.
	for told := ""; !strings.Contains(told, ": 2 of 2 workers alive\n"); {
		if told = status("--nats", server, "--name", "both"); ctx.Err() != nil {
			t.Fatalf("from anywhere the status of two workers is:\n%s", told)
		}
	}
	release()
	for i, cmd := range workers {
		if err := cmd.Wait(); err != nil {
			t.Errorf("worker %d: %v\n%s", i, err, outs[i])
		}
	}
	told := status("--nats", server, "--name", "both")
	for _, want := range []string{": 0 of 2 workers alive\n", "no worker runs; the figures are those of the last report, ",
		"4 URLs known on 1 host, 4 visited, 0 queued, in 256 of 256 partitions\n"} {
		if !strings.Contains(told, want) {
			t.Errorf("the status of workers that have ended lacks %q:\n%s", want, told)
		}
	}
	told = status("--dir", dirs[0])
	if !strings.Contains(told, "all workers: robots crawl status --nats URL --name both\n") {
		t.Errorf("the status of a worker that has ended is:\n%s", told)
	}
	mu.Lock()
	defer mu.Unlock()
	for path, n := range asked {
		if path != "/robots.txt" && n != 1 {
			t.Errorf("%s was asked %d times", path, n)
		}
	}
	if len(asked) != 5 {
		t.Errorf("asked for %v", asked)
	}
}
