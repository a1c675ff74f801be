package warc_test

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// warcio runs the independent reader and writer of the oracle. If it is not installed,
// the test is skipped.
func warcio(t *testing.T, in string, args ...string) []byte {
	t.Helper()
	oracle := filepath.Join("..", "..", "oracle", "npm")
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	if _, err := os.Stat(filepath.Join(oracle, "node_modules", "warcio")); errors.Is(err, fs.ErrNotExist) {
		t.Skip(`warcio is not installed: run "npm ci" in oracle/npm`)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, append([]string{filepath.Join(oracle, "warc.mjs")}, args...)...)
	cmd.Stdin = strings.NewReader(in)
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	return out
}

// A foreign is a record as read by warcio.
type foreign struct {
	File, Version  string
	Offset         int64
	Header         [][2]string
	Size           int64
	Block, Payload string // SHA-256 and SHA-1 in hexadecimal digits
}

// agree compares the records that warcio and the reader of this package read in files,
// and returns the records.
func agree(t *testing.T, names ...string) (records []foreign) {
	t.Helper()
	lines := json.NewDecoder(bytes.NewReader(warcio(t, "", append([]string{"read"}, names...)...)))
	for lines.More() {
		var r foreign
		fatal.If(t, lines.Decode(&r))
		records = append(records, r)
	}
	left := records
	for _, name := range names {
		f, err := os.Open(name)
		fatal.If(t, err)
		defer f.Close()
		for r := warc.NewReader(f); ; {
			rec, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if len(left) == 0 || left[0].File != filepath.Base(name) {
				t.Errorf("%s: warcio has no record at offset %d: %v", name, rec.Offset, rec)
				break
			}
			want := left[0]
			left = left[1:]
			var header [][2]string
			for _, f := range rec.Header {
				if f.Name == "WARC-Target-URI" {
					f.Value = rec.URL() // warcio removes the brackets too
				}
				header = append(header, [2]string{f.Name, f.Value})
			}
			sum := sha256.New()
			n, err := io.Copy(sum, rec)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if rec.Version != want.Version || !slices.Equal(header, want.Header) || n != want.Size ||
				hex.EncodeToString(sum.Sum(nil)) != want.Block {
				t.Errorf("%s: got %s %q with %d bytes, warcio has %+v", name, rec.Version, header, n, want)
			}
			if length, err := rec.Length(); err == nil && length > 0 && rec.Offset != want.Offset {
				t.Errorf("%s: %v at offset %d, warcio says %d", name, rec, rec.Offset, want.Offset)
			}
		}
	}
	for _, r := range left {
		t.Errorf("%s: only warcio has the record at offset %d: %v", r.File, r.Offset, r.Header)
	}
	return records
}

// TestWarcioReads lets warcio read the files of the writer: after kills and repairs,
// revisits, large and unusual records. Both agree on every header, block, payload,
// digest, and on the index.
func TestWarcioReads(t *testing.T) {
	warcio(t, "", "read") // skips
	dir := t.TempDir()
	for round := range 3 {
		child.Start(t, "write", dir).KillAfter(5+10*round, func(string) {})
	}
	if repairs, err := warc.RepairFolder(dir); err != nil || len(repairs) == 0 {
		t.Errorf("nothing was repaired: %v", err)
	}
	w := open(t, dir, warc.Options{Prefix: "warcio", Memory: 20e3,
		Info: []warc.Field{{Name: "operator", Value: "Jö <jo@example.com>"}}})
	random := rand.New(rand.NewPCG(1, 2))
	x := visit("http://h.example/ä b?c=\r\n", page(random, 5e3))
	x.IP, x.Protocols, x.MediaType, x.Time = netip.MustParseAddr("2001:db8::1"), []string{"h2", "tls/1.3"}, "text/html",
		at
	c := write(t, w, x)
	x.Revisit = &warc.Revisit{Profile: warc.IdenticalPayload, Of: c}
	write(t, w, x)
	x.Revisit = &warc.Revisit{Profile: warc.NotModified, Of: c}
	x.Response = warc.Message{Head: []byte("HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n")}
	write(t, w, x)
	x = visit("https://www.h.example:443/large?b=2&a=1#x", "")
	x.Response.Rest = failing{strings.NewReader(page(random, 3e6)), io.ErrUnexpectedEOF}
	write(t, w, x)
	write(t, w, visit("http://h.example/empty", ""))
	write(t, w, visit("http://h.example/lines", "\r\n\r\nWARC/1.1\r\n\r\n"))
	closed(t, w)

	names := glob(t, dir, "*.warc.gz")
	records := agree(t, names...)
	for _, r := range records {
		get := func(name string) string {
			i := slices.IndexFunc(r.Header, func(f [2]string) bool { return f[0] == name })
			if i < 0 {
				return ""
			}
			return r.Header[i][1]
		}
		if got := get("WARC-Block-Digest"); got != "sha256:"+r.Block {
			t.Errorf("%s: offset %d: block digest %s, warcio has %s", r.File, r.Offset, got, r.Block)
		}
		if kind := get("WARC-Type"); kind == "response" || kind == "request" {
			sum, err := hex.DecodeString(r.Payload)
			if got, want := get("WARC-Payload-Digest"), "sha1:"+base32.StdEncoding.EncodeToString(sum); err != nil ||
				len(sum) != sha1.Size || got != want {
				t.Errorf("%s: offset %d: payload digest %s, warcio has %s", r.File, r.Offset, got, want)
			}
		}
	}
	if len(records) < 100 {
		t.Errorf("%d records", len(records))
	}

	var want []string
	for line := range strings.Lines(string(warcio(t, "", append([]string{"index"}, names...)...))) {
		key, c, err := warc.ParseCDXJ([]byte(line))
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		c.Digest = "sha1:" + c.Digest // which warcio cuts off
		if got := warc.SURT(c.URL); got != key && !strings.Contains(c.URL, "%C3%A4") {
			t.Errorf("%s: key %s, warcio has %s", c.URL, got, key)
		}
		want = append(want, c.String())
	}
	checkIndex(t, dir, want)
}

