package crawl_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// zippedSitemap returns a gzipped sitemap whose entries are those of the function.
func zippedSitemap(entries int, url func(i int) string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	fmt.Fprint(z, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for i := range entries {
		fmt.Fprintf(z, "<url><loc>%s</loc></url>", url(i))
	}
	fmt.Fprint(z, "</urlset>")
	z.Close()
	return b.Bytes()
}

// serveSitemap serves a host with a sitemap at each of some addresses of this machine.
func serveSitemap(t *testing.T, hosts int, sitemap func(base string) []byte) (bases []string) {
	t.Helper()
	for i := range hosts {
		var s *httptest.Server
		s = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/robots.txt":
				fmt.Fprintf(w, "User-agent: *\nDisallow:\nSitemap: %s/m.xml.gz\n", s.URL)
			case "/m.xml.gz":
				w.Header().Set("Content-Type", "application/gzip")
				w.Write(sitemap(s.URL))
			default:
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprint(w, "<p>x")
			}
		}))
		s.Listener.Close()
		s.Listener = listenAt(t, fmt.Sprintf("127.8.%d.1:0", i))
		s.Start()
		t.Cleanup(s.Close)
		bases = append(bases, s.URL)
	}
	return bases
}

// TestSitemapMemory crawls hosts whose sitemaps of a megabyte, zipped, have a hundred thousand URLs
// of 970 bytes: with one folder of 900 letters, which the URL alone refuses, and with short ones,
// which are queued: these go through the caches of the store. It compares the memory of the process
// with that for short sitemaps.
func TestSitemapMemory(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	entries := ofWhole(t, 100_000, 20_000)
	peak := func(hosts, entries int, path func(i int) string, queued bool) int64 {
		t.Helper()
		bases := serveSitemap(t, hosts, func(base string) []byte {
			return zippedSitemap(entries, func(i int) string { return base + path(i) })
		})
		ch := &robotTask{Dir: t.TempDir(), Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Seeds: bases,
			NoArchive: true, Delay: -1, HostPages: 2, Workers: 128}
		if queued {
			ch.Delay, ch.HostPages, ch.KillAt = 200*time.Millisecond, 0, int64(hosts*entries)
		}
		p := ch.start(t)
		err := p.Wait()
		_, text, found := strings.Cut(p.out.String(), "peak ")
		if !found || !queued && (err != nil || !strings.Contains(text, "finished")) {
			t.Fatalf("%v, %s", err, &p.out)
		}
		var most int64
		fmt.Sscan(text, &most)
		return most
	}
	long := strings.Repeat("a", 900)
	trap := func(i int) string { return fmt.Sprintf("/%s/%08d", long, i) }
	deep := func(i int) string {
		return fmt.Sprintf("/%08d?q=%s", i, long)
	}
	for _, test := range []struct {
		hosts  int
		path   func(i int) string
		name   string
		queued bool
		most   int64 // bytes
	}{
		{1, trap, "refused", false, 60 << 20}, {6, trap, "refused", false, 100 << 20},
		{1, deep, "queued", true, 60 << 20}, {6, deep, "queued", true, 150 << 20},
	} {
		none := peak(test.hosts, 10, test.path, test.queued)
		whole := peak(test.hosts, entries, test.path, test.queued)
		if none == 0 {
			t.Skip("this system does not report the memory of a process")
		}
		// The system may count more, for once: huge pages, and garbage when it is busy.
		for again := 0; again < 2 && whole-none > test.most; again++ {
			whole = min(whole, peak(test.hosts, entries, test.path, test.queued))
		}
		t.Logf("%d hosts, %s: %d MB for 10 entries each, %d MB for %d", test.hosts, test.name, none>>20, whole>>20,
			entries)
		if whole-none > test.most {
			t.Errorf("%d hosts, %s: the sitemaps cost %d MB, want %d at most", test.hosts, test.name, (whole-none)>>20,
				test.most>>20)
		}
	}
}

