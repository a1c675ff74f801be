package crawl_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// readFetched returns the URLs that the results have as fetched, with the times of their
// requests. Each URL occurs once.
func readFetched(t *testing.T, dir string) map[string]time.Time {
	t.Helper()
	fetched := make(map[string]time.Time)
	f, err := os.Open(filepath.Join(dir, "results.jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		return fetched // the crawl was killed before it wrote results
	} else if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewReader(f); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return fetched // the last line may be torn
		}
		var r struct {
			URL       string    `json:"url"`
			FetchedAt time.Time `json:"fetched_at"`
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if r.FetchedAt.IsZero() {
			continue
		}
		if before := fetched[r.URL]; !before.IsZero() {
			t.Errorf("%s is in the results as fetched at %v, and at %v", r.URL, before, r.FetchedAt)
		}
		fetched[r.URL] = r.FetchedAt
	}
}

// checkFolder reads all files of a finished crawl and compares them with the servers' records:
// the store is intact, and each page in the results is in the archive and was not requested
// again.
func checkFolder(t *testing.T, dir string, web *testweb.Web) {
	t.Helper()
	s, err := store.Open(store.Options{Dir: filepath.Join(dir, "store")})
	fatal.If(t, err)
	defer s.Close()
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	fetched, archived := readFetched(t, dir), readArchive(t, dir)
	for url := range fetched {
		if !archived[url] {
			t.Errorf("%s is in the results as fetched, and no answer is in the archive", url)
		}
	}
	again := make(map[string]int)
	rows := make(map[string]int) // requests for pages without a use, in a row, by host
	for r := range web.Requests() {
		u, err := url.Parse(r.URL)
		if err != nil || u.Path == "/robots.txt" {
			continue
		}
		doubted := rows[u.Host] >= testweb.Doubts
		if rows[u.Host]++; !r.Useless {
			rows[u.Host] = 0
		}
		at, ok := fetched[r.URL]
		if ok && !doubted && web.Began().Add(r.Start).After(at) {
			if again[r.URL]++; again[r.URL] == 2 {
				t.Errorf("%s is in the results as fetched at %v, and asked for once more: %s", r.URL, at, r)
			}
		}
	}
	counts := s.Counts()
	t.Logf("%d pages are done, %d in the results, and %d archived", counts.Done, len(fetched), len(archived))
	broken := int64(0) // fetched, but not counted as visits
	for _, r := range readResults(t, dir) {
		if r["reason"] == "broken" {
			broken++
		}
	}
	if counts.Done+broken != int64(len(fetched)) {
		t.Errorf("%d pages are done and %d broken, and %d are in the results", counts.Done, broken, len(fetched))
	}
	if counts.Queued > 0 {
		t.Errorf("%d URLs are left in queues", counts.Queued)
	}
	s.Close()
	checkReasons(t, dir)
}

// checkReasons compares the counts of failed and refused URLs in the folder of a crawl with
// the results.
func checkReasons(t *testing.T, dir string) {
	t.Helper()
	i, err := crawl.Inspect(dir)
	fatal.If(t, err)
	defer i.Close()
	status, err := i.Status(t.Context(), 0)
	fatal.If(t, err)
	counts, refused := make(map[string]int64), make(map[string]bool)
	text := readFile(t, filepath.Join(dir, "results.jsonl"))
	for line := range bytes.Lines(text) {
		var r struct {
			URL    string `json:"url"`
			Reason string `json:"reason"`
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if r.Reason == result.RefusedAddress.String() {
			// Each run asks a refused seed again if its address is allowed, and a host may change
			// it then.
			if refused[r.URL] {
				continue
			}
			refused[r.URL] = true
		}
		counts[r.Reason]++
	}
	delete(counts, "")
	for reason, n := range counts {
		if counted := status.Reasons[reason]; counted != n {
			t.Errorf("%d URLs are in the results as %s, and %d are counted", n, reason, counted)
		}
	}
}

// readArchive returns the URLs that have answers in the archive of a crawl.
func readArchive(t *testing.T, dir string) map[string]bool {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "archive", "*.warc.gz*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	archived := make(map[string]bool)
	for _, name := range names {
		f, err := os.Open(name)
		fatal.If(t, err)
		for r := warc.NewReader(f); ; {
			record, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
				break
			}
			if record.Type() == warc.TypeResponse || record.Type() == "revisit" {
				archived[record.URL()] = true
			}
		}
		f.Close()
	}
	return archived
}
