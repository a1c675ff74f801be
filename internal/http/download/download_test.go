package download_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/http/download"
	"github.com/robotsexclusion/robots/internal/printable"
)

func TestExchange(t *testing.T) {
	const answer = "HTTP/1.1 200 Fine\r\ncontent-type: Text/HTML ; charset=utf-8\r\nX-Robots-Tag: noindex\r\nx-odd:  b \r\n" +
		"ETag: \"v1\"\r\nLast-Modified: Sat, 21 Nov 2026 10:00:00 GMT\r\nRetry-After: 120\r\nContent-Length: 68\r\n\r\n"
	origin := serveRaw(t, func(conn net.Conn, _ int) bool {
		_, err := io.WriteString(conn, answer+page)
		return err == nil
	})
	c := local(t)
	c.From, c.AcceptLanguage = "bot@example.com", "en, *;q=0.5"
	for i := range 3 {
		x := visit(t, c, download.Request{URL: origin + "/a%2Fb/../%7e?q=%zz&r=[|]"})
		check(t, "status", x.Status, 200)
		check(t, "media type", x.MediaType, "text/html")
		check(t, "header", x.Header.Get("X-Robots-Tag"), "noindex")
		check(t, "ETag", x.ETag, `"v1"`)
		check(t, "Last-Modified", x.LastModified, "Sat, 21 Nov 2026 10:00:00 GMT")
		check(t, "Retry-After", x.RetryAfter, 2*time.Minute)
		check(t, "body", bodyText(t, x.Body), page)
		check(t, "sent", x.Sent, x.Body)
		check(t, "digest", x.Digest, sha256.Sum256([]byte(page)))
		check(t, "truncated", x.Truncated, download.Whole)
		check(t, "failure", x.Failure, download.None)
		check(t, "response head", string(x.ResponseHead), answer)
		check(t, "request head", string(x.RequestHead), "GET /a%2Fb/../%7e?q=%zz&r=[|] HTTP/1.1\r\nHost: "+origin[7:]+
			"\r\nUser-Agent: "+robot+
			"\r\nFrom: bot@example.com\r\nAccept-Language: en, *;q=0.5\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n"+
			"Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.5\r\n\r\n")
		check(t, "address", x.Addr.String(), origin[7:])
		check(t, "protocol", x.Protocol+x.TLS, "http/1.1")
		check(t, "reused", x.Times.Reused, i > 0)
		if x.Times.FirstByte <= 0 || x.Times.Total < x.Times.FirstByte || (x.Times.Connect == 0) != x.Times.Reused ||
			x.Times.TLS != 0 {
			t.Errorf("times: %+v", x.Times)
		}
	}
}

// The server receives exactly the bytes of RequestHead.
func TestRequestSeen(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		var seen *http.Request
		s, c := serveTLS(t, http2, func(w http.ResponseWriter, r *http.Request) { seen = r.Clone(t.Context()) })
		x := visit(t, c, download.Request{
			URL: s.URL + "/a%2fb|%C3%A9?x=%zz", ETag: `W/"v1"`, LastModified: "Sat, 21 Nov 2026 10:00:00 GMT",
			Accept: "text/xml",
		})
		check(t, "request", seen.RequestURI, "/a%2fb|%C3%A9?x=%zz")
		check(t, "host", seen.Host, s.URL[8:])
		want := map[string]string{
			"User-Agent": robot, "Accept": "text/xml", "Accept-Encoding": "gzip, deflate, br, zstd",
			"If-None-Match": `W/"v1"`, "If-Modified-Since": "Sat, 21 Nov 2026 10:00:00 GMT",
		}
		for name := range seen.Header {
			check(t, name, strings.Join(seen.Header.Values(name), "; "), want[name])
			delete(want, name)
		}
		check(t, "missing", fmt.Sprint(want), "map[]")
		if !strings.HasPrefix(string(x.RequestHead), "GET /a%2fb|%C3%A9?x=%zz HTTP/1.1\r\nHost: "+s.URL[8:]+
			"\r\nUser-Agent: "+robot+"\r\n") {
			t.Errorf("request head %q", x.RequestHead)
		}
		check(t, "protocol", x.Protocol, map[bool]string{false: "http/1.1", true: "h2"}[http2])
		check(t, "TLS", x.TLS, "tls/1.3")
		if x.Times.TLS <= 0 {
			t.Errorf("times: %+v", x.Times)
		}
	}
}

