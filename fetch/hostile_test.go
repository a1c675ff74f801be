package fetch_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/heads"
)

// rules is a text of 34 bytes.
const rules = "User-agent: *\nDisallow: /private/\n"

// TestAnswers has one row for each kind of bad answer.
func TestAnswers(t *testing.T) {
	log.SetOutput(io.Discard) // net/http logs bytes after an answer
	defer log.SetOutput(os.Stderr)
	for _, test := range []struct {
		name   string
		answer string
		state  fetch.State
		cause  string // a part of it
	}{
		{"length too large", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + rules, fetch.Unreachable,
			"broke off after 34 bytes"},
		{"length too small", "HTTP/1.1 200 OK\r\nContent-Length: 34\r\n\r\n" + rules + "Disallow: /", fetch.OK, ""},
		{"length that is not a number", "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n" + rules, fetch.Unreachable,
			"Content-Length"},
		{"two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 34\r\nContent-Length: 3\r\n\r\n" + rules, fetch.Unreachable,
			"Content-Length"},
		{"no length", "HTTP/1.0 200 OK\r\n\r\n" + rules, fetch.OK, ""},
		{"chunks that break off", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n22\r\n" + rules + "\r\n",
			fetch.Unreachable, "broke off after 34 bytes"},
		{"chunk of no size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n" + rules, fetch.Unreachable,
			"broke off after 0 bytes"},
		{"no answer", "", fetch.Unreachable, "without an answer"},
		{"no HTTP", "SSH-2.0-OpenSSH_9.6\r\n", fetch.Unreachable, "malformed"},
		{"control characters", "\x1b[2J\x1b]0;owned\x07\r\n\r\n", fetch.Unreachable, `\x1b`},
		{"half a header", "HTTP/1.1 200 OK\r\nContent-Ty", fetch.Unreachable, "malformed"},
		{"endless headers", "HTTP/1.1 200 OK\r\n" + strings.Repeat("X-Fill: 0123456789\r\n", 1<<16), fetch.Unreachable,
			"header"},
		{"endless header", "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1<<20), fetch.Unreachable, "header"},
		{"endless 100 Continue", strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 1<<16), fetch.Unreachable,
			"exceeded 65536 bytes"},
		{"101 Switching Protocols", "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
			fetch.Unreachable, "101 Switching Protocols"},
		{"status 600", "HTTP/1.1 600 What\r\nContent-Length: 0\r\n\r\n", fetch.Unreachable,
			"600 status of no known meaning"},
		{"status 999", "HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n", fetch.Unreachable, "999"},
		{"status of four digits", "HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n", fetch.Unreachable, "malformed"},
		{"empty", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", fetch.OK, ""},
		{"204 No Content", "HTTP/1.1 204 No Content\r\n\r\n", fetch.OK, ""},
		{"304 unasked", "HTTP/1.1 304 Not Modified\r\n\r\n", fetch.Unavailable, "304 Not Modified"},
		{"redirect to nowhere", "HTTP/1.1 301 Moved\r\nContent-Length: 0\r\n\r\n", fetch.Unavailable,
			"without a place"},
		{"redirect to nothing", "HTTP/1.1 301 Moved\r\nLocation:\r\nContent-Length: 0\r\n\r\n", fetch.Unavailable,
			"without a place"},
		{"redirect to a file", "HTTP/1.1 301 Moved\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
			fetch.Unavailable, "file"},
		{"redirect to a script", "HTTP/1.1 301 Moved\r\nLocation: javascript:alert(1)\r\nContent-Length: 0\r\n\r\n",
			fetch.Unavailable, "javascript"},
		{"redirect to ftp", "HTTP/1.1 301 Moved\r\nLocation: ftp://a.example/robots.txt\r\nContent-Length: 0\r\n\r\n",
			fetch.Unavailable, "ftp"},
		{"redirect to no URL", "HTTP/1.1 301 Moved\r\nLocation: http://[::1\r\nContent-Length: 0\r\n\r\n",
			fetch.Unavailable, "not a URL"},
		{"redirect to no host", "HTTP/1.1 301 Moved\r\nLocation: http:///robots.txt\r\nContent-Length: 0\r\n\r\n",
			fetch.Unavailable, "no host"},
		{"redirect with an escape",
			"HTTP/1.1 301 Moved\r\nLocation: file:///\x1b[2J\r\nContent-Length: 0\r\n\r\n", fetch.Unavailable,
			"/%1B[2J"},
		{"redirect too long", "HTTP/1.1 301 Moved\r\nLocation: /" + strings.Repeat("x", 8<<10) +
			"\r\nContent-Length: 0\r\n\r\n", fetch.Unavailable, "more than 8192"},
		{"305 Use Proxy", "HTTP/1.1 305 Use Proxy\r\nLocation: http://a.example/\r\nContent-Length: 0\r\n\r\n",
			fetch.Unavailable, "305"},
		{"encoding br", "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 3\r\n\r\nabc", fetch.Unreachable,
			"encoding \"br\""},
		{"encodings that it is not in",
			"HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip\r\nContent-Length: 3\r\n\r\nabc", fetch.Unreachable,
			"body broke off"},
		{"three encodings", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip, gzip\r\nContent-Length: 3\r\n\r\nabc",
			fetch.Unreachable, "gzip, gzip, gzip"},
		{"compress", "HTTP/1.1 200 OK\r\nContent-Encoding: compress\r\nContent-Length: 3\r\n\r\nabc", fetch.Unreachable,
			"compress"},
		{"zlib that breaks off", "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: 3\r\n\r\n\x78\x9cb",
			fetch.Unreachable, "broke off"},
		{"encoding that nobody knows",
			"HTTP/1.1 200 OK\r\nContent-Encoding: \x1b[2J\r\nContent-Length: 3\r\n\r\n\x00bc", fetch.Unreachable,
			"encoding"},
		{"gzip that is none", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 34\r\n\r\n" + rules,
			fetch.Unreachable, "gzip: invalid header"},
		{"gzip that breaks off", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 30\r\n\r\n" +
			gzipped(rules)[:30], fetch.Unreachable, "unexpected EOF"},
		{"gzip with a wrong sum", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 30\r\n\r\n" +
			flipped(gzipped("x"), -8), fetch.Unreachable, ""},
		{"empty gzip", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n", fetch.OK, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			origin := serveRaw(t, func(conn net.Conn) { io.WriteString(conn, test.answer) })
			r := policy(t, local(t), origin)
			check(t, "state", r.State, test.state)
			if !strings.Contains(r.Cause, test.cause) {
				t.Errorf("cause: got %q, want one with %q", r.Cause, test.cause)
			}
			if (r.Err == nil) != (r.State == fetch.OK) {
				t.Errorf("error: got %v for state %v", r.Err, r.State)
			}
			check(t, "allowed", allowed(r.Policy, "/x"), r.State != fetch.Unreachable)
			for _, c := range r.String() {
				if c < ' ' || c >= 0x7f && c < 0xa0 {
					t.Errorf("control character %q in %q", c, r)
				}
			}
			if _, err := r.MarshalJSON(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestHeads covers heads that curl, wget and Python read, and malformed ones that they do not.
func TestHeads(t *testing.T) {
	for _, h := range heads.All() {
		t.Run(h.Name, func(t *testing.T) {
			origin := heads.Serve(t, h)
			r := policy(t, local(t), origin)
			if read := r.State == fetch.OK && r.Policy.String() == heads.Text; read != h.Read {
				t.Errorf("got %s %q, want to read it: %v", r, r.Policy, h.Read)
			}
			if h.Location != "" && r.URL != origin+h.Location {
				t.Errorf("redirected to %s, want %s", r.URL, h.Location)
			}
			if !h.Read && r.Policy.String() != heads.Text[:0] && r.State == fetch.Unavailable {
				t.Errorf("an answer that is not read permits all: %s", r)
			}
		})
	}
}

func gzipped(parts ...string) string {
	var b bytes.Buffer
	for _, part := range parts {
		w := gzip.NewWriter(&b)
		io.WriteString(w, part)
		w.Close()
	}
	return b.String()
}

// flipped returns s with one bit changed in byte i, counted from the end if i is negative.
func flipped(s string, i int) string {
	b := []byte(s)
	b[(i+len(b))%len(b)] ^= 1
	return string(b)
}

func TestReset(t *testing.T) {
	for _, answer := range []string{"", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + rules} {
		origin := serveRaw(t, func(conn net.Conn) {
			io.WriteString(conn, answer)
			conn.(*net.TCPConn).SetLinger(0)
		})
		r := policy(t, local(t), origin)
		check(t, "state", r.State, fetch.Unreachable)
		check(t, "allowed", allowed(r.Policy, "/x"), false)
	}
}

// An endless body is cut, and the rest is not read.
func TestEndlessBody(t *testing.T) {
	for _, part := range []string{"Disallow: /private/\n", "Disallow: /private/\r\n", "Disallow: /private/\r",
		"Disallow: /"} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			for {
				if _, err := io.WriteString(w, strings.Repeat(part, 1000)); err != nil {
					return
				}
			}
		})
		c := local(t)
		c.MaxSize = 1000
		r := policy(t, c, s.URL)
		check(t, "state", r.State, fetch.OK)
		check(t, "cut", r.File.Cut, true)
		whole := 0
		if last := part[len(part)-1]; last == '\n' || last == '\r' {
			whole = 1000 / len(part) * len(part)
		}
		check(t, "size", r.File.Size, whole)
		check(t, "text", r.Policy.String(), strings.Repeat(part, 1000)[:whole])
	}
}

// TestReadText checks where a text is cut.
func TestReadText(t *testing.T) {
	for _, test := range []struct {
		text, want string
		cut        bool
	}{
		{"", "", false},
		{"12345678", "12345678", false},
		{"123456789", "", true},
		{"12345678\n", "12345678", true},
		{"12345678\r\n", "12345678", true},
		{"1234567\n9", "1234567\n", true},
		{"1234567\r\n", "1234567\r", true},
		{"12\n4\r67890", "12\n4\r", true},
		{"\n2345678901234", "\n", true},
	} {
		for _, packed := range []bool{false, true} {
			body, h := test.text, http.Header{}
			if packed {
				body, h = gzipped(test.text), http.Header{"Content-Encoding": {"GZIP"}}
			}
			got, cut, err := fetch.ReadText(strings.NewReader(body), h, 8)
			if string(got) != test.want || cut != test.cut || err != nil {
				t.Errorf("%q, packed %v: got %q, cut %v, %v; want %q, cut %v", test.text, packed, got, cut, err,
					test.want, test.cut)
			}
		}
	}
}

// TestCodings reads a text in supported codings, and with names that are not codings.
func TestCodings(t *testing.T) {
	var zlibbed, deflated strings.Builder
	z := zlib.NewWriter(&zlibbed)
	io.WriteString(z, rules)
	z.Close()
	d, _ := flate.NewWriter(&deflated, flate.BestCompression)
	io.WriteString(d, rules)
	d.Close()
	for _, test := range []struct {
		values []string
		body   string
	}{
		{[]string{"identity, gzip"}, gzipped(rules)},
		{[]string{"gzip, identity"}, gzipped(rules)},
		{[]string{"gzip", "gzip"}, gzipped(gzipped(rules))},
		{[]string{"x-gzip"}, gzipped(rules)},
		{[]string{"deflate"}, zlibbed.String()},
		{[]string{"deflate"}, deflated.String()},
		{[]string{"deflate, gzip"}, gzipped(zlibbed.String())},
		{[]string{"none"}, rules},
		{[]string{"UTF-8"}, rules},
		{[]string{"utf-8, gzip"}, gzipped(rules)},
		{[]string{"identity, , identity"}, rules},
		{[]string{""}, rules},
		{[]string{"deflate"}, ""},
	} {
		want := rules
		if test.body == "" {
			want = ""
		}
		got, _, err := fetch.ReadText(strings.NewReader(test.body), http.Header{"Content-Encoding": test.values}, 1<<10)
		if err != nil || string(got) != want {
			t.Errorf("%q: got %q, %v, want %q", test.values, got, err, want)
		}
	}
}

func TestGzip(t *testing.T) {
	for _, test := range []struct {
		name, body, want string
	}{
		{"one member", gzipped(rules), rules},
		{"three members", gzipped(rules, "", rules), rules + rules},
		{"zeros after it", gzipped(rules) + strings.Repeat("\x00", 1000), rules},
		{"one octet after it", gzipped(rules) + "\x1f", rules},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				check(t, "accept-encoding", r.Header.Get("Accept-Encoding"), "gzip")
				text(test.body, "Content-Encoding", "gzip")(w, r)
			})
			r := policy(t, local(t), s.URL)
			check(t, "text", r.Policy.String(), test.want)
			check(t, "size", r.File.Size, len(test.want))
		})
	}
}

