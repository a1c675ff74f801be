package monitor_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

const (
	list = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
	one  = "<url><loc>https://a.example/</loc></url>"
)

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

// TestSitemapFaults looks at a real server that names a sitemap of each kind.
func TestSitemapFaults(t *testing.T) {
	for _, test := range []struct {
		name, body, fault string
		status            int
		header            string
	}{
		{"XML", list + one + "</urlset>", "", 200, "Content-Type: application/xml"},
		{"an index", "<sitemapindex><sitemap><loc>https://a.example/1.xml</loc></sitemap></sitemapindex>", "", 200, ""},
		{"XML as text/html", list + one + "</urlset>", "", 200, "Content-Type: text/html"},
		{"gzip", zipped(list + one + "</urlset>"), "", 200, "Content-Type: application/gzip"},
		{"an encoding", zipped(list + one + "</urlset>"), "", 200, "Content-Encoding: gzip"},
		{"a list", "https://a.example/\nhttps://a.example/x\n", "", 200, "Content-Type: text/plain"},
		{"a feed", "<rss><channel><item><link>https://a.example/</link></item></channel></rss>", "", 200, ""},
		{"one wrong URL", list + one + "<url><loc>/x</loc></url></urlset>", "", 200, ""},
		{"500", list + one + "</urlset>", "500", 500, ""},
		{"404", "<html>", "404", 404, ""},
		{"403", "", "403", 403, ""},
		{"HTML", "<!doctype html>\n<html><body>App</body></html>", "html", 200, "Content-Type: application/xml"},
		{"XHTML", `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"></html>`, "html", 200, ""},
		{"nothing", "", "empty", 200, "Content-Type: application/xml"},
		{"no content", "", "empty", 204, ""},
		{"an empty list", list + "</urlset>", "empty", 200, ""},
		{"wrong URLs only", list + "<url><loc>/x</loc></url></urlset>", "empty", 200, ""},
		{"half of it", list + one, "malformed", 200, ""},
		{"tags that cross", list + "<url><loc>https://a.example/</url></loc></urlset>", "malformed", 200, ""},
		{"other XML", "<Error><Code>AccessDenied</Code></Error>", "malformed", 200, ""},
		{"prose", "Not found\n", "malformed", 200, ""},
		{"binary", "\x89PNG\r\n\x1a\n\x00\x00\x00", "malformed", 200, ""},
		{"a broken encoding", "no gzip", "malformed", 200, "Content-Encoding: gzip"},
		{"too many entries", list + strings.Repeat(one, 50_001) + "</urlset>", "large", 200, ""},
		{"as many as may be", list + strings.Repeat(one, 50_000) + "</urlset>", "", 200, ""},
		{"too long", zipped(list + strings.Repeat(" ", 51<<20) + one + "</urlset>"), "large", 200, ""},
		{"a loop", "", "failed", 302, "Location: /sitemap.xml"},
		{"a redirect to nowhere", "", "failed", 302, "Location: ftp://a.example/"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				fmt.Fprintf(w, "User-agent: *\nDisallow: /x\nSitemap: http://%s/sitemap.xml\n", r.Host)
				fmt.Fprintf(w, "Sitemap: /relative.xml\nSitemap: ftp://%[1]s/\n", r.Host)
				fmt.Fprintf(w, "Sitemap: http://u:p@%s/sitemap.xml#x\n", r.Host) // the same again
				return
			}
			if name, value, ok := strings.Cut(test.header, ": "); ok {
				w.Header().Set(name, value)
			}
			w.Header().Set("Last-Modified", "Sun, 01 Nov 2026 10:00:00 GMT")
			w.WriteHeader(test.status)
			io.WriteString(w, test.body)
		}))
		looker := &monitor.Looker{Transport: fetch.DialFilter{AllowPrivate: true}.Transport()}
		o, err := looker.Look(t.Context(), monitor.Site{URL: server.URL})
		server.Close()
		if err != nil || len(o.Sitemaps) != 1 {
			t.Errorf("%s: %+v, %v", test.name, o, err)
			continue
		}
		s := o.Sitemaps[0]
		want := ""
		if test.fault != "" {
			want = "sitemap warning"
		}
		if s.Fault != test.fault || brief(o.Findings) != want || s.Status != test.status && s.Fault != "failed" ||
			(s.Fault == "") != (s.Entries > 0 && s.Size > 0) && s.Fault != "malformed" && s.Fault != "large" {
			t.Errorf("%s: got %+v, want %q; %v", test.name, s, test.fault, o.Findings)
		}
		if kind, ok := strings.CutPrefix(test.header, "Content-Type: "); ok && s.Type != kind || s.Status != 0 &&
			s.Modified.Format(time.DateTime) != "2026-11-01 10:00:00" {
			t.Errorf("%s: got %+v", test.name, s)
		}
	}
}

// TestSitemapRefused checks that the addresses of sitemaps are filtered as others are, also after a
// redirect.
func TestSitemapRefused(t *testing.T) {
	private := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s was requested", r.URL)
	}))
	defer private.Close()
	filter := fetch.DialFilter{}.Transport()
	looker := &monitor.Looker{Transport: round(func(r *http.Request) (*http.Response, error) {
		switch r.URL.Path {
		case "/robots.txt":
			return answer(r, 200, "", "Sitemap: "+private.URL+"/s\nSitemap: https://a.example/to\n"), nil
		case "/to":
			return answer(r, 302, "Location: "+private.URL, ""), nil
		}
		return filter.RoundTrip(r)
	})}
	o, err := looker.Look(t.Context(), monitor.Site{URL: "https://a.example"})
	if err != nil || brief(o.Findings) != "sitemap warning, sitemap warning" {
		t.Fatalf("%v, %v", o, err)
	}
	for _, f := range o.Findings {
		if !strings.Contains(f.String(), "cannot be fetched: 127.0.0.1 is a special address (loopback)") {
			t.Errorf("got %s", f)
		}
	}
}