func TestNotModified(t *testing.T) {
	const date = "Sat, 21 Nov 2026 10:00:00 GMT"
	for _, test := range []struct {
		name, tag, date string // of the request
		sent            string // in the head of the request
		answer          string
		want            bool
	}{
		{"by tag", `"v1"`, "", `"v1"`, "ETag: \"v1\"\r\n", true},
		{"by weak tag", `"v1"`, "", `"v1"`, "ETag: W/\"v1\"\r\n", true},
		{"without a tag", `"v1"`, "", `"v1"`, "", true},
		{"by date", "", date, date, "", true},
		{"another tag", `"v1"`, "", `"v1"`, "ETag: \"v2\"\r\n", false},
		{"unasked", "", "", "", "ETag: \"v1\"\r\n", false},
		{"tag that is none", "v1\r\nCookie: x", "", "", "", false},
		{"date that is none", "", "yesterday", "", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			origin := serveRaw(t, func(conn net.Conn, _ int) bool {
				_, err := io.WriteString(conn, "HTTP/1.1 304 Not Modified\r\n"+test.answer+"\r\n")
				return err == nil
			})
			c := local(t)
			for i := range 2 { // no body is expected
				x := visit(t, c, download.Request{URL: origin, ETag: test.tag, LastModified: test.date})
				check(t, "status", x.Status, 304)
				check(t, "not modified", x.NotModified, test.want)
				check(t, "size", x.Body.Size(), 0)
				check(t, "digest", x.Digest == [32]byte{}, test.want)
				check(t, "conditions", strings.Count(string(x.RequestHead), "If-"), min(1, len(test.sent)))
				check(t, "condition", strings.Contains(string(x.RequestHead), ": "+test.sent+"\r\n") || test.sent == "",
					true)
				check(t, "reused", x.Times.Reused, i > 0)
			}
		})
	}
}

func TestRedirect(t *testing.T) {
	for _, test := range []struct{ location, want string }{
		{"/x", "ORIGIN/x"},
		{"x", "ORIGIN/dir/x"},
		{"../x", "ORIGIN/dir/../x"},
		{"?y", "ORIGIN/dir/page?y"},
		{"#top", "ORIGIN/dir/page?q=/1#top"},
		{"//other.example/x", "http://other.example/x"},
		{`\\other.example\x`, `http:\\other.example\x`},
		{"https://other.example", "https://other.example"},
		{"HTTPS://user:secret@Other.Example:443/", "HTTPS://user:secret@Other.Example:443/"},
		{"ftp://other.example/", "ftp://other.example/"},
		{"javascript:alert(1)", "javascript:alert(1)"},
		{"mailto:x@other.example", "mailto:x@other.example"},
		{"http://169.254.169.254/latest/", "http://169.254.169.254/latest/"},
		{"/caf\xc3\xa9 \xff\tx", "ORIGIN/caf%C3%A9%20%FFx"},
		{"1:2", "ORIGIN/dir/1:2"},
		{"", ""},
		{" \t ", ""},
		{"/" + strings.Repeat("x", 40<<10), "ORIGIN/" + strings.Repeat("x", 40<<10)},
	} {
		origin := serveRaw(t, says("HTTP/1.1 302 Found\r\nLocation: "+test.location+"\r\nContent-Length: 0\r\n\r\n"))
		x := visit(t, local(t), download.Request{URL: origin + "/dir/page?q=/1"})
		check(t, "status", x.Status, 302)
		check(t, "location", x.Location, strings.Replace(test.want, "ORIGIN", origin, 1))
		if !printable.IsText(x.String()) {
			t.Errorf("%q is not fit to be shown", x)
		}
	}
	// Location is a redirect for some statuses only.
	for status, want := range map[int]bool{200: false, 201: false, 300: true, 301: true, 303: true, 304: false,
		305: false, 307: true, 308: true, 404: false} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "/x")
			w.WriteHeader(status)
		})
		check(t, fmt.Sprint(status), visit(t, local(t), download.Request{URL: s.URL}).Location != "", want)
	}
}

// A redirect is not followed, and the filter judges its target when the target is
// requested.
func TestRedirectToPrivate(t *testing.T) {
	secret := 0
	inner := serve(t, func(w http.ResponseWriter, r *http.Request) { secret++ })
	outer := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, inner.URL+"/secret", http.StatusFound)
	})
	c := local(t)
	x := visit(t, c, download.Request{URL: outer.URL})
	check(t, "location", x.Location, inner.URL+"/secret")
	strict := &download.Client{UserAgent: robot,
		Lookup: lookup(map[string][]string{"rebound.example": {"127.0.0.1", "::1", "10.0.0.1"}})}
	for _, url := range []string{x.Location, "http://rebound.example" + port(inner.URL) + "/",
		"http://[::ffff:127.0.0.1]" + port(inner.URL), "https://169.254.169.254/"} {
		e := fails(t, strict, url, download.Refused)
		if refused, ok := errors.AsType[*fetch.RefusedError](e); !ok || refused.Host == "" {
			t.Errorf("got %v, want a *fetch.RefusedError with the host", e.Err)
		}
		check(t, "address", e.Addr.IsValid(), false)
	}
	check(t, "requests", secret, 0)
}