// TestGzipBomb limits the memory that a small body may need: 1 GiB of lines in 1 MB, and endless
// empty members.
func TestGzipBomb(t *testing.T) {
	var bomb bytes.Buffer
	w, _ := gzip.NewWriterLevel(&bomb, gzip.BestSpeed)
	comments := bytes.Repeat([]byte("#\n"), 1<<19)
	for range 64 {
		w.Write(comments)
	}
	w.Close()
	for name, body := range map[string]string{
		"lines":   bomb.String(),
		"members": strings.Repeat(gzipped(""), 1<<17),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got, cut, err := fetch.ReadText(strings.NewReader(body), http.Header{"Content-Encoding": {"gzip"}}, 500<<10)
			runtime.ReadMemStats(&after)
			if name == "lines" && (len(got) != 500<<10 || !cut || err != nil) {
				t.Errorf("got %d octets, cut %v, %v", len(got), cut, err)
			}
			if name == "members" && len(got) != 0 {
				t.Errorf("got %d octets, %v", len(got), err)
			}
			if taken := after.TotalAlloc - before.TotalAlloc; taken > 8<<20 {
				t.Errorf("took %d octets of memory for a text of 500 KiB", taken)
			}
		})
	}
}

func TestHTML(t *testing.T) {
	for body, html := range map[string]bool{
		"<!DOCTYPE html><title>Not here</title>\nUser-agent: *\nDisallow: /private/": true,
		"\n <html>\nUser-agent: *\nDisallow: /private/":                              true,
		"\ufeff<html>\nUser-agent: *\nDisallow: /private/":                           true,
		closed:                false,
		"# <html>\n" + closed: false,
		"\ufeff" + closed:     false,
		"{}\n" + closed:       false,
	} {
		r := policy(t, local(t), serve(t, text(body, "Content-Type", "text/html")).URL)
		check(t, "state", r.State, fetch.OK)
		check(t, "html", r.File.HTML, html)
		check(t, "allowed", allowed(r.Policy, "/private/x"), false)
	}
}

