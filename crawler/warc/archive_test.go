package warc_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"io"
	"net/textproto"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A plain is a record as read by the slow twin.
type plain struct {
	version string
	header  []warc.Field
	block   []byte
	offset  int64
	length  int64
}

func (p *plain) get(name string) string { return warc.Header(p.header).Get(name) }

// readPlain is the slow twin of the reader for files of the writer: each gzip member is
// one complete record, with CRLF everywhere. It is not lenient.
func readPlain(t *testing.T, data []byte) (records []plain) {
	t.Helper()
	for at := 0; at < len(data); {
		src := bytes.NewReader(data[at:])
		z, err := gzip.NewReader(src)
		if err != nil {
			t.Fatalf("offset %d: %v", at, err)
		}
		z.Multistream(false)
		text, err := io.ReadAll(z)
		if err != nil {
			t.Fatalf("offset %d: %v", at, err)
		}
		end := len(data) - src.Len()
		header, rest, ok := bytes.Cut(text, []byte("\r\n\r\n"))
		lines := strings.Split(string(header), "\r\n")
		p := plain{version: lines[0], offset: int64(at), length: int64(end - at)}
		for _, line := range lines[1:] {
			name, value, ok := strings.Cut(line, ": ")
			if !ok || textproto.TrimString(value) != value {
				t.Errorf("offset %d: line %q", at, line)
			}
			p.header = append(p.header, warc.Field{Name: name, Value: value})
		}
		size, err := strconv.Atoi(p.get("Content-Length"))
		if err != nil || !ok || len(rest) != size+4 || string(rest[size:]) != "\r\n\r\n" {
			t.Fatalf("offset %d: a block of %s bytes, and there are %d with the two empty lines", at,
				p.get("Content-Length"), len(rest))
		}
		p.block = rest[:size]
		records = append(records, p)
		at = end
	}
	return records
}

// emptyLine ends the head of an HTTP message.
var emptyLine = regexp.MustCompile(`(^|\n)\r?\n`)

// checkDigests compares the digests of a record with its bytes.
func checkDigests(t *testing.T, p plain) {
	t.Helper()
	sum := sha256.Sum256(p.block)
	if got, want := p.get("WARC-Block-Digest"), "sha256:"+hex.EncodeToString(sum[:]); got != want {
		t.Errorf("offset %d: block digest %q, want %q", p.offset, got, want)
	}
	kind := p.get("WARC-Type")
	if kind != "response" && kind != "request" {
		return
	}
	sum1 := sha1.Sum(p.block[emptyLine.FindIndex(p.block)[1]:])
	if got, want := p.get("WARC-Payload-Digest"), "sha1:"+base32.StdEncoding.EncodeToString(sum1[:]); got != want {
		t.Errorf("offset %d: payload digest %q, want %q", p.offset, got, want)
	}
}

// compare reads a file with the reader and with its slow twin.
func compare(t *testing.T, name string) []plain {
	t.Helper()
	return compareData(t, name, readFile(t, name))
}

func compareData(t *testing.T, name string, data []byte) []plain {
	t.Helper()
	want := readPlain(t, data)
	r := warc.NewReader(bytes.NewReader(data))
	for i, p := range want {
		rec, err := r.Next()
		if err != nil {
			t.Fatalf("%s: record %d: %v", name, i, err)
		}
		block, err := io.ReadAll(rec)
		length, err2 := rec.Length()
		if err := errors.Join(err, err2); err != nil {
			t.Fatalf("%s: record %d: %v", name, i, err)
		}
		if rec.Version != p.version || !slices.Equal(rec.Header, p.header) || !bytes.Equal(block, p.block) {
			t.Errorf("%s: record %d: got %s %v with %d bytes, want %s %v with %d", name, i, rec.Version, rec.Header,
				len(block), p.version, p.header, len(p.block))
		}
		if rec.Offset != p.offset || length != p.length {
			t.Errorf("%s: record %d: got %d bytes at %d, want %d at %d", name, i, length, rec.Offset, p.length,
				p.offset)
		}
		checkDigests(t, p)
	}
	if rec, err := r.Next(); err != io.EOF {
		t.Errorf("%s: after the last record: %v, %v", name, rec, err)
	}
	return want
}

// captures returns the index of a file.
func captures(t *testing.T, name string) (captures []warc.Capture) {
	t.Helper()
	f, err := os.Open(name)
	fatal.If(t, err)
	defer f.Close()
	for r := warc.NewReader(f); ; {
		rec, err := r.Next()
		if err == io.EOF {
			return captures
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		c, ok, err := rec.Capture(filepath.Base(name))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if ok {
			captures = append(captures, c)
		}
	}
}

// checkIndex compares the index of a folder with the expected lines, in any order.
func checkIndex(t *testing.T, dir string, want []string) {
	t.Helper()
	slices.Sort(want)
	var got []string
	if len(want) > 0 {
		lines := bufio.NewScanner(bytes.NewReader(readFile(t, filepath.Join(dir, "index.cdxj"))))
		for lines.Scan() {
			got = append(got, lines.Text())
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the index has %d lines, %d wanted; or they differ", len(got), len(want))
	}
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	fatal.If(t, err)
	return data
}

func glob(t *testing.T, dir, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	fatal.If(t, err)
	return names
}

// only returns the single file that matches a pattern.
func only(t *testing.T, dir, pattern string) string {
	t.Helper()
	names := glob(t, dir, pattern)
	if len(names) != 1 {
		t.Fatalf("files %s: %q, want one", pattern, names)
	}
	return names[0]
}

func open(t *testing.T, dir string, opts warc.Options) *warc.Writer {
	t.Helper()
	w, err := warc.Open(dir, opts)
	fatal.If(t, err)
	t.Cleanup(func() { w.Close() })
	return w
}

func write(t *testing.T, w *warc.Writer, x *warc.Exchange) warc.Capture {
	t.Helper()
	c, err := w.Write(x)
	fatal.If(t, err)
	return c
}

func closed(t *testing.T, w *warc.Writer) {
	t.Helper()
	fatal.If(t, w.Close())
}