func TestTypes(t *testing.T) {
	for _, test := range []struct {
		header  string
		types   []string
		want    string
		refused bool
	}{
		{"text/html", nil, "text/html", false},
		{"TEXT/HTML;charset=x", nil, "text/html", false},
		{"text/html, text/html", nil, "text/html", false},
		{"", nil, "", false},
		{"html", nil, "", false},
		{"text/", nil, "", false},
		{"text/ht ml", nil, "", false},
		{"text/\xff", nil, "", false},
		{"a/b/c", nil, "", false},
		{"application/xhtml+xml", nil, "application/xhtml+xml", false},
		{"image/png", nil, "image/png", true},
		{"application/octet-stream", nil, "application/octet-stream", true},
		{"text/css", nil, "text/css", true},
		{"text/css", []string{"text/*"}, "text/css", false},
		{"textual/css", []string{"text/*"}, "textual/css", true},
		{"image/png", []string{"*/*"}, "image/png", false},
		{"application/gzip", []string{"text/xml", "Application/GZIP"}, "application/gzip", false},
		{"text/html", []string{}, "text/html", true},
	} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header()["Content-Type"] = []string{test.header}
			io.WriteString(w, page)
		})
		c := local(t)
		if test.refused { // by the field of the client, and by that of the request
			c.Types = test.types
			if x := visit(t, c, download.Request{URL: s.URL}); !x.TypeRefused {
				t.Errorf("%q: got %v", test.header, x)
			}
			c = local(t)
		}
		x := visit(t, c, download.Request{URL: s.URL, Types: test.types})
		check(t, "type of "+test.header, x.MediaType, test.want)
		check(t, "refused "+test.header, x.TypeRefused, test.refused)
		check(t, "read", x.Body.Size() > 0, !test.refused)
		check(t, "digest", x.Digest != [32]byte{}, !test.refused)
		// After a small body the connection is still pooled.
		check(t, "reused", visit(t, c, download.Request{URL: s.URL, Types: test.types}).Times.Reused, true)
	}

	// A large body is not read.
	written := make(chan int64, 1)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "video/mp4")
		n, _ := io.Copy(w, endless("x"))
		written <- n
	})
	x := visit(t, local(t), download.Request{URL: s.URL})
	check(t, "refused", x.TypeRefused, true)
	if n := <-written; n > 64<<20 {
		t.Errorf("the server could send %d bytes", n)
	}
}

// endless is a text that repeats without end.
type endless string

func (e endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		n += copy(p[n:], e)
	}
	return n, nil
}

// WriteTo makes io.Copy ask for large pieces.
func (e endless) WriteTo(w io.Writer) (n int64, err error) {
	piece := []byte(strings.Repeat(string(e), 16<<10/len(e)+1))
	for {
		m, err := w.Write(piece)
		n += int64(m)
		if err != nil {
			return n, err
		}
	}
}

// An exchange leaves nothing behind for the next one: no cookies, no Referer.
func TestNothingCarried(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for _, name := range []string{"Cookie", "Referer", "Authorization", "Proxy-Authorization", "Connection"} {
			if v, ok := r.Header[name]; ok {
				t.Errorf("%s: %q", name, v)
			}
		}
		w.Header().Set("Set-Cookie", "id=1")
		w.Header().Set("WWW-Authenticate", "Basic realm=x")
		w.WriteHeader(401)
	})
	c := local(t)
	for range 3 {
		check(t, "status", visit(t, c, download.Request{URL: s.URL}).Status, 401)
	}
}

// The client uses no proxy, whatever the environment says.
func TestNoProxy(t *testing.T) {
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"} {
		t.Setenv(name, "http://127.0.0.1:9")
	}
	s, c := serveTLS(t, true, func(w http.ResponseWriter, r *http.Request) {})
	check(t, "status", visit(t, c, download.Request{URL: s.URL}).Status, 200)
}

