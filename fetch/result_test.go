package fetch_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestResultString checks the sentence of each kind of result. The time of a bubble begins at
// midnight UTC 2000-01-01.
func TestResultString(t *testing.T) {
	const at = "http://a.example/robots.txt: "
	for _, test := range []struct {
		name  string
		serve []http.HandlerFunc // an hour and a minute after each other
		want  string
	}{
		{"fetched", []http.HandlerFunc{text(closed)}, at + "200, 34 bytes, fresh until 2000-01-02T00:00:00Z"},
		{"cached", []http.HandlerFunc{text(closed), nil}, at +
			"200, 34 bytes, cached 1h1m0s ago, fresh until 2000-01-02T00:00:00Z"},
		{"revalidated", []http.HandlerFunc{text(closed, "ETag", `"1"`, "Cache-Control", "max-age=60"), status(304)},
			at + "304, 34 bytes, not modified, fresh until 2000-01-01T01:02:00Z"},
		{"cut", []http.HandlerFunc{text(lines(100_000))}, at +
			"200, 511,982 bytes, cut because there was more, fresh until 2000-01-02T00:00:00Z"},
		{"HTML", []http.HandlerFunc{text("<html>")}, at +
			"200, 6 bytes, looks like HTML, fresh until 2000-01-02T00:00:00Z"},
		{"redirect", []http.HandlerFunc{func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/x" {
				http.Redirect(w, r, "/x", http.StatusFound)
			}
		}}, at + "200, 0 bytes, by 1 redirect from http://a.example/x, fresh until 2000-01-02T00:00:00Z"},
		{"redirects", []http.HandlerFunc{func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/robots.txt":
				http.Redirect(w, r, "/x", http.StatusFound)
			case "/x":
				http.Redirect(w, r, "/y", http.StatusFound)
			}
		}}, at + "200, 0 bytes, by 2 redirects from http://a.example/y, fresh until 2000-01-02T00:00:00Z"},
		{"unavailable", []http.HandlerFunc{status(404)}, at +
			"404 Not Found: unavailable, everything is allowed; not asked again before 2000-01-02T00:00:00Z"},
		{"unreachable", []http.HandlerFunc{status(503)},
			at +
				"unreachable since 2000-01-01T00:00:00Z (503 Service Unavailable): nothing is allowed; not asked again before 2000-01-01T00:01:00Z"},
		{"stale", []http.HandlerFunc{text(closed, "Cache-Control", "max-age=60"), nil},
			at + "unreachable since 2000-01-01T01:01:00Z (DNS has no host a.example: check its spelling): " +
				"the copy of 2000-01-01T00:00:00Z, 34 bytes, is in force until 2000-01-31T01:01:00Z; not asked again before 2000-01-01T01:02:00Z"},
	} {
		t.Run(test.name, bubble(func(t *testing.T) {
			n, c := newNetwork(t)
			var r fetch.Result
			for i, h := range test.serve {
				if i > 0 {
					step(61 * time.Minute)
				}
				n.set("a.example", h)
				r = policy(t, c, site)
			}
			check(t, "sentence", r.String(), test.want)
		}))
	}
	synctest.Test(t, func(t *testing.T) {
		n, c := newNetwork(t)
		c.ObeyForbidden = true
		n.set("a.example", status(403))
		check(t, "sentence", policy(t, c, site).String(), at+
			"403 Forbidden: nothing is allowed; not asked again before 2000-01-02T00:00:00Z")
		n.set("a.example", status(500))
		step(24 * time.Hour)
		policy(t, c, site)
		step(30 * 24 * time.Hour)
		check(t, "sentence", policy(t, c, site).String(), at+
			"unreachable since 2000-01-02T00:00:00Z, for more than 30 days "+
			"(500 Internal Server Error): unavailable, everything is allowed; not asked again before 2000-02-01T00:02:00Z")
	})
}

func TestResultJSON(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, c := newNetwork(t)
		c.Cache = fetch.Dir("")
		n.set("a.example", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				http.Redirect(w, r, "/x", http.StatusFound)
			} else {
				text(closed, "ETag", `"1"`)(w, r)
			}
		})
		data, err := json.Marshal(policy(t, c, site))
		fatal.If(t, err)
		check(t, "JSON", string(data), `{"origin":"http://a.example","state":"ok","checked_at":"2000-01-01T00:00:00Z",`+
			`"redirects":[{"url":"http://a.example/robots.txt","status":302}],"url":"http://a.example/x","status":200,`+
			`"fresh_until":"2000-01-02T00:00:00Z","file":{"fetched_at":"2000-01-01T00:00:00Z","confirmed_at":"2000-01-01T00:00:00Z",`+
			`"url":"http://a.example/x","sha256":"efc4db5408347a17597d7618522f084512d5d8d9ff46135129e293e4dee3355a","size":34,`+
			`"content_type":"text/plain","etag":"\"1\""},"source":"fetched","age":0,`+
			`"cache_error":"fetch: cannot use \"\" as a cache: the path is empty: name a folder"}`)
	})
}

// Text from a server is always printed escaped.
func TestNothingRaw(t *testing.T) {
	const evil = "\x1b[2J\u009b2J\u202e\x07"
	for _, answer := range []string{
		"HTTP/1.1 200 OK\r\nContent-Type: text/\u009b2J\u202e" + strings.Repeat("\u009b", 300) +
			"\r\nETag: \"\u009b\"\r\nContent-Length: 0\r\n\r\n",
		"HTTP/1.1 302 Found\r\nLocation: http://a.example:99999/\u009b\u202e\r\nContent-Length: 0\r\n\r\n",
		"HTTP/1.1 302 Found\r\nLocation: http://\u009b\u202e/\r\nContent-Length: 0\r\n\r\n",
		"HTTP/1.1 404 " + evil + "\r\nContent-Length: 0\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Encoding: \u009b\u202e\r\nContent-Length: 0\r\n\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: \u009b\u202e\r\n\r\n",
		evil + "\r\n\r\n",
	} {
		r := policy(t, local(t), serveRaw(t, func(conn net.Conn) { io.WriteString(conn, answer) }))
		data, err := json.Marshal(r)
		if err != nil {
			t.Error(err)
		}
		for _, shown := range []string{r.String(), string(data), fmt.Sprint(r.Redirects), r.Cause, r.URL} {
			if i := strings.IndexFunc(shown, func(c rune) bool {
				return c < ' ' || c >= 0x7f && c < 0xa0 ||
					c == '\u202e'
			}); i >= 0 {
				t.Errorf("%q shows %q", answer, shown[i:])
			}
		}
		if r.Cause != "" && len(r.Cause) > 600 || r.File != nil && len(r.File.ContentType) > 210 {
			t.Errorf("%q: cause of %d bytes", answer, len(r.Cause))
		}
	}
}

func TestStateText(t *testing.T) {
	for _, s := range []fetch.State{fetch.OK, fetch.Unavailable, fetch.Unreachable, fetch.Forbidden} {
		var again fetch.State
		if err := again.UnmarshalText([]byte(s)); again != s || err != nil {
			t.Errorf("%v: got %v, %v", s, again, err)
		}
	}
	for _, s := range []string{"", "OK", "unknown", "\x1b"} {
		var state fetch.State
		if err := state.UnmarshalText([]byte(s)); err == nil {
			t.Errorf("%q: got %v", s, state)
		}
	}
	var e fetch.Entry
	if err := json.Unmarshal([]byte(`{"state":"unknown"}`), &e); err == nil {
		t.Errorf("a state that does not exist is read from JSON as %q", e.State)
	}
}