// A loop of redirects ends after five, and so do redirects whose URLs grow with each step.
func TestRedirectLoop(t *testing.T) {
	asked := 0
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.Redirect(w, r, r.URL.Path+"/x", http.StatusFound)
	})
	r := policy(t, local(t), s.URL)
	check(t, "state", r.State, fetch.Unavailable)
	check(t, "requests", asked, 6)
	check(t, "redirects", len(r.Redirects), 6)

	s = serve(t, status(301, "Location", "/robots.txt"))
	r = policy(t, local(t), s.URL)
	check(t, "state", r.State, fetch.Unavailable)
	check(t, "redirects", len(r.Redirects), 6)
}

// A redirect passes on no user information, no cookies and no Referer.
func TestRedirectStripped(t *testing.T) {
	var got *http.Request
	end := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Clone(t.Context())
		text(closed)(w, r)
	})
	place := strings.Replace(end.URL, "://", "://user:secret@", 1) + "/\u00e9?q=\u00e9#fragment"
	s := serve(t, status(302, "Location", place, "Set-Cookie", "id=1"))
	c := local(t)
	c.UserAgent, c.From = "ExampleBot/1.0 (+https://example.com/bot)", "bot@example.com"
	r := policy(t, c, strings.Replace(s.URL, "://", "://user:secret@", 1))
	check(t, "url", r.URL, end.URL+"/%C3%A9?q=%C3%A9")
	for _, name := range []string{"Authorization", "Cookie", "Referer"} {
		check(t, name, got.Header.Get(name), "")
	}
	check(t, "User-Agent", got.UserAgent(), c.UserAgent)
	check(t, "From", got.Header.Get("From"), c.From)
	check(t, "request", got.RequestURI, "/%C3%A9?q=%C3%A9")
}

