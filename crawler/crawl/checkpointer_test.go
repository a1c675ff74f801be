package crawl_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A lockedLog is a log that several goroutines write.
type lockedLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// A relay is a crawl that one worker begins, and leaves, and that another with an empty folder
// continues.
type relay struct {
	t     *testing.T
	site  *site
	first *crawl.Config
	store string // the folder of the object store
}

// startRelay runs the first worker until it has visited four of seven pages. It leaves the logs
// whole.
func startRelay(t *testing.T) *relay {
	t.Helper()
	r := &relay{t, newSite(t, chain(6)), newCrawler(t), t.TempDir()}
	c := r.first
	c.NATS, c.Name, c.ObjectStore = natstest.Start(t), "relay", "file://"+filepath.ToSlash(r.store)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	begun := *c
	begun.OnPage = func(p *crawl.Page) {
		if strings.HasSuffix(p.Line.URL, "/3") {
			stop()
		}
	}
	summary, err := crawl.NewFleetWorker(begun, &fleetTimes).SaveOften(1).KeepLogs().Run(ctx, r.site.URL+"/0")
	if err != nil || summary.Finished {
		t.Fatalf("%+v, %v", summary, err)
	}
	return r
}

// checkpoints returns the files of the checkpoints.
func (r *relay) checkpoints() (names []string) {
	fatal.If(r.t, filepath.WalkDir(filepath.Join(r.store, "relay", "checkpoint"),
		func(name string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() && !strings.HasSuffix(name, ".sha256") {
				names = append(names, name)
			}
			return err
		}))
	return names
}

// trim removes the log of the partition of the site up to its last entry.
func (r *relay) trim() {
	conn, err := nats.Connect(r.first.NATS)
	fatal.If(r.t, err)
	defer conn.Close()
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(time.Minute))
	fatal.If(r.t, err)
	n := crawl.PartitionOf(r.site.URL + "/0")
	logs, err := js.Stream(r.t.Context(), fmt.Sprint("relay-log-", n%crawl.FleetStreams))
	fatal.If(r.t, err)
	subject := fmt.Sprintf("relay.log.%d.%d", n%crawl.FleetStreams, n)
	fatal.If(r.t, logs.Purge(r.t.Context(), jetstream.WithPurgeSubject(subject), jetstream.WithPurgeKeep(1)))
}

// next returns the configuration of the second worker.
func (r *relay) next() *crawl.Config {
	c := newCrawler(r.t)
	c.NATS, c.Name, c.ObjectStore = r.first.NATS, r.first.Name, r.first.ObjectStore
	return c
}

// goOn runs the second worker to the end.
func (r *relay) goOn() (c *crawl.Config, log string, err error) {
	r.t.Helper()
	c = r.next()
	out := new(lockedLog)
	c.Log = slog.New(slog.NewTextHandler(out, nil))
	_, err = crawl.NewFleetWorker(*c, &fleetTimes).SaveOften(1).KeepLogs().Run(r.t.Context())
	return c, out.String(), err
}

// wantAll compares what the site was asked for, and the results of both folders.
func (r *relay) wantAll(c *crawl.Config) {
	r.t.Helper()
	r.site.mu.Lock()
	for path, n := range r.site.asked {
		if path != "/robots.txt" && n != 1 {
			r.t.Errorf("%s was asked for %d times", path, n)
		}
	}
	r.site.mu.Unlock()
	pages := readFetched(r.t, r.first.Dir)
	for url := range readFetched(r.t, c.Dir) {
		if !pages[url].IsZero() {
			r.t.Errorf("%s is in both results", url)
		}
		pages[url] = pages[url].Add(1)
	}
	if len(pages) != 7 {
		r.t.Errorf("the results have %d pages", len(pages))
	}
}

const loaded, unused = "a partition is loaded from a checkpoint", "a checkpoint is not used"

