package download_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/http/download"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// replay replays an archived answer: its head, and its body as sent.
func replay(t *testing.T, c *download.Client, r download.Request, head, body string) (*download.Exchange, error) {
	t.Helper()
	answer, err := http.ReadResponse(bufio.NewReader(io.MultiReader(strings.NewReader(head), strings.NewReader(body))),
		nil)
	fatal.If(t, err)
	answer.Body = io.NopCloser(strings.NewReader(body)) // without the transfer encoding that the head names
	start := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	x, err := c.Replay(r, answer, start)
	if err == nil {
		check(t, "start", x.Times.Start, start)
		t.Cleanup(func() {
			if err := x.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	return x, err
}

func gzipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

// TestReplay makes exchanges over the network, replays their archived form, and expects
// the same exchanges.
func TestReplay(t *testing.T) {
	long := strings.Repeat("a long page ", 1000)
	for _, test := range []struct {
		name    string
		limit   int64
		handler http.HandlerFunc
	}{
		{"plain", 0, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("ETag", `"v1"`)
			w.Header().Set("Last-Modified", "Sat, 21 Nov 2026 10:00:00 GMT")
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, page)
		}},
		{"encoded", 0, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Encoding", "gzip")
			io.WriteString(w, gzipped(page))
		}},
		{"encoded and cut", 100, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Encoding", "gzip")
			io.WriteString(w, gzipped(long))
		}},
		{"cut", 100, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, long)
		}},
		{"redirect", 0, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/else",
				http.StatusFound)
		}},
		{"no content", 0, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }},
		{"another type", 0, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "image/png")
			io.WriteString(w, "\x89PNG")
		}},
		{"damaged encoding", 0, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Encoding", "gzip")
			io.WriteString(w, "no gzip at all")
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, test.handler)
			c := local(t)
			r := download.Request{URL: s.URL + "/a", MaxBody: test.limit, MaxSent: 1 << 20, KeepSent: true}
			was := visit(t, c, r)
			sent := ""
			if was.Sent != nil {
				sent = bodyText(t, was.Sent)
			}
			is, err := replay(t, c, r, string(was.ResponseHead), sent)
			fatal.If(t, err)
			check(t, "URL", is.URL, was.URL)
			check(t, "status", is.Status, was.Status)
			check(t, "media type", is.MediaType, was.MediaType)
			check(t, "type refused", is.TypeRefused, was.TypeRefused)
			check(t, "location", is.Location, was.Location)
			check(t, "ETag", is.ETag, was.ETag)
			check(t, "Last-Modified", is.LastModified, was.LastModified)
			check(t, "body", bodyText(t, is.Body), bodyText(t, was.Body))
			check(t, "failure", is.Failure, was.Failure)
			// A cut part of a plain body is not in the archive either.
			if test.name != "cut" {
				check(t, "truncated", is.Truncated, was.Truncated)
			}
			check(t, "digest", is.Digest, was.Digest)
		})
	}
}

// TestReplayHostile replays answers of damaged archives.
func TestReplayHostile(t *testing.T) {
	c := local(t)
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
	r := download.Request{URL: "http://h.example/"}
	for _, test := range []struct {
		name, fields, body string
		want               string
		truncated          download.Truncation
	}{
		// The archive determines the length of the body, and not the server.
		{"length too long", "Content-Length: 1000000\r\n", page, page, download.Whole},
		{"length too short", "Content-Length: 3\r\n", page, page, download.Whole},
		{"transfer encoding", "Transfer-Encoding: chunked\r\n", page, page, download.Whole},
		{"no body", "", "", "", download.Whole},
	} {
		x, err := replay(t, c, r, head+test.fields+"\r\n", test.body)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		check(t, test.name, bodyText(t, x.Body), test.want)
		check(t, test.name+": truncated", x.Truncated, test.truncated)
	}
	var e *download.Error
	if _, err := replay(t, c, download.Request{URL: "ftp://h.example/"}, head+"\r\n", ""); !errors.As(err, &e) ||
		e.Failure != download.WrongURL {
		t.Errorf("a URL that no client requests: %v", err)
	}
	torn := &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/html"}},
		Body: io.NopCloser(io.MultiReader(strings.NewReader("half"), broken{}))}
	x, err := c.Replay(r, torn, time.Now())
	if err == nil {
		defer x.Close()
		check(t, "half a body", bodyText(t, x.Body), "half")
		if x.Truncated == download.Whole || x.Failure == download.None {
			t.Errorf("half a body: truncated %v, failure %v", x.Truncated, x.Failure)
		}
	} else {
		t.Errorf("half a body: %v", err)
	}
	none := &http.Response{StatusCode: 200, Header: http.Header{}}
	if x, err = c.Replay(r, none, time.Now()); err != nil {
		t.Fatalf("nil body: %v", err)
	}
	defer x.Close()
	check(t, "nil body", bodyText(t, x.Body), "")
}

// broken is a source that ends with an error.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
