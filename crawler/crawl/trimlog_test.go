package crawl_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// newEndless returns a site of pages that link to the next one, until end is called: however slow a
// test is, there is another page.
func newEndless(t *testing.T) (s *site, end func()) {
	s = &site{asked: make(map[string]int)}
	var ended atomic.Bool
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked[r.URL.Path]++
		s.mu.Unlock()
		page, err := strconv.Atoi(r.URL.Path[1:])
		if err != nil {
			return // an empty robots.txt
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>%d</title><p>%[1]d", page)
		if !ended.Load() {
			fmt.Fprintf(w, "<a href=/%d>next</a>", page+1)
		}
	}))
	t.Cleanup(s.Close)
	return s, func() { ended.Store(true) }
}

// TestTrimmedLog trims the log of a partition that moves between workers: not while pages are not
// uploaded, and not by a checkpoint that is damaged. Then a worker with an empty folder goes on,
// one whose folder is older than the log, and one without the object store, which gets an error.
func TestTrimmedLog(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s, end := newEndless(t)
	server, store, n := natstest.Start(t), t.TempDir(), crawl.PartitionOf(s.URL)
	conn, err := nats.Connect(server)
	fatal.If(t, err)
	defer conn.Close()
	js, err := jetstream.New(conn)
	fatal.If(t, err)
	first := func() uint64 { // message of the log
		t.Helper()
		logs, err := js.Stream(ctx, fmt.Sprint("trimmed-log-", n%crawl.FleetStreams))
		fatal.If(t, err)
		subject := fmt.Sprintf("trimmed.log.%d.%d", n%crawl.FleetStreams, n)
		m, err := logs.GetMsg(ctx, 1, jetstream.WithGetMsgSubject(subject))
		fatal.If(t, err)
		return m.Sequence
	}
	tm := newTeam(t)
	tm.uploads = time.Hour // only when the test says so, however slow it is
	logs := make(map[*teamWorker]*lockedLog)
	objects := "file://" + filepath.ToSlash(store)
	join := func(dir, objects string, seeds ...string) *teamWorker {
		t.Helper()
		c, log := newCrawler(t), new(lockedLog)
		c.Dir, c.NATS, c.Name, c.ObjectStore = dir, server, "trimmed", objects
		c.Pauses.MinDelay, c.Archive.MaxAge = 30*time.Millisecond, time.Millisecond // a page a file
		c.Log = slog.New(slog.NewTextHandler(log, nil))
		w := tm.join(*c, seeds...)
		logs[w] = log
		return w
	}
	give := func(to int) {
		t.Helper()
		tm.assign(func(p int) int {
			if p == n {
				return to
			}
			return -1
		})
	}
	visited := func(w *teamWorker, more int) {
		t.Helper()
		for want := s.count() + more; s.count() < want; {
			time.Sleep(time.Millisecond)
		}
		fatal.If(t, w.Save(ctx, n))
	}
	a, b := join(t.TempDir(), objects, s.URL+"/0"), join(t.TempDir(), objects)
	give(0)
	visited(a, 5)
	start := first()
	fatal.If(t, a.Trim(ctx, n))
	if got := first(); got != start {
		t.Errorf("by one checkpoint the log is trimmed to message %d", got)
	}
	visited(a, 5)
	fatal.If(t, a.Trim(ctx, n))
	start = first() // with the first page
	visited(a, 5)
	fatal.If(t, a.Trim(ctx, n))
	if got := first(); got != start {
		t.Errorf("the log is trimmed to message %d, not %d, though no page is uploaded", got, start)
	}
	fatal.If(t, a.Upload(ctx))
	files, err := filepath.Glob(filepath.Join(store, "trimmed", "checkpoint", "*", "*"))
	fatal.If(t, err)
	files = slices.DeleteFunc(files, func(name string) bool { return strings.HasSuffix(name, ".sha256") })
	text, err := os.ReadFile(files[0])
	fatal.If(t, err)
	damaged := slices.Clone(text)
	damaged[len(damaged)-3] ^= 1
	fatal.If(t, os.WriteFile(files[0], damaged, 0o666))
	if err := a.Trim(ctx, n); err == nil || !strings.Contains(err.Error(), "SHA-256") || first() != start {
		t.Errorf("by a damaged checkpoint the log is trimmed to message %d: %v", first(), err)
	}
	fatal.If(t, os.WriteFile(files[0], text, 0o666))
	fatal.If(t, a.Trim(ctx, n))
	trimmed := first()
	if trimmed <= start {
		t.Errorf("the log still begins with message %d", trimmed)
	}
	give(1)
	a.stop()
	if <-a.ended; a.err != nil {
		t.Fatal(a.err)
	}
	visited(b, 5)
	visited(b, 5)
	visited(b, 5)
	fatal.If(t, b.Upload(ctx))
	fatal.If(t, b.Trim(ctx, n))
	if got := first(); got <= trimmed {
		t.Errorf("another worker has not trimmed the log, which begins with message %d", got)
	}
	if got := logs[b].String(); strings.Count(got, loaded) != 1 {
		t.Errorf("a worker with an empty folder:\n%s", got)
	}
	give(-1)
	c := join(t.TempDir(), "")
	if err := c.Acquire(ctx, n); err == nil || !strings.Contains(err.Error(), "name it with --store") {
		t.Errorf("a worker without the object store: %v", err)
	}
	again := join(a.dir, objects)
	tm.workers[0], tm.workers = again, tm.workers[:3]
	give(0)
	if got := logs[again].String(); !strings.Contains(got, "the log of a partition was trimmed") ||
		strings.Count(got, loaded) != 1 {
		t.Errorf("a worker whose folder is older than the log:\n%s", got)
	}
	end()
	tm.finish()
	if got, pages := len(tm.union()), len(s.asked)-1; got != pages {
		t.Errorf("the results have %d pages, and robots.txt and %d were asked for", got, pages)
	}
	for path, times := range s.asked {
		if path != "/robots.txt" && times != 1 {
			t.Errorf("%s was asked for %d times", path, times)
		}
	}
}