// TestSitemapKilled kills the crawl in the middle of a sitemap. In the end each URL has one line.
func TestSitemapKilled(t *testing.T) {
	t.Parallel()
	entries := ofWhole(t, 100_000, 8000)
	asked := 0
	bases := serveSitemap(t, 1, func(base string) []byte {
		asked++
		return zippedSitemap(entries, func(i int) string { return fmt.Sprintf("%s/%d", base, i) })
	})
	ch := &robotTask{Dir: t.TempDir(), Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Seeds: bases,
		Delay: -1, HostPages: 2, Quick: true}
	for _, at := range []int64{1000, 3000, int64(entries) - 1000} {
		ch.KillAt = at
		p := ch.start(t)
		if err := p.Wait(); err == nil {
			t.Fatalf("it was not killed: %s", &p.out)
		}
		ch.Seeds = nil
	}
	ch.KillAt = 0
	p := ch.start(t)
	if err := p.Wait(); err != nil || !strings.Contains(p.out.String(), "finished") {
		t.Fatalf("%v, %s", err, &p.out)
	}
	lines, err := os.ReadFile(filepath.Join(ch.Dir, "results.jsonl"))
	fatal.If(t, err)
	seen := make(map[string]int)
	for line := range strings.Lines(string(lines)) {
		var one result.Line
		fatal.If(t, json.Unmarshal([]byte(line), &one))
		seen[one.URL]++
	}
	for i := range entries {
		url := fmt.Sprintf("%s/%d", bases[0], i)
		if n := seen[url]; n != 1 {
			t.Errorf("%s has %d lines", url, n)
		}
	}
	t.Logf("the sitemap was asked for %d times", asked)
	if len(seen) != entries+2 || asked > 4 {
		t.Errorf("%d URLs, want %d; the sitemap was asked for %d times", len(seen), entries+2, asked)
	}
}

// TestSitemapCut reads sitemaps that are not whole, and has that in the results.
func TestSitemapCut(t *testing.T) {
	corpus.Unraced(t)
	t.Parallel()
	simple := func(base string) func(i int) string {
		return func(i int) string { return fmt.Sprintf("%s/excluded/%d", base, i) }
	}
	const anyNumber = -1
	for _, test := range []struct {
		name, truncated string
		bad             int
		sitemap         func(base string) []byte
	}{
		{"whole", "", 0, func(base string) []byte { return zippedSitemap(3, simple(base)) }},
		{"too many", "entries", 0, func(base string) []byte { return zippedSitemap(100_001, simple(base)) }},
		{"as many as there may be", "", 0, func(base string) []byte { return zippedSitemap(100_000, simple(base)) }},
		{"cut gzip", "unfinished", 0, func(base string) []byte {
			text := zippedSitemap(1000, simple(base))
			return text[:len(text)/2]
		}},
		{"damaged gzip", "unfinished", anyNumber, func(base string) []byte {
			text := zippedSitemap(1000, simple(base))
			copy(text[len(text)/2:], "\xff\xff\xff\xff\xff\xff\xff\xff")
			return text
		}},
		{"cut text", "unfinished", 0, func(base string) []byte {
			return []byte("<urlset><url><loc>" + base + "/1</loc></url><url><loc>" + base)
		}},
		{"bad entries", "", 3, func(base string) []byte {
			return []byte("<urlset><url><loc>/1</loc></url><url/><url><loc>" + base + "/2</loc></url>" +
				"<url><loc>" + base + "/" + strings.Repeat("x", 2100) + "</loc></url></urlset>")
		}},
		{"more bad entries than are read", "entries", 100_000, func(string) []byte {
			return []byte("<urlset>" + strings.Repeat("<url><loc>x</loc></url>", 100_001) + "</urlset>")
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			bases := serveSitemap(t, 1, test.sitemap)
			c := newCrawler(t)
			c.Budget.HostPages, c.Scope.Exclude = 2, []string{"/excluded/"}
			summary, err := crawl.New(*c).Run(t.Context(), bases...)
			if err != nil || !summary.Finished {
				t.Fatalf("%+v, %v", summary, err)
			}
			lines, err := os.ReadFile(filepath.Join(c.Dir, "results.jsonl"))
			fatal.If(t, err)
			found := false
			for line := range strings.Lines(string(lines)) {
				var one result.Line
				fatal.If(t, json.Unmarshal([]byte(line), &one))
				if !strings.HasSuffix(one.URL, "/m.xml.gz") {
					continue
				}
				found = true
				if one.Truncated != test.truncated || test.bad != anyNumber && one.BadEntries != test.bad {
					t.Errorf("truncated is %q, and %d entries are bad: %s", one.Truncated, one.BadEntries, line)
				}
			}
			if !found {
				t.Errorf("the sitemap has no line:\n%.500s", lines)
			}
		})
	}
}
