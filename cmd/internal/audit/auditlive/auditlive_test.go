package auditlive

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditrows"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// An output collects what a Follower writes, and checks that each call writes one line.
type output struct {
	mu    sync.Mutex
	lines []string
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if bytes.Count(p, []byte("\n")) != 1 || p[len(p)-1] != '\n' {
		return 0, fmt.Errorf("not a line: %q", p)
	}
	o.lines = append(o.lines, string(p))
	return len(p), nil
}

func (o *output) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.lines)
}

const closed = "User-agent: *\nDisallow: /private/\n"

func newAuditor(t *testing.T, versions ...audit.Version) *audit.Auditor {
	t.Helper()
	a, err := audit.New(audit.Options{Sites: map[string][]audit.Version{"": versions}})
	fatal.If(t, err)
	return a
}

// line returns a line of a log in combined format.
func line(at time.Time, client, path string, status int, header string) string {
	return fmt.Sprintf("%s - - [%s] \"GET %s HTTP/1.1\" %d 0 \"-\" %q\n", client,
		at.Format("02/Jan/2006:15:04:05 -0700"), path, status, header)
}

// follow runs a Follower on logs until stop is called, which returns the summary.
func follow(t *testing.T, o Options) (f *Follower, stop func() Summary) {
	t.Helper()
	o.Reader = &accesslog.Reader{}
	o.tail.Poll = 2 * time.Millisecond
	var missing atomic.Int64 // logs, which are created after following has begun
	for _, name := range o.Logs {
		if _, err := os.Stat(name); err != nil {
			missing.Add(1)
		}
	}
	o.Notice = func(err error) {
		if strings.Contains(err.Error(), "does not exist") {
			missing.Add(-1)
		}
	}
	f = New(o)
	ctx, cancel := context.WithCancel(context.Background())
	type result struct {
		s   Summary
		err error
	}
	done := make(chan result, 1)
	go func() {
		s, err := f.Run(ctx)
		done <- result{s, err}
	}()
	waitFor(t, "the first look", func() bool { return missing.Load() <= 0 })
	return f, func() Summary {
		cancel()
		r := <-done
		if r.err != nil {
			t.Error(r.err)
		}
		return r.s
	}
}

// appendTo appends a text to a file.
func appendTo(t *testing.T, name, text string) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
		f.Close()
	}
	fatal.If(t, err)
}

// waitFor waits until a condition holds.
func waitFor(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for began := time.Now(); !condition(); time.Sleep(2 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func (f *Follower) requests() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.figures.summary().Requests
}

// The violations of a log that is rotated while it is written are those that an audit of all its
// lines writes.
func TestLiveIsBatch(t *testing.T) {
	random := rand.New(rand.NewPCG(14, 1))
	folder := t.TempDir()
	log, whole := filepath.Join(folder, "access.log"), filepath.Join(folder, "whole.log")
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	auditor := newAuditor(t,
		audit.Version{ID: "open", Text: []byte("User-agent: *\nDisallow: /other/\n")},
		audit.Version{ID: "closed", From: start.Add(30 * time.Hour), Text: []byte(closed)})
	classes := []string{"certain", "informed", "grace"}
	var out output
	f, stop := follow(t, Options{Logs: []string{log}, Auditor: auditor, Classes: classes, Out: &out})
	at, sum := start, int64(0)
	add := func(name, text string) { appendTo(t, name, text) }
	for range 60 {
		for range 1 + random.IntN(60) {
			at = at.Add(time.Duration(random.IntN(400)) * time.Second)
			path, status := []string{"/private/x", "/private/y", "/", "/robots.txt"}[random.IntN(4)], 200
			if path == "/robots.txt" {
				status = []int{200, 304}[random.IntN(2)]
				if random.IntN(200) == 0 {
					status = []int{503, 403, 404}[random.IntN(3)]
				}
			}
			text := line(at, fmt.Sprintf("192.0.2.%d", random.IntN(3)), path, status,
				[]string{"onebot/1.0", "twobot/1.0", "Mozilla/5.0 Firefox/120.0"}[random.IntN(3)])
			half := random.IntN(len(text))
			add(log, text[:half])
			add(log, text[half:])
			add(whole, text)
			sum++
		}
		waitFor(t, "all lines", func() bool { return f.requests() == sum })
		switch random.IntN(3) {
		case 0:
			os.Rename(log, log+".1")
		case 1:
			os.Truncate(log, 0)
		}
	}
	stop()
	part, err := auditor.Read(new(accesslog.Reader).Open(whole), 1)
	fatal.If(t, err)
	var batch bytes.Buffer
	scan := new(accesslog.Reader).Open(whole)
	for range scan.Requests() {
	}
	fatal.If(t, auditrows.Write(context.Background(), new(accesslog.Reader), scan.Logs(), part.Judge(),
		auditrows.Options{Violations: &batch}))
	got, want := verdicts(t, out.lines), verdicts(t, slices.Collect(strings.Lines(batch.String())))
	if !slices.Equal(got, want) {
		t.Errorf("got %d violations, want %d", len(got), len(want))
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Fatalf("got  %s\nwant %s", got[i], want[i])
			}
		}
	}
	for _, class := range classes {
		if !slices.ContainsFunc(want, func(s string) bool { return strings.Contains(s, class) }) {
			t.Errorf("there is no violation that is %s", class)
		}
	}
}

