package warc_test

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestHTTP archives the responses of a real server in HTTP/1.1, chunked and not, and in
// HTTP/2, and reads them as HTTP again.
func TestHTTP(t *testing.T) {
	const body = "<title>hello</title>"
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["X-A"] = []string{"1", "2"}
		w.Header().Set("Content-Type", "Text/HTML; charset=utf-8")
		if r.URL.Path == "/chunked" {
			w.WriteHeader(404)
			w.(http.Flusher).Flush()
		}
		io.WriteString(w, body)
	})
	for _, version := range []string{"HTTP/1.1", "HTTP/2.0"} {
		server := httptest.NewUnstartedServer(handler)
		server.EnableHTTP2 = version == "HTTP/2.0"
		server.StartTLS()
		defer server.Close()
		for _, path := range []string{"/", "/chunked?a=%20b"} {
			request, err := http.NewRequestWithContext(t.Context(), "GET", server.URL+path, nil)
			fatal.If(t, err)
			request.Header.Set("User-Agent", "ExampleBot/1.0")
			response, err := server.Client().Do(request)
			fatal.If(t, err)
			defer response.Body.Close()
			if response.Proto != version {
				t.Errorf("the server speaks %s, want %s", response.Proto, version)
			}
			dir := t.TempDir()
			w := open(t, dir, warc.Options{})
			c := write(t, w, &warc.Exchange{
				URL:      request.URL.String(),
				Request:  warc.Message{Head: warc.RequestHead(request)},
				Response: warc.Message{Head: warc.ResponseHead(response), Rest: response.Body},
			})
			closed(t, w)
			if c.Status != response.StatusCode || c.MediaType != "text/html" ||
				c.Digest != warc.PayloadDigest([]byte(body)) {
				t.Errorf("%s: %v", path, c)
			}
			records := compare(t, only(t, dir, "*.gz"))
			got, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(records[1].block)), request)
			fatal.If(t, err)
			text, err := io.ReadAll(got.Body)
			if err != nil || string(text) != body || got.Proto != "HTTP/1.1" || got.Status != response.Status ||
				strings.Join(got.Header["X-A"], ",") != "1,2" {
				t.Errorf("%s: got %s %v %q, %v", path, got.Status, got.Header, text, err)
			}
			asked, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(records[2].block)))
			fatal.If(t, err)
			if asked.RequestURI != path || asked.Host != request.URL.Host || asked.UserAgent() != "ExampleBot/1.0" {
				t.Errorf("%s: asked %s %s %v", path, asked.Host, asked.RequestURI, asked.Header)
			}
		}
	}
}

// TestForgedHeads makes heads of values that no server can send and no client would.
func TestForgedHeads(t *testing.T) {
	const evil = "a\r\nb: c\r\n\r\nd"
	response := &http.Response{StatusCode: 7, Status: evil, ProtoMajor: 1, Header: http.Header{"A": {evil}, evil: {"x"},
		"Transfer-Encoding": {"chunked"}}}
	if got, want := string(warc.ResponseHead(response)),
		"HTTP/1.0 007 a  b: c    d\r\nA: a  b: c    d\r\n\r\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	request := &http.Request{Method: evil, Host: evil, URL: &url.URL{Opaque: "//" + evil},
		Header: http.Header{"A": {evil}}}
	if got := string(warc.RequestHead(request)); strings.Count(got, "\r\n") != 4 ||
		strings.Index(got, "\r\n\r\n") != len(got)-4 {
		t.Errorf("got %q", got)
	}
	if got, want := string(warc.RequestHead(&http.Request{URL: &url.URL{Host: "h"}})),
		"GET / HTTP/1.1\r\nHost: h\r\n\r\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
