package crawl

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// folderSize returns the size in bytes of all files below a folder.
func folderSize(t *testing.T, dir string) (size int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // the file may be gone by now
		}
		if info, err := d.Info(); err == nil {
			size += info.Size()
		}
		return nil
	})
	fatal.If(t, err)
	return size
}

// TestTrim crawls a site with a journal that is trimmed often, is stopped, and continues. The
// journal must stay small, and nothing may be lost. The site has 150 pages, or 300 with
// ROBOTS_CORPUS_ALL.
func TestTrim(t *testing.T) {
	corpus.Unraced(t)
	t.Parallel()
	const junk = 90
	pages, small, large := corpus.Cases(150, 300), corpus.Cases(1<<20, 2<<20), 1<<30
	if testing.Short() {
		pages, small, large = 50, 256<<10, 256<<10 // with so few pages the sizes are not tested
	}
	var journal string
	var largest int64 // size of the journal in bytes, measured by the server
	var c *run
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var n int
		if _, err := fmt.Sscanf(r.URL.Path, "/page/%d", &n); err != nil || n > pages {
			http.NotFound(w, r)
			return
		}
		if n%10 == 0 {
			// A busy machine trims slowly: the crawl waits for this page, and the page for the trim.
			c.shard.trimming.Lock()
			largest = max(largest, folderSize(t, journal))
			c.shard.trimming.Unlock()
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>%d</title><p>%s", n, strings.Repeat(fmt.Sprintf("word%d ", n), 50))
		fmt.Fprintf(w, "<a href=/page/%d><a href=/page/%d>", 2*n, 2*n+1)
		for range junk {
			fmt.Fprint(w, "<a href=/junk/")
			for range 100 {
				fmt.Fprintf(w, "%016x", rand.Uint64()) // text that cannot be compressed well
			}
			fmt.Fprint(w, ">")
		}
	}))
	defer server.Close()
	sizes := make(map[int]int64)
	for _, trimAfter := range slices.Compact([]int{small, large}) {
		dir := t.TempDir()
		journal, largest = filepath.Join(dir, "journal"), 0
		var summary *Summary
		for _, budget := range []int64{int64(pages) * 2 / 3, 0} {
			c = &run{handle: &Crawl{testFlush: time.Millisecond}, testTrimAfter: trimAfter, Config: Config{
				Dir: dir, UserAgent: "TestBot/1.0 (+https://example.com/bot)",
				DialFilter: fetch.DialFilter{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}},
				Pauses:     Pauses{MinDelay: time.Microsecond, Slowness: -1, AddressGap: -1, AddressBudget: -1},
				Budget:     Budget{Pages: budget},
				Scope:      Scope{Exclude: []string{"/junk/"}},
			}}
			var err error
			if summary, err = c.crawl(t.Context(), []string{server.URL + "/page/1"}); err != nil {
				t.Fatal(err)
			}
		}
		sizes[trimAfter] = largest
		if want := int64(2*pages + 1 + pages*junk); !summary.Finished || summary.Counts.Seen != want ||
			summary.Counts.Queued != 0 {
			t.Errorf("trimmed after %d bytes: %+v, want %d URLs seen", trimAfter, summary, want)
		}
	}
	if small < large && sizes[small] > sizes[large]*9/10 {
		t.Errorf("the journal has %d bytes where it is trimmed, and %d where it is not", sizes[small], sizes[large])
	}
}