func TestResolve(t *testing.T) {
	const base = "https://a.example/robots.txt"
	for _, test := range []struct{ location, want string }{
		{"/x", "https://a.example/x"},
		{"x y", "https://a.example/x%20y"},
		{"//B.Example", "https://b.example/"},
		{"http://b.example:80", "http://b.example/"},
		{"HTTPS://b.example:443/%7e/../x", "https://b.example/x"},
		{"?q", "https://a.example/robots.txt?q"},
		{"https://b\u00fccher.example/", "https://xn--bcher-kva.example/"},
		{"https://u:p@b.example/#f", "https://b.example/"},
		{"https://b.example/?a=\u009b\"<>", "https://b.example/?a=%C2%9B%22%3C%3E"},
		{`\\b.example\x`, "https://a.example/%5C%5Cb.example%5Cx"},
		{"http:b.example", ""},
		{"mailto:x@b.example", ""},
		{"http://b.example:99999/", ""},
		{"http://127.1/", ""},
	} {
		got, err := fetch.Resolve(base, test.location)
		if got != test.want || (err == nil) != (test.want != "") {
			t.Errorf("%q: got %q, %v, want %q", test.location, got, err, test.want)
		}
	}
}

func TestTLS(t *testing.T) {
	s := httptest.NewUnstartedServer(text(closed))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()

	r := policy(t, local(t), s.URL)
	check(t, "state", r.State, fetch.Unreachable)
	if _, ok := errors.AsType[x509.UnknownAuthorityError](r.Err); !ok {
		t.Errorf("got %v, want an x509.UnknownAuthorityError", r.Err)
	}
	// Plain HTTP to a TLS server, and TLS to a plain server.
	r = policy(t, local(t), strings.Replace(s.URL, "https", "http", 1))
	check(t, "plain", r.State, fetch.Unavailable) // Go's server answers 400
	r = policy(t, local(t), strings.Replace(serve(t, text(closed)).URL, "http", "https", 1))
	check(t, "no TLS", r.State, fetch.Unreachable)
}