type round func(r *http.Request) (*http.Response, error)

func (f round) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func answer(r *http.Request, status int, header, body string) *http.Response {
	a, _ := answers(func(*http.Request) (int, string, string, error) { return status, header, body, nil }).RoundTrip(r)
	return a
}

// TestSitemapIncidents checks that a fault is reported once, and over when it is over: the sitemap
// is sound, or robots.txt no longer names it. A failure of robots.txt ends nothing.
func TestSitemapIncidents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		looker := serve(func(r *http.Request) (int, string) {
			hour := int(time.Since(start).Hours())
			switch {
			case r.URL.Path == "/s.xml":
				return []int{200, 500, 500, 500, 404, 200, 500, 500, 200, 200}[hour], list + one + "</urlset>"
			case hour == 2:
				return 503, ""
			case hour != 7:
				return 200, "User-agent: *\nDisallow: /x\nSitemap: https://0.example/s.xml\n"
			}
			return 200, "User-agent: *\nDisallow: /x\n"
		})
		var got []string
		watch(t, monitor.Config{Dir: t.TempDir(), Looker: looker, Sites: sites(1), Looked: func(l monitor.Look) {
			for _, u := range l.Updates {
				hour := int(time.Since(start).Hours())
				got = append(got, fmt.Sprint(hour, " ", u.Step, " ", u.Finding.Kind, " ", u.Finding.After))
			}
		}}, 9*time.Hour+30*time.Minute)
		want := []string{"1 begun sitemap 500", "2 begun unreachable copy", "3 ended unreachable copy",
			"4 changed sitemap 404", "5 ended sitemap 404", "6 begun sitemap 500", "7 noted records ", "7 ended sitemap 500",
			"8 noted records "}
		if !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

// TestSitemapsArePolite checks what a watch requests: five sitemaps in a look, each in its turn,
// with validators, and long ones seldom.
func TestSitemapsArePolite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked, confirmed := make(map[string][]time.Time), 0
		looker := &monitor.Looker{Lookup: noAddress}
		looker.Transport = answers(func(r *http.Request) (int, string, string, error) {
			if r.URL.Path == "/robots.txt" {
				text := "User-agent: *\nDisallow: /x\n"
				for i := range 200 {
					text += fmt.Sprintf("Sitemap: https://0.example/%d\n", i)
				}
				return 200, "", text, nil
			}
			asked[r.URL.Path] = append(asked[r.URL.Path], time.Now())
			n, err := strconv.Atoi(r.URL.Path[1:])
			switch {
			case err != nil:
				return 0, "", "", errors.New("no route")
			case r.Header.Get("If-None-Match") == `"1"`:
				confirmed++
				return 304, "", "", nil
			case n == 7:
				return 500, "", "", nil
			case n == 8:
				return 200, "", list + strings.Repeat(" ", 1<<20) + one + "</urlset>", nil // 17 minutes
			case n == 9:
				return 200, "", list + strings.Repeat(" ", 8<<20) + one + "</urlset>", nil // more than two hours
			}
			return 200, `Etag: "1"`, list + one + "</urlset>", nil
		})
		begun := 0
		watch(t, monitor.Config{Dir: t.TempDir(), Looker: looker, Sites: sites(1), Looked: func(l monitor.Look) {
			if n := len(l.Observation.Sitemaps); n > 5 {
				t.Errorf("a look requested %d sitemaps", n)
			}
			for _, u := range l.Updates {
				if begun++; u.Step != monitor.Begun || u.Finding.Subject != "https://0.example/7" {
					t.Errorf("got %s", u.Sentence("en"))
				}
			}
		}}, 20*time.Hour)
		if len(asked) != 50 || begun != 1 || confirmed < 40*10 {
			t.Errorf("%d sitemaps were requested, %d incidents began, %d texts were confirmed", len(asked), begun,
				confirmed)
		}
		for path, times := range asked {
			least, most := 11, 13 // each hundredth minute
			if path == "/9" {
				least, most = 8, 9
			}
			if path == "/7" {
				most++ // to be sure of the fault
			}
			if n := len(times); n < least || n > most {
				t.Errorf("%s was requested %d times", path, n)
			}
		}
	})
}

// TestSitemapAsksForTime checks that a site whose sitemap asks for time gets it.
func TestSitemapAsksForTime(t *testing.T) {
	requests := 0
	looker := &monitor.Looker{Transport: answers(func(r *http.Request) (int, string, string, error) {
		if r.URL.Path == "/robots.txt" {
			return 200, "", "Sitemap: https://a.example/1\nSitemap: https://a.example/2\n", nil
		}
		requests++
		return 503, "Retry-After: 600", "", nil
	})}
	o, err := looker.Look(t.Context(), monitor.Site{URL: "https://a.example"})
	if err != nil || requests != 1 || o.NotBefore.Sub(o.Time) < 9*time.Minute || !slices.Equal(o.Skipped,
		[]string{"https://a.example/2"}) || brief(o.Findings) != "sitemap warning" {
		t.Errorf("%d requests, %+v, %v", requests, o, err)
	}
}