// verdicts returns lines without the names of logs and the numbers of lines.
func verdicts(t *testing.T, lines []string) (list []string) {
	for _, l := range lines {
		var v map[string]any
		if err := json.Unmarshal([]byte(l), &v); err != nil {
			t.Fatalf("%v: %s", err, l)
		}
		delete(v, "log")
		delete(v, "line")
		list = append(list, fmt.Sprint(v))
	}
	return list
}

// What the logs have already is not written again, but tells what robots were told.
func TestOldLines(t *testing.T) {
	folder := t.TempDir()
	log, past := filepath.Join(folder, "log"), filepath.Join(folder, "log.1")
	now := time.Now().Add(-time.Hour)
	os.WriteFile(past, []byte(line(now.Add(-time.Minute), "192.0.2.1", "/robots.txt", 403, "onebot/1.0")), 0o600)
	os.WriteFile(log, []byte(line(now, "192.0.2.2", "/private/old", 200, "twobot/1.0")+"# a comment\n"), 0o600)
	var out output
	f, stop := follow(t, Options{
		Logs: []string{log}, Past: []string{past}, Auditor: newAuditor(t, audit.Version{ID: "v", Text: []byte(closed)}),
		Classes: []string{"certain"}, Out: &out,
	})
	waitFor(t, "the old lines", func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return len(f.behind) > 0 && f.behind[0].line > 0
	})
	in, err := os.OpenFile(log, os.O_APPEND|os.O_WRONLY, 0)
	fatal.If(t, err)
	defer in.Close()
	fmt.Fprint(in, line(now, "192.0.2.1", "/private/new", 200, "onebot/1.0")) // was told 403: it may
	fmt.Fprint(in, line(now, "192.0.2.2", "/private/new", 200, "twobot/1.0"))
	waitFor(t, "the violation", func() bool { return out.count() > 0 })
	s := stop()
	if len(out.lines) != 1 || !strings.Contains(out.lines[0], `"line":4,`) || s.Certain != 1 || s.Grace != 1 ||
		s.Requests != 2 {
		t.Errorf("got %q, %+v", out.lines, s)
	}
}

// A late answer of another log acquits a request that waits.
func TestSettle(t *testing.T) {
	folder := t.TempDir()
	one, two := filepath.Join(folder, "one"), filepath.Join(folder, "two")
	now := time.Now().Add(-time.Minute)
	var out output
	f, stop := follow(t, Options{
		Logs: []string{one, two}, Auditor: newAuditor(t, audit.Version{ID: "v", Text: []byte(closed)}),
		Classes: []string{"certain"}, Out: &out, Settle: time.Hour,
	})
	os.WriteFile(one, []byte(line(now, "192.0.2.1", "/private/", 200, "onebot/1.0")), 0o600)
	waitFor(t, "the request", func() bool { return f.requests() == 1 })
	os.WriteFile(two, []byte(line(now.Add(-time.Second), "192.0.2.1", "/robots.txt", 404, "onebot/1.0")), 0o600)
	waitFor(t, "the answer", func() bool { return f.requests() == 2 })
	if s := stop(); s.Certain != 0 || s.Grace != 1 || len(out.lines) > 0 {
		t.Errorf("got %q, %+v", out.lines, s)
	}
}

// A version that allows what the version before disallowed counts for requests that wait.
func TestRenewedVersion(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	now := time.Now().Add(-time.Minute)
	var out output
	before := audit.Version{ID: "before", Text: []byte(closed)}
	var renewed, read atomic.Bool
	f, stop := follow(t, Options{
		Logs: []string{log}, Auditor: newAuditor(t, before), Classes: Classes, Out: &out, Settle: time.Hour,
		RenewEvery: 2 * time.Millisecond,
		Renew: func(context.Context) (map[string][]audit.Version, error) {
			if !renewed.Load() {
				return nil, nil
			}
			read.Store(true)
			return map[string][]audit.Version{"": {before, {ID: "after", From: now.Add(-time.Second),
				State: audit.Nothing}}}, nil
		},
	})
	appendTo(t, log, line(now, "192.0.2.1", "/private/", 200, "onebot/1.0"))
	waitFor(t, "the request", func() bool { return f.requests() == 1 })
	renewed.Store(true)
	waitFor(t, "the version", func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return read.Load() && len(f.sites[""]) == 2
	})
	if s := stop(); len(out.lines) > 0 || s.Certain != 0 {
		t.Errorf("got %q, %+v", out.lines, s)
	}
}
