package fetch_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// origins are the origins in tests that write to a folder from several processes.
var origins = []string{"https://a.example", "https://b.example:8443", "http://[2001:db8::1]"}

// entry returns an entry as a client would put it, without a text if the text is empty.
func entry(origin, text string, at time.Time) *fetch.Entry {
	at = at.UTC().Truncate(time.Millisecond)
	e := &fetch.Entry{
		Origin: origin, State: fetch.Unavailable, CheckedAt: at, FreshUntil: at.Add(time.Hour),
		URL: origin + "/robots.txt", Status: 404, Cause: "404 Not Found",
	}
	if text != "" {
		sum := sha256.Sum256([]byte(text))
		e.State, e.Status, e.Cause = fetch.OK, 200, ""
		e.File = &fetch.File{
			FetchedAt: at, ConfirmedAt: at, URL: e.URL, SHA256: hex.EncodeToString(sum[:]), Size: len(text),
			Policy: robots.Parse([]byte(text)),
		}
	}
	return e
}

// unreachable returns the entry that follows e if the origin fails then.
func unreachable(e *fetch.Entry, at time.Time) *fetch.Entry {
	at = at.UTC().Truncate(time.Millisecond)
	next := *e
	next.State, next.CheckedAt, next.FreshUntil, next.Status, next.Cause = fetch.Unreachable, at, at.Add(time.Minute),
		503, "503 Service Unavailable"
	next.Failures++
	if e.State != fetch.Unreachable {
		next.UnreachableSince = at
	}
	return &next
}

// putUntilKilled is the work of the other processes. Each entry has another text, and every fourth
// entry has none. putUntilKilled prints the number of entries it has put.
func putUntilKilled(dir string) {
	most, _ := strconv.Atoi(os.Getenv("FETCH_TEST_TIMES"))
	for i := 0; most == 0 || i < most; i++ {
		text := ""
		if i%4 > 0 {
			text = fmt.Sprintf("User-agent: *\nDisallow: /%d/%d\n", os.Getpid(), i) + strings.Repeat("Disallow: /x\n",
				i%7*500)
		}
		child.Check(fetch.Dir(dir).Put(context.Background(), entry(origins[i%len(origins)], text, time.Now())))
		fmt.Println(i)
	}
}

// verify reads everything in a folder, and returns the number of versions.
func verify(t *testing.T, dir fetch.Dir) (versions int) {
	t.Helper()
	for _, origin := range origins {
		e, err := dir.Get(t.Context(), origin)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", origin, err)
		}
		if err == nil && e.File != nil && !strings.HasPrefix(e.File.Policy.String(), "User-agent: *\nDisallow: /") {
			t.Errorf("%s: text %.40q…", origin, e.File.Policy)
		}
		history, err := dir.History(t.Context(), origin)
		if err != nil {
			t.Errorf("%s: %v", origin, err)
		}
		for i, v := range history {
			if _, err := v.Policy(); err != nil {
				t.Errorf("%s: version %d: %v", origin, i, err)
			}
			if i > 0 && !history[i-1].From.Before(v.From) {
				t.Errorf("%s: version %d is from %v, the one before from %v", origin, i, v.From, history[i-1].From)
			}
			if i > 0 && !history[i-1].Until.Equal(v.From) {
				t.Errorf("%s: version %d ends at %v, the next begins at %v", origin, i-1, history[i-1].Until, v.From)
			}
		}
		versions += len(history)
	}
	return versions
}

// TestKill repeatedly kills a process that writes to a folder, at any point of its work. Afterwards
// every entry must be readable, and the history must not have lost any line.
func TestKill(t *testing.T) {
	dir, before, rounds := fetch.Dir(t.TempDir()), 0, corpus.Cases(6, 12)
	for round := range rounds {
		child.Start(t, "put", string(dir)).KillAfter(round*7%11, func(string) {})
		versions := verify(t, dir)
		if versions < before {
			t.Errorf("round %d: %d versions, %d before", round, versions, before)
		}
		before = versions
	}
	if before < rounds {
		t.Errorf("%d versions after %d processes", before, rounds)
	}
	// Remains of unfinished files must not get in the way.
	if err := dir.Put(t.Context(), entry(origins[0], closed, time.Now())); err != nil {
		t.Error(err)
	}
	e, err := dir.Get(t.Context(), origins[0])
	if err != nil || e.File.Policy.String() != closed {
		t.Errorf("got %v, %v", e, err)
	}
}

// TestTwoProcesses has several processes write to the same origins at once,
// while this one reads.
func TestTwoProcesses(t *testing.T) {
	dir := fetch.Dir(t.TempDir())
	var processes []*exec.Cmd
	for range 3 {
		cmd := child.Command("put", string(dir), "FETCH_TEST_TIMES=15")
		fatal.If(t, cmd.Start())
		processes = append(processes, cmd)
	}
	ended := make(chan error)
	go func() {
		for _, cmd := range processes {
			ended <- cmd.Wait()
		}
	}()
	for range processes {
	reading:
		for {
			select {
			case err := <-ended:
				if err != nil {
					t.Error(err)
				}
				break reading
			default:
				verify(t, dir)
			}
		}
	}
	if versions := verify(t, dir); versions < 15 {
		t.Errorf("%d versions, want at least those of one process", versions)
	}
	left, err := filepath.Glob(filepath.Join(string(dir), "tmp", "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("files are left: %q, %v", left, err)
	}
}
