package main

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/robotsexclusion/robots/internal/cli"
)

// packedPage returns a page in a content encoding.
func packedPage(t *testing.T, coding, text string) string {
	var b bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "zlib":
		w = zlib.NewWriter(&b)
	case "flate":
		w, _ = flate.NewWriter(&b, flate.BestCompression)
	case "br":
		w = brotli.NewWriter(&b)
	case "zstd":
		w, _ = zstd.NewWriter(&b)
	default:
		t.Fatalf("no encoding %q", coding)
	}
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

// TestUnread asks page and match --page about pages that arrive in different ways: compressed,
// broken off, with a status without a page. A page that was not read permits nothing, and both
// verbs give the same verdict and the same exit status.
func TestUnread(t *testing.T) {
	const closed, open = "<meta name=robots content='noindex, nofollow'>", "<title>T</title>"
	pages := map[string]struct {
		status int
		coding string
		body   string
		length int // Content-Length; 0: the true length
		exit   int
	}{
		"/plain":    {200, "", open, 0, 0},
		"/gzip":     {200, "gzip", packedPage(t, "gzip", closed), 0, 1},
		"/deflate":  {200, "deflate", packedPage(t, "zlib", closed), 0, 1},
		"/flate":    {200, "deflate", packedPage(t, "flate", closed), 0, 1},
		"/xgzip":    {200, "x-gzip", packedPage(t, "gzip", closed), 0, 1},
		"/twice":    {200, "gzip, gzip", packedPage(t, "gzip", packedPage(t, "gzip", closed)), 0, 1},
		"/identity": {200, "identity, gzip", packedPage(t, "gzip", closed), 0, 1},
		"/br":       {200, "br", packedPage(t, "br", closed), 0, 1},
		"/zstd":     {200, "zstd", packedPage(t, "zstd", closed), 0, 1},
		"/br-open":  {200, "br", packedPage(t, "br", open), 0, 0},
		"/utf-8":    {200, "utf-8", closed, 0, 1},
		"/none":     {200, "none", open, 0, 0},
		"/three":    {200, "gzip, gzip, gzip", open, 0, 2},
		"/compress": {200, "compress", open, 0, 2},
		"/no-gzip":  {200, "x-gzip", open, 0, 2},
		"/no-br":    {200, "br", open, 0, 2},
		"/cut":      {200, "", open, 1000, 2},
		"/cut-gzip": {200, "deflate", packedPage(t, "zlib", strings.Repeat(open, 1000))[:50], 0, 2},
		"/204":      {204, "", "", 0, 1},
		"/206":      {206, "", open, 0, 2},
		"/300":      {300, "", open, 0, 1},
		"/304":      {304, "", "", 0, 2},
		"/401":      {401, "", open, 0, 1},
		"/404":      {404, "", open, 0, 1},
		"/410":      {410, "br", "x", 0, 1},
		"/429":      {429, "", open, 0, 2},
		"/500":      {500, "", open, 0, 2},
		"/503":      {503, "", open, 0, 2},
		"/999":      {999, "", open, 0, 2},
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, ok := pages[r.URL.Path]
		if !ok {
			p = pages["/404"]
		}
		w.Header().Set("Content-Type", "text/html")
		if p.coding != "" {
			w.Header().Set("Content-Encoding", p.coding)
		}
		if p.length > 0 {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				fmt.Fprintf(conn, "HTTP/1.1 %d OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s", p.status,
					p.length, p.body)
				conn.(*net.TCPConn).CloseWrite()
				conn.Close()
			}
			return
		}
		w.WriteHeader(p.status)
		io.WriteString(w, p.body)
	}))
	defer s.Close()

	run := func(args ...string) (out string, exit int) {
		out, _, err := execute(args...)
		switch {
		case err == nil:
			return out, cli.StatusYes
		case errors.Is(err, cli.ErrNo):
			return out, cli.StatusNo
		}
		return out, cli.StatusFailed
	}
	for path, p := range pages {
		var decided struct {
			Error string
			For   []struct {
				Decision struct{ Index, Follow bool }
			}
		}
		out, exit := run("page", "--allow-private", "--json", s.URL+path)
		if err := json.Unmarshal([]byte(out), &decided); err != nil || len(decided.For) != 1 {
			t.Errorf("page %s: %v: %s", path, err, out)
			continue
		}
		if d := decided.For[0].Decision; exit != p.exit || d.Index != (p.exit == 0) || d.Follow != (p.exit == 0) {
			t.Errorf("page %s: status %d, %+v, want status %d", path, exit, d, p.exit)
		}
		if p.exit == 2 && decided.Error == "" {
			t.Errorf("page %s: no error: %s", path, out)
		}
		var matched struct {
			Results []struct {
				Error string
				Page  struct {
					Verdict struct{ Fetch, Index, Follow bool }
				}
			}
		}
		out, exit = run("match", "--allow-private", "--page", "--json", s.URL+path)
		if err := json.Unmarshal([]byte(out), &matched); err != nil || len(matched.Results) != 1 {
			t.Errorf("match %s: %v: %s", path, err, out)
			continue
		}
		r := matched.Results[0]
		if v := r.Page.Verdict; exit != p.exit || !v.Fetch || v.Index != (p.exit == 0) || v.Follow != (p.exit == 0) {
			t.Errorf("match %s: status %d, %+v, want status %d", path, exit, v, p.exit)
		}
		if (p.exit == 2) != (r.Error != "") {
			t.Errorf("match %s: error %q", path, r.Error)
		}
		if out, _ := run("match", "--allow-private", "--page", s.URL+path); strings.Contains(out,
			"may be indexed") != (p.exit == 0) {
			t.Errorf("match %s: %s", path, out)
		}
	}
}