func TestWrongURLs(t *testing.T) {
	c := local(t)
	for _, url := range []string{
		"", "/", "x", "example.com", "ftp://example.com/", "file:///etc/passwd", "HTTP://example.com/",
		"http:/example.com", "http:example.com",
		"http://", "http:///x", "http://EXAMPLE.com/", "http://example.com:80/", "https://example.com:443/",
		"http://example.com:/", "http://example.com:99999/",
		"http://user@example.com/", "http://user:secret@example.com/", "http://example.com/#top",
		"http://example.com/a b", "http://example.com/\r\nX: y",
		"http://example.com/\x00", "http://example.com/\xc3\xa9", "http://b\u00fccher.example/", "http://127.1/",
		"http://0x7f000001/", "http://[::1", "http://[0::1]/",
		"http://[fe80::1%25eth0]/", `http://example.com\@x/`, "http://example..com/",
	} {
		fails(t, c, url, download.WrongURL)
	}
}

func TestWrongFields(t *testing.T) {
	url := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("asked") }).URL
	for _, c := range []*download.Client{
		{},
		{UserAgent: "ExampleBot/1.0"},
		{UserAgent: robot + "\r\nX: y"},
		{UserAgent: " " + robot},
		{UserAgent: "b\u00f6t@example.com"},
		{UserAgent: robot, From: "a\x00"},
		{UserAgent: robot, AcceptLanguage: "en\n"},
		{UserAgent: robot, MaxBody: -1},
		{UserAgent: robot, MaxSent: -1},
		{UserAgent: robot, MaxHeader: -1},
		{UserAgent: robot, MaxRatio: -1},
		{UserAgent: robot, Memory: -1},
		{UserAgent: robot, Timeout: -1},
		{UserAgent: robot, IdleTimeout: -1},
	} {
		c.DialFilter.AllowPrivate = true
		x, err := c.Do(t.Context(), download.Request{URL: url})
		if err == nil || !strings.Contains(err.Error(), "download: ") || !strings.Contains(strings.ToLower(err.Error()),
			"client") {
			t.Errorf("got %v, %v", x, err)
		}
		if _, err := c.Resolve(t.Context(), "127.0.0.1"); err == nil {
			t.Error("got no error from Resolve")
		}
	}
	for _, r := range []download.Request{{Accept: "a\r\nb"}, {MaxBody: -1}, {MaxSent: -1}} {
		r.URL = url
		if x, err := local(t).Do(t.Context(), r); err == nil || !strings.Contains(err.Error(), "request") &&
			!strings.Contains(err.Error(), "Request.") {
			t.Errorf("got %v, %v", x, err)
		}
	}
}

func TestMemoryAndFile(t *testing.T) {
	body := strings.Repeat("0123456789", 10000)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, body) })
	for _, memory := range []int{1, 99_999, 100_000, 0} {
		c := local(t)
		c.Memory, c.Dir = memory, t.TempDir()
		x := visit(t, c, download.Request{URL: s.URL})
		check(t, "body", bodyText(t, x.Body), body)
		check(t, "digest", x.Digest, sha256.Sum256([]byte(body)))
		kept := bodyText(t, x.Body)
		if err := x.Close(); err != nil {
			t.Error(err)
		}
		check(t, "kept", kept, body)
		if err := x.Close(); err != nil {
			t.Errorf("the second time: %v", err)
		}
		files, err := os.ReadDir(c.Dir)
		check(t, "files", len(files), 0)
		check(t, "error", err, nil)
	}
	// A missing folder for temporary files is not a fault of the server.
	c := local(t)
	c.Memory, c.Dir = 10, t.TempDir()+"/missing"
	e := fails(t, c, s.URL, download.Local)
	if !errors.Is(e, os.ErrNotExist) {
		t.Errorf("got %v", e)
	}
}

func TestString(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, strings.Repeat("x", 1256))
	})
	c := local(t)
	x := visit(t, c, download.Request{URL: s.URL + "/"})
	want := s.URL + "/: 200, text/html, 1,256 bytes from " + s.URL[7:] + " in "
	if got := x.String(); !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q…", got, want)
	}
	x = visit(t, c, download.Request{URL: s.URL + "/", MaxBody: 1000})
	if got := x.String(); !strings.Contains(got, "1,000 bytes, cut: length from") {
		t.Errorf("got %q", got)
	}
	for f := range download.Failure(download.Failures) {
		if text, err := f.MarshalText(); len(text) == 0 || err != nil || f.String() == "unknown" {
			t.Errorf("failure %d: %q, %v", f, text, err)
		}
	}
	check(t, "beyond", download.Failure(download.Failures).String(), "unknown")
	check(t, "truncation", download.Broken.String(), "unspecified")
	check(t, "truncation", download.Truncation(99).String(), "unspecified")
}
