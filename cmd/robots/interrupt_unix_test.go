//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A countedSite is a server with a robots.txt that counts requests.
func countedSite(t *testing.T, before func(r *http.Request)) (url string, asked *atomic.Int32) {
	asked = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		before(r)
		io.WriteString(w, "User-agent: *\nDisallow: /x\n")
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

// An interrupted survey has complete results and says how to continue, and the next run
// continues there. The same holds for a killed survey, except for the message.
func TestInterruptedSurvey(t *testing.T) {
	for name, signal := range map[string]os.Signal{"interrupt": os.Interrupt, "kill": os.Kill} {
		t.Run(name, func(t *testing.T) { testInterruptedSurvey(t, signal) })
	}
}

func testInterruptedSurvey(t *testing.T, signal os.Signal) {
	arrived, release := make(chan bool, 2), make(chan bool)
	slow, slowAsked := countedSite(t, func(r *http.Request) {
		arrived <- true
		select {
		case <-r.Context().Done(): // the client has gone
		case <-release:
		}
	})
	const fast = 5
	hosts := slow + "\n"
	var asked [fast]*atomic.Int32
	for i := range fast {
		var url string
		url, asked[i] = countedSite(t, func(*http.Request) {})
		hosts += url + "\n"
	}
	folder := t.TempDir()
	from, results := filepath.Join(folder, "hosts.txt"), filepath.Join(folder, "results.jsonl")
	fatal.If(t, os.WriteFile(from, []byte(hosts), 0o666))
	args := []string{"fetch", "--allow-private", "--from", from, "--results", results, "--parallel", "2"}

	var stderr strings.Builder
	cmd := robotsProcess(t, args...)
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	fatal.If(t, err)
	fatal.If(t, cmd.Start())
	lines := bufio.NewReader(out)
	for range fast { // results are written as they arrive, although one is slow
		if line, err := lines.ReadString('\n'); err != nil || !strings.HasPrefix(line, "ok  ") {
			t.Fatalf("got %q, %v, want a result; on standard error: %s", line, err, &stderr)
		}
	}
	<-arrived
	fatal.If(t, cmd.Process.Signal(signal))
	rest, err := io.ReadAll(lines)
	fatal.If(t, err)
	cmd.Wait()
	if signal == os.Interrupt {
		if got := cmd.ProcessState.ExitCode(); got != cli.StatusFailed {
			t.Errorf("the exit status is %d, want %d", got, cli.StatusFailed)
		}
		if want := "robots: interrupted: run it again with --results " + results +
			" to go on\n"; stderr.String() != want {
			t.Errorf("standard error: got %q, want %q", &stderr, want)
		}
		if !strings.HasPrefix(string(rest), "\n5 origins\n") {
			t.Errorf("the summary is %q", rest)
		}
	}
	if got := resultsIn(t, results); got != fast {
		t.Errorf("%d results are kept, want %d", got, fast)
	}

	close(release)
	again, err := robotsProcess(t, args...).Output()
	if err != nil {
		t.Errorf("the second run: %v", err)
	}
	if !strings.Contains(string(again), "\n6 origins, 5 of them from before\n") {
		t.Errorf("the second run prints %q", again)
	}
	if got := resultsIn(t, results); got != fast+1 {
		t.Errorf("%d results are kept at the end, want %d", got, fast+1)
	}
	if n := slowAsked.Load(); n != 2 {
		t.Errorf("the slow server was asked %d times, want 2", n)
	}
	for i := range fast {
		if n := asked[i].Load(); n != 1 {
			t.Errorf("server %d was asked %d times, want once", i, n)
		}
	}
}

// resultsIn returns the number of results in a file. All of them must be complete.
func resultsIn(t *testing.T, name string) (n int) {
	data, err := os.ReadFile(name)
	fatal.If(t, err)
	for line := range strings.Lines(string(data)) {
		n++
		var one struct{ State string }
		if err := json.Unmarshal([]byte(line), &one); err != nil || !strings.HasSuffix(line, "\n") ||
			one.State != "ok" {
			t.Errorf("line %d is %q: %v", n, line, err)
		}
	}
	return n
}

// An interrupt also ends a wait for standard input. Before it, match may have written the
// outcome for robots.txt, and nothing else.
func TestInterruptedInput(t *testing.T) {
	arrived := make(chan bool, 1)
	url, _ := countedSite(t, func(*http.Request) { arrived <- true })
	for _, args := range [][]string{
		{"fetch", "--allow-private", "--from", "-"},
		{"match", "--allow-private", "--urls", "-", url},
	} {
		cmd := robotsProcess(t, args...)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		in, err := cmd.StdinPipe()
		fatal.If(t, err)
		fatal.If(t, cmd.Start())
		io.WriteString(in, url+"/x\n")
		<-arrived
		fatal.If(t, cmd.Process.Signal(os.Interrupt))
		cmd.Wait() // with standard input still open
		got, want := stderr.String(), "robots: interrupted\n"
		if first, rest, ok := strings.Cut(got, "\n"); ok && args[0] == "match" &&
			strings.HasPrefix(first, url+"/robots.txt: 200, ") {
			got = rest
		}
		if got != want {
			t.Errorf("%v: standard error: got %q, want %q", args, &stderr, want)
		}
		if got := cmd.ProcessState.ExitCode(); got != cli.StatusFailed {
			t.Errorf("%v: the exit status is %d, want %d", args, got, cli.StatusFailed)
		}
	}
}

// An interrupt ends a wait for a named pipe, in each verb and for each file that it reads.
func TestInterruptedPipe(t *testing.T) {
	dir := t.TempDir()
	robots := filepath.Join(dir, "robots.txt")
	fatal.If(t, os.WriteFile(robots, []byte("User-agent: *\nDisallow: /x\n"), 0o666))
	log := filepath.Join(dir, "access.log")
	fatal.If(t, os.WriteFile(log, nil, 0o666))
	for _, args := range [][]string{
		{"lint", "PIPE"}, {"lint", "--sitemap", "PIPE", robots}, {"match", "PIPE", "/"},
		{"match", "--urls", "PIPE", robots}, {"page", "PIPE"}, {"fetch", "--from", "PIPE"},
		{"audit", "--robots", robots, "PIPE"}, {"audit", "--robots", "PIPE", log},
		{"audit", "--robots", robots, "--follow", "--past", "PIPE", log},
	} {
		t.Run(strings.ReplaceAll(strings.Join(args, " "), dir+"/", ""), func(t *testing.T) {
			t.Parallel()
			pipe := filepath.Join(t.TempDir(), "pipe")
			fatal.If(t, syscall.Mkfifo(pipe, 0o600))
			args = slices.Clone(args)
			args[slices.Index(args, "PIPE")] = pipe
			cmd := robotsProcess(t, args...)
			var stderr strings.Builder
			cmd.Stderr = &stderr
			fatal.If(t, cmd.Start())
			t.Cleanup(func() { cmd.Process.Kill() })
			// The pipe can be opened for writing as soon as the process has opened it.
			for {
				w, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
				if err == nil {
					defer w.Close()
					break
				}
				if !errors.Is(err, syscall.ENXIO) {
					t.Fatal(err)
				}
				time.Sleep(time.Millisecond)
			}
			for range 2 { // as timeout of coreutils does
				fatal.If(t, cmd.Process.Signal(syscall.SIGTERM))
			}
			cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code == -1 {
				t.Errorf("a signal ended it: %v, %s", cmd.ProcessState, &stderr)
			}
		})
	}
}

// TestInterruptedSite checks that an interrupt ends verbs that wait for the robots.txt of a site,
// and that they have no answer.
func TestInterruptedSite(t *testing.T) {
	arrived := make(chan bool, 1)
	site, _ := countedSite(t, func(r *http.Request) {
		arrived <- true
		<-r.Context().Done() // the client has gone
	})
	file := filepath.Join(t.TempDir(), "robots.txt")
	fatal.If(t, os.WriteFile(file, []byte("User-agent: *\nDisallow: /x\n"), 0o666))
	for _, args := range [][]string{
		{"diff", "--allow-private", file, site}, {"minimize", "--allow-private", site},
		{"prove", "--allow-private", "--claim", "* may fetch /", site},
		{"export", "nginx", site, "--allow-private", "--out", filepath.Join(t.TempDir(), "conf")},
	} {
		t.Run(args[0], func(t *testing.T) {
			var out, stderr strings.Builder
			cmd := robotsProcess(t, args...)
			cmd.Stdout, cmd.Stderr = &out, &stderr
			fatal.If(t, cmd.Start())
			<-arrived
			fatal.If(t, cmd.Process.Signal(os.Interrupt))
			cmd.Wait()
			if got := cmd.ProcessState.ExitCode(); got != cli.StatusFailed || out.Len() > 0 ||
				stderr.String() != "robots: interrupted\n" {
				t.Errorf("the exit status is %d, output %q, standard error %q", got, &out, &stderr)
			}
		})
	}
}
