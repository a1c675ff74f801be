package crawl_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestOldFolder continues a killed crawl in a folder that the program wrote at commit 55caa0f: the
// store, the journal, the memo, the archive and the results are of that version. The folder was
// made by crawling eleven small pages on loopback.
//
// If a change to a form makes this folder unreadable, the crawl must refuse the folder with a
// sentence that says what to do, and this test must expect that sentence.
func TestOldFolder(t *testing.T) {
	dir := t.TempDir()
	for _, f := range corpus.Untar(t, "testdata/crawl-55caa0f.tar.gz") {
		name := filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(f.Name, "testdata/old-crawl/")))
		fatal.If(t, os.MkdirAll(filepath.Dir(name), 0o777))
		fatal.If(t, os.WriteFile(name, f.Data, 0o666))
	}
	results := filepath.Join(dir, "results.jsonl")
	before := readFile(t, results)
	want := fmt.Sprint("killed ExampleBot/1.0 (+https://example.com/bot), seen 16, done 11, queued 3, ",
		"map[disallowed:1 duplicate:1 nofollow:1 not-found:3 out-of-scope:1 redirected:1 scheme:1 trap:1]")
	if got := inspected(t, dir); got != want {
		t.Errorf("the folder says %s, want %s", got, want)
	}

	ctx, cancel := context.WithCancel(t.Context())
	c := newCrawler(t)
	c.Dir, c.UserAgent = dir, "ExampleBot/1.0 (+https://example.com/bot)"
	c.Attend = func(*crawl.Crawl) func() { // the folder is open, and no request was made
		cancel()
		return func() {}
	}
	if _, err := crawl.New(*c).Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	after, err := os.ReadFile(results)
	if err != nil || !bytes.HasPrefix(after, before) {
		t.Errorf("the results were changed: %s, %v", after, err)
	}
	if n := bytes.Count(after, []byte("\n")); n != 13 {
		t.Errorf("the results have %d lines, want 13:\n%s", n, after)
	}
	want = strings.Replace(want, "killed", "stopped", 1)
	if got := inspected(t, dir); got != want {
		t.Errorf("after it was opened, the folder says %s, want %s", got, want)
	}
	i, err := crawl.Inspect(dir)
	fatal.If(t, err)
	defer i.Close()
	const host = "http://127.0.0.1:18471"
	statuses, err := i.HostStatus(t.Context(), host, 10)
	if err != nil || len(statuses) != 1 || statuses[0].Done != 11 || len(statuses[0].URLs) != 3 ||
		statuses[0].URLs[0].URL != host+"/c2" ||
		statuses[0].Robots == nil || statuses[0].Robots.CrawlDelay != 1 || statuses[0].Robots.Rules != 1 {
		t.Errorf("the host: %+v, %v", statuses, err)
	}
}

// inspected returns the status in the folder of a crawl that does not run.
func inspected(t *testing.T, dir string) string {
	t.Helper()
	i, err := crawl.Inspect(dir)
	fatal.If(t, err)
	defer i.Close()
	s, err := i.Status(t.Context(), 1)
	fatal.If(t, err)
	return fmt.Sprintf("%s %s, seen %d, done %d, queued %d, %v", s.State, s.Robot, s.Counts.Seen, s.Counts.Done,
		s.Counts.Queued, s.Reasons)
}