// TestCheckpoints moves partitions to an empty folder by their checkpoints alone: the logs before
// are gone.
func TestCheckpoints(t *testing.T) {
	t.Parallel()
	r := startRelay(t)
	byDir := make(map[string]int)
	for _, name := range r.checkpoints() {
		byDir[filepath.Dir(name)]++
	}
	for dir, n := range byDir {
		if n > 2 {
			t.Errorf("%s has %d checkpoints", dir, n)
		}
	}
	if len(byDir) == 0 {
		t.Fatal("there is no checkpoint")
	}
	r.trim()
	c, log, err := r.goOn()
	if err != nil || strings.Count(log, loaded) != len(byDir) || strings.Contains(log, unused) {
		t.Fatalf("%v, %d partitions have checkpoints:\n%s", err, len(byDir), log)
	}
	r.wantAll(c)
}

// TestCheckpointsUnused has checkpoints that cannot be used: the log is read instead. If the log
// was trimmed, that is an error, and nothing is asked.
func TestCheckpointsUnused(t *testing.T) {
	corpus.Unraced(t)
	t.Parallel()
	head := func(change func(h map[string]any)) func(text []byte) []byte {
		return func(text []byte) []byte {
			line, rest, _ := bytes.Cut(text, []byte("\n"))
			var h map[string]any
			d := json.NewDecoder(bytes.NewReader(line))
			d.UseNumber()
			fatal.If(t, d.Decode(&h))
			change(h)
			line, err := json.Marshal(h)
			fatal.If(t, err)
			return append(append(line, '\n'), rest...)
		}
	}
	for name, test := range map[string]struct {
		change func(text []byte) []byte
		sum    bool // the object has the sum of its new content
		want   string
	}{
		"a byte":        {func(text []byte) []byte { text[len(text)-3] ^= 1; return text }, false, "SHA-256"},
		"cut":           {func(text []byte) []byte { return text[:len(text)/2] }, false, "SHA-256"},
		"cut, with sum": {func(text []byte) []byte { return text[:len(text)-9] }, true, ""},
		"text":          {func([]byte) []byte { return []byte("text") }, true, "not a checkpoint"},
		"newer":         {head(func(h map[string]any) { h["version"] = 2 }), true, "in version 2 of its form"},
		"foreign":       {head(func(h map[string]any) { h["crawl"] = "x" }), true, "of another crawl"},
		"partition":     {head(func(h map[string]any) { h["partition"] = 999 }), true, "of partition 999"},
		"later":         {head(func(h map[string]any) { h["position"] = uint64(1) << 62 }), true, "the log ends at"},
		"salt":          {head(func(h map[string]any) { h["salt"] = 1 }), true, "an earlier version"},
		"record":        {head(func(h map[string]any) { h["position"] = 1 }), true, "it is of record"},
	} {
		if !corpus.All() && name != "a byte" && name != "cut" && name != "newer" && name != "foreign" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := startRelay(t)
			for _, file := range r.checkpoints() {
				text, err := os.ReadFile(file)
				fatal.If(t, err)
				text = test.change(text)
				fatal.If(t, os.WriteFile(file, text, 0o666))
				if test.sum {
					fatal.If(t, os.WriteFile(file+".sha256", []byte(sumText(text)+"  x\n"), 0o666))
				}
			}
			if name == "cut" {
				r.trim()
				c := r.next()
				w := crawl.NewWorker(*c)
				ctx, stop := context.WithCancel(t.Context())
				ended := make(chan error, 1)
				go func() {
					_, err := w.Run(ctx)
					ended <- err
				}()
				select {
				case <-w.Joined:
				case err := <-ended:
					t.Fatal(err)
				}
				err := w.Acquire(ctx, crawl.PartitionOf(r.site.URL+"/0"))
				if err == nil || !strings.Contains(err.Error(), "it is not there") {
					t.Errorf("a trimmed log: %v", err)
				}
				stop()
				<-ended
				return
			}
			c, log, err := r.goOn()
			if err != nil || !strings.Contains(log, unused) || !strings.Contains(log, test.want) ||
				strings.Contains(log, loaded) {
				t.Fatalf("%v, want %q:\n%s", err, test.want, log)
			}
			r.wantAll(c)
		})
	}
}

// sumText returns the SHA-256 of a text in hexadecimal.
func sumText(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
