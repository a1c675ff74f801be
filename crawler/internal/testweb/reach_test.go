package testweb_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/testweb"
)

// TestReachable checks the lists for some hosts.
func TestReachable(t *testing.T) {
	tests := []struct {
		kind, text string
		sitemaps   bool
		want       string
	}{
		{"mapped", "folder", false, "/ /linked.html"},
		{"mapped", "folder", true,
			"/ /linked.html /listed/1.html /listed/2.html?a=1&b=2 /listed/3.html /missing.xml /no-sitemap.xml /sitemap-1.xml /sitemap-2.xml.gz /sitemaps.xml"},
		{"mapped", "none", true, "/ /linked.html"},
		{"mapped", "utf-16", true, "/ /linked.html"},
		{"mapped", "closed", true, ""},
		{"directed", "none", false,
			"/ /after/noindex.html /after/other.html /both.html /canonical.html /header.html /meta.html /noindex.html /none.html /other.html /refresh.html /token-header.html /token.html"},
		{"shop", "none", false, "/ /item/1.html /item/2.html /item/3.html /item/4.html"},
		{"calendar", "none", false, "/ /events.html"},
		{"looping", "none", false, "/ /a /b /page.html /self"},
		{"refreshing", "none", false, "/ /circle/1 /circle/2 /new?from=old&way=refresh /old /self"},
		{"refreshing", "patterns", false, "/ /circle/1 /circle/2 /old /self"},
		{"packed", "down", false, ""},
		{"packed", "closed-hours", false, ""},
		{"packed", "named", false, "/ /after/gzip.html /gzip.html /half.html /not.html /twice.html"},
		{"charsets", "late", false,
			"/ /%D1%81%D1%82%D1%80.html /1251.html /page.html /unknown.html /utf-16.html /utf-8.html"},
		{"dead", "none", false, ""},
		{"rebinding", "none", false, ""},
	}
	for _, test := range tests {
		w := start(t, testweb.Options{Hosts: 1, Pages: 1, Kinds: []string{test.kind}, Texts: []string{test.text}})
		var got []string
		for _, url := range w.Reachable(testweb.CheckOptions{Sitemaps: test.sitemaps}) {
			got = append(got, strings.TrimPrefix(url, w.Origin(0)))
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s, %s: got\n%s, want\n%s", test.kind, test.text, text, test.want)
		}
	}
}

// TestShut checks a host that is closed for some time: its pages can be reached when it
// is open, and not before.
func TestShut(t *testing.T) {
	o := testweb.Options{Hosts: 1, Pages: 10, Kinds: []string{"ordinary"}, Texts: []string{"closed-hours"},
		Shut: time.Minute}
	if got := start(t, o).Reachable(testweb.CheckOptions{}); got != nil {
		t.Errorf("reachable at once: %q", got)
	}
	w := start(t, o.Aged(3*time.Minute))
	if got := w.Reachable(testweb.CheckOptions{}); len(got) < 5 {
		t.Errorf("reachable some minutes later: %q", got)
	}
	new(naive).crawl(t, w)
	wantOffences(t, w.Check(testweb.CheckOptions{Whole: true}))
	n := 0
	for range w.Requests() {
		n++
	}
	if got := w.Served(); got != n || n < 6 {
		t.Errorf("%d requests were served, and %d are in the log", got, n)
	}
}

// TestTree checks that all pages of a tree can be reached from its root.
func TestTree(t *testing.T) {
	w := start(t, testweb.Options{Hosts: 3, Pages: 1000, Kinds: []string{"ordinary"}, Texts: []string{"none"}})
	got := w.Reachable(testweb.CheckOptions{Seeds: []string{w.Origin(1) + "/"}})
	if len(got) < 1000 || len(got) > 1003 {
		t.Errorf("%d pages can be reached, want a thousand", len(got))
	}
	sorted := slices.Clone(got)
	slices.Sort(sorted)
	if len(slices.Compact(sorted)) != len(got) {
		t.Error("some are there twice")
	}
}

// FuzzAnswer requests a path from hosts of all kinds.
func FuzzAnswer(f *testing.F) {
	w := start(f, testweb.Options{Hosts: 60, Pages: 500, TLS: true, Kinds: slices.Concat(everyKind(),
		[]string{"hole", "stalling"})})
	for _, path := range []string{
		"/", "/news/1.html", "//", "/robots.txt", "/hop/1/2", "/hop/", "/calendar/2026/11", "/calendar/1/01",
		"/calendar/9999/12", "/calendar/-1/1", "/chain/3",
		"/list?page=1", "/copy/18446744073709551615.html", "/more/and/", "/long/x", "/on?n=4294967295",
		"/item/1.html;jsessionid=", "/?sid=", "/from/301", "/%zz", "/\x00\xff",
	} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		for host := range w.Len() {
			if a, b := w.Settled(host, "/"+strings.TrimPrefix(path, "/")), w.Settled(host, "/"+
				strings.TrimPrefix(path, "/")); a != b {
				t.Errorf("host %d says %q, and then %q", host, a, b)
			}
		}
	})
}