func TestHTTP2(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 {
			t.Errorf("asked by %s", r.Proto)
		}
		if r.URL.Path == "/robots.txt" {
			http.Redirect(w, r, "/other", http.StatusMovedPermanently)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		io.WriteString(w, gzipped(closed))
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()

	transport := fetch.DialFilter{AllowPrivate: true}.Transport()
	transport.TLSClientConfig = &tls.Config{RootCAs: x509.NewCertPool()}
	transport.TLSClientConfig.RootCAs.AddCert(s.Certificate())
	c := &fetch.Client{Transport: transport}
	defer c.CloseIdleConnections()
	r := policy(t, c, s.URL)
	check(t, "state", r.State, fetch.OK)
	check(t, "url", r.URL, s.URL+"/other")
	check(t, "allowed", allowed(r.Policy, "/private/x"), false)
}

func TestIPv6(t *testing.T) {
	l, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		t.Skip("this machine has no IPv6: ", err)
	}
	server := &http.Server{Handler: text(closed)}
	go server.Serve(l)
	defer server.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	r := policy(t, local(t), "http://[0:0::0001]:"+port+"/x")
	check(t, "origin", r.Origin, "http://[::1]:"+port)
	check(t, "state", r.State, fetch.OK)
}

// The default transport uses no proxy, whatever the environment says.
func TestNoProxy(t *testing.T) {
	if os.Getenv("FETCH_TEST_PROXY") == "" {
		out, err := child.Test("TestNoProxy", "FETCH_TEST_PROXY=1", "HTTP_PROXY=http://192.0.2.1:9",
			"http_proxy=http://192.0.2.1:9").CombinedOutput()
		if err != nil {
			t.Errorf("with a proxy in the environment: %v\n%s", err, out)
		}
		return
	}
	transport := fetch.DialFilter{}.Transport()
	if transport.Proxy != nil {
		t.Error("the transport has a proxy")
	}
	s := serve(t, text(closed))
	check(t, "state", policy(t, local(t), s.URL).State, fetch.OK)
}

func TestUserAgent(t *testing.T) {
	var got string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { got = r.UserAgent() })
	policy(t, local(t), s.URL)
	if !strings.HasPrefix(got, "robots/") || !strings.HasSuffix(got, " (+https://github.com/robotsexclusion/robots)") {
		t.Errorf("got %q", got)
	}
}

func TestWrongFields(t *testing.T) {
	for _, c := range []*fetch.Client{
		{UserAgent: "a\r\nX: y"},
		{UserAgent: "b\u00f6t"},
		{From: "a\x00"},
		{MaxSize: -1},
		{Timeout: -1},
		{HeaderTimeout: -1},
		{IdleTimeout: -1},
	} {
		if r, err := c.Policy(t.Context(), "http://192.0.2.1/"); err == nil ||
			!strings.Contains(err.Error(), "client") && !strings.Contains(err.Error(), "Client.") {
			t.Errorf("got %v, %v", r, err)
		}
	}
}

// Errors of the folder or the network are not lost.
func TestCacheError(t *testing.T) {
	file := t.TempDir() + "/file"
	fatal.If(t, os.WriteFile(file, nil, 0o666))
	c := local(t)
	c.Cache = fetch.Dir(file)
	r := policy(t, c, serve(t, text(closed)).URL)
	check(t, "state", r.State, fetch.OK)
	if r.CacheErr == nil || !strings.Contains(r.CacheErr.Error(), file) {
		t.Errorf("got %v, want an error about %s", r.CacheErr, file)
	}
	c = local(t)
	c.Cache = fetch.Dir("")
	if r := policy(t, c, serve(t, text(closed)).URL); r.CacheErr == nil {
		t.Errorf("got no error for a folder without a name: %v", r)
	}
}