// TestWarcioWrites reads files written by warcio.
func TestWarcioWrites(t *testing.T) {
	type record struct {
		Version    string            `json:"version"`
		Type       string            `json:"type"`
		URL        string            `json:"url"`
		Date       string            `json:"date"`
		Header     map[string]string `json:"header"`
		Statusline string            `json:"statusline,omitempty"`
		HTTP       [][2]string       `json:"http"`
		Payload    []byte            `json:"payload"`
	}
	var in strings.Builder
	random := rand.New(rand.NewPCG(3, 4))
	n := 0
	for _, version := range []string{"WARC/1.0", "WARC/1.1"} {
		for _, kind := range []string{"warcinfo", "response", "request", "metadata", "revisit", "resource",
			"conversion"} {
			for _, payload := range []string{"", "hello", "\r\n\r\nWARC/1.0\r\n", page(random, 300e3)} {
				r := record{
					Version: version, Type: kind, URL: fmt.Sprintf("http://example.com/ü/%d", n),
					Date:    "2026-01-31T23:59:58.123Z",
					Header:  map[string]string{"WARC-Concurrent-To": "<urn:uuid:x>", "X-Y": "ü: \"z\""},
					Payload: []byte(payload),
				}
				switch kind {
				case "response", "revisit":
					r.Statusline, r.HTTP = "HTTP/1.1 404 Not Found",
						[][2]string{{"Content-Type", "text/html; charset=utf-8"}, {"Set-Cookie", "a"},
							{"Set-Cookie", "b"}}
				case "request":
					r.Statusline, r.HTTP = "GET / HTTP/1.1", [][2]string{{"Host", "example.com"}}
				}
				line, err := json.Marshal(r)
				fatal.If(t, err)
				fmt.Fprintf(&in, "%s\n", line)
				n++
			}
		}
	}
	name := filepath.Join(t.TempDir(), "a.warc.gz")
	warcio(t, in.String(), "write", name)
	if records := agree(t, name); len(records) != n {
		t.Errorf("%d records, want %d", len(records), n)
	}
	captures := captures(t, name)
	if len(captures) != 2*3*4 {
		t.Errorf("%d captures", len(captures))
	}
	for i, c := range captures {
		want := []string{"404 text/html", "404 warc/revisit", "0 application/octet-stream"}[i/4%3]
		if got := fmt.Sprint(c.Status, " ", c.MediaType); got != want ||
			c.Time.Format("20060102150405") != "20260131235958" {
			t.Errorf("got %+v, want %s", c, want)
		}
	}
}

// TestWarcioCorpus compares both readers on archives of other programs. Files with errors
// are compared only by the number of their records, which TestCorpus checks too.
func TestWarcioCorpus(t *testing.T) {
	names, err := filepath.Glob(corpus.Path(t, "pages", "warc", "*", "*.warc*"))
	fatal.If(t, err)
	names = slices.DeleteFunc(names, func(name string) bool {
		switch filepath.Base(name) {
		case "example-trunc.warc": // a block is shorter than its Content-Length says
		case "missing-status-text.warc": // its lines end with CR CR LF: warcio does not see the end of the header
		case "example-wrong-chunks.warc.gz": // a record is in two gzip members: warcio stops there
		case "example.warc": // that of pywb has a Content-Length that is too short
			return filepath.Base(filepath.Dir(name)) == "pywb"
		default:
			return false
		}
		return true
	})
	if records := agree(t, names...); len(records) != 458 {
		t.Errorf("%d records in all", len(records))
	}
	keys := 0
	for line := range strings.Lines(string(warcio(t, "", append([]string{"index"}, names...)...))) {
		key, _, _ := strings.Cut(line, " {")
		if strings.Contains(key, "__wb_") || strings.Contains(key, ":") {
			continue // it has the body of the request in it, or the scheme is not HTTP
		}
		key, c, err := warc.ParseCDXJ([]byte(line))
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		// SURT drops a slash at the end, like the Python package.
		if got := warc.SURT(c.URL); got != key && got != strings.TrimSuffix(key, "/") {
			t.Errorf("%s: key %s, warcio has %s", c.URL, got, key)
		}
		keys++
	}
	if keys < 150 {
		t.Errorf("%d keys", keys)
	}
}
