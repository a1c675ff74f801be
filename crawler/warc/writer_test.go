package warc_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// at is a time with more digits than an archive stores.
var at = time.Date(2026, 1, 31, 23, 59, 58, 123456789, time.FixedZone("", 3600))

// TestWrite compares all records of a visit with their expected form, field by field.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	w := open(t, dir, warc.Options{Prefix: "test",
		Info: []warc.Field{{Name: "operator", Value: "Jo <jo@example.com>"}}})
	x := visit("http://www.example.com/a?b=c", "hello")
	x.Time, x.IP, x.Protocols, x.MediaType = at, netip.MustParseAddr("::ffff:192.0.2.1"), []string{"h2", "tls/1.3"},
		"text/plain"
	c := write(t, w, x)
	revisit := *x
	revisit.Metadata, revisit.Time = nil, at.Add(time.Hour)
	revisit.Revisit = &warc.Revisit{Profile: warc.IdenticalPayload, Of: c}
	c2 := write(t, w, &revisit)
	notModified := revisit
	notModified.Request, notModified.Response = warc.Message{},
		warc.Message{Head: []byte("HTTP/1.1 304 Not Modified\r\n")}
	notModified.Revisit = &warc.Revisit{Profile: warc.NotModified, Of: c}
	c3 := write(t, w, &notModified)
	name := only(t, dir, "*.open")
	closed(t, w)
	if want := strings.TrimSuffix(name, ".open"); want != only(t, dir, "*.gz") {
		t.Errorf("%s was not renamed", name)
	}
	name = only(t, dir, "*.gz")
	if base := filepath.Base(name); !regexp.MustCompile(`^test-2\d{13}-00001\.warc\.gz$`).MatchString(base) {
		t.Errorf("its name is %s", base)
	}

	var got strings.Builder
	records := compare(t, name)
	ids := make(map[string]string)
	for i, p := range records {
		id := p.get("WARC-Record-ID")
		if !regexp.MustCompile(`^<urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}>$`).MatchString(id) || ids[id] != "" {
			t.Errorf("record %d: ID %s", i, id)
		}
		ids[id] = fmt.Sprintf("<%d>", i)
		fmt.Fprintf(&got, "%s\n", p.version)
		for _, f := range p.header {
			if known, ok := ids[f.Value]; ok {
				f.Value = known
			}
			if f.Name == "WARC-Date" && i == 0 || f.Name == "WARC-Filename" {
				f.Value = "…"
			}
			if f.Name != "WARC-Block-Digest" { // that compare has checked
				fmt.Fprintf(&got, "%s: %s\n", f.Name, f.Value)
			}
		}
		fmt.Fprintf(&got, "\n%s\n\n", strings.ReplaceAll(string(p.block), "\r\n", "\n"))
	}
	const want = `WARC/1.1
WARC-Type: warcinfo
WARC-Record-ID: <0>
WARC-Date: …
WARC-Filename: …
Content-Type: application/warc-fields
Content-Length: 153

operator: Jo <jo@example.com>
format: WARC File Format 1.1
conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/


WARC/1.1
WARC-Type: response
WARC-Record-ID: <1>
WARC-Date: 2026-01-31T22:59:58.123456Z
WARC-Target-URI: http://www.example.com/a?b=c
WARC-IP-Address: 192.0.2.1
WARC-Protocol: h2
WARC-Protocol: tls/1.3
WARC-Payload-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N
WARC-Identified-Payload-Type: text/plain
Content-Type: application/http; msgtype=response
Content-Length: 64

HTTP/1.1 200 OK
Content-Type: text/html; charset=utf-8

hello

WARC/1.1
WARC-Type: request
WARC-Record-ID: <2>
WARC-Date: 2026-01-31T22:59:58.123456Z
WARC-Target-URI: http://www.example.com/a?b=c
WARC-Concurrent-To: <1>
WARC-IP-Address: 192.0.2.1
WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ
Content-Type: application/http; msgtype=request
Content-Length: 35

GET / HTTP/1.1
Host: h.example



WARC/1.1
WARC-Type: metadata
WARC-Record-ID: <3>
WARC-Date: 2026-01-31T22:59:58.123456Z
WARC-Target-URI: http://www.example.com/a?b=c
WARC-Concurrent-To: <1>
Content-Type: application/warc-fields
Content-Length: 24

via: http://h.example/


WARC/1.1
WARC-Type: revisit
WARC-Record-ID: <4>
WARC-Date: 2026-01-31T23:59:58.123456Z
WARC-Target-URI: http://www.example.com/a?b=c
WARC-IP-Address: 192.0.2.1
WARC-Protocol: h2
WARC-Protocol: tls/1.3
WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest
WARC-Refers-To: <1>
WARC-Refers-To-Target-URI: http://www.example.com/a?b=c
WARC-Refers-To-Date: 2026-01-31T22:59:58.123456Z
WARC-Payload-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N
WARC-Identified-Payload-Type: text/plain
WARC-Truncated: length
Content-Type: application/http; msgtype=response
Content-Length: 59

HTTP/1.1 200 OK
Content-Type: text/html; charset=utf-8



WARC/1.1
WARC-Type: request
WARC-Record-ID: <5>
WARC-Date: 2026-01-31T23:59:58.123456Z
WARC-Target-URI: http://www.example.com/a?b=c
WARC-Concurrent-To: <4>
WARC-IP-Address: 192.0.2.1
WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ
Content-Type: application/http; msgtype=request
Content-Length: 35

GET / HTTP/1.1
Host: h.example



WARC/1.1
WARC-Type: revisit
WARC-Record-ID: <6>
WARC-Date: 2026-01-31T23:59:58.123456Z
WARC-Target-URI: http://www.example.com/a?b=c
WARC-IP-Address: 192.0.2.1
WARC-Protocol: h2
WARC-Protocol: tls/1.3
WARC-Profile: http://netpreserve.org/warc/1.1/revisit/server-not-modified
WARC-Refers-To: <1>
WARC-Refers-To-Target-URI: http://www.example.com/a?b=c
WARC-Refers-To-Date: 2026-01-31T22:59:58.123456Z
WARC-Payload-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N
WARC-Identified-Payload-Type: text/plain
Content-Type: application/http; msgtype=response
Content-Length: 29

HTTP/1.1 304 Not Modified



`
	lines := strings.Split(want, "\n")
	for i, line := range strings.Split(got.String(), "\n") {
		if i >= len(lines) || line != lines[i] {
			t.Fatalf("line %d is %q, want\n%s", i+1, line, strings.Join(lines[min(i, len(lines)):], "\n"))
		}
	}

	if warc.PayloadDigest([]byte("hello")) != c.Digest {
		t.Errorf("digest %s, want that of PayloadDigest", c.Digest)
	}
	base := filepath.Base(name)
	index := fmt.Sprintf(`com,example)/a?b=c 20260131225958 {"url":"http://www.example.com/a?b=c","mime":"text/html","status":"200","digest":"sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N","length":"%d","offset":"%d","filename":"%s"}
com,example)/a?b=c 20260131235958 {"url":"http://www.example.com/a?b=c","mime":"warc/revisit","status":"200","digest":"sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N","length":"%d","offset":"%d","filename":"%s"}
com,example)/a?b=c 20260131235958 {"url":"http://www.example.com/a?b=c","mime":"warc/revisit","status":"304","digest":"sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N","length":"%d","offset":"%d","filename":"%s"}
`, records[1].length, records[1].offset, base, records[4].length, records[4].offset, base, records[6].length, records[6].offset, base)
	lines = strings.SplitAfter(index, "\n")
	if c.String()+"\n" != lines[0] || c2.String()+"\n" != lines[1] || c3.String()+"\n" != lines[2] {
		t.Errorf("got captures\n%v\n%v\n%v, want\n%s", c, c2, c3, index)
	}
	checkIndex(t, dir, strings.Split(strings.TrimSpace(index), "\n"))
}

// TestInjection puts line ends and the like into all values that others control. They
// must not add a line to a header.
func TestInjection(t *testing.T) {
	const evil = "x\r\nWARC-Type: warcinfo\r\n\r\nWARC/1.1\r\n\u0085\u2028\x00\x7f\xff<>"
	dir := t.TempDir()
	w := open(t, dir, warc.Options{Info: []warc.Field{{Name: "operator", Value: evil}}})
	x := visit("http://h.example/"+evil, "")
	x.Protocols, x.MediaType, x.Truncated = []string{evil}, evil, evil
	x.Metadata = []warc.Field{{Name: "via", Value: evil}, {Name: "hopsFromSeed", Value: "L"}}
	c := write(t, w, x)
	c.URL, c.ID, c.Digest = evil, evil, evil
	x.Revisit = &warc.Revisit{Profile: evil, Of: c}
	write(t, w, x)
	closed(t, w)
	known := regexp.MustCompile(`^(WARC-(Type|Record-ID|Date|Filename|Target-URI|Concurrent-To|Protocol|Profile|Refers-To(-Target-URI|-Date)?|Block-Digest|Payload-Digest|Identified-Payload-Type|Truncated)|Content-(Type|Length))$`)
	records := compare(t, only(t, dir, "*.gz"))
	for i, p := range records {
		seen := make(map[string]bool)
		for _, f := range p.header {
			if !known.MatchString(f.Name) || seen[f.Name] || strings.ContainsAny(f.Value, "\r\n\x00\x7f\u0085") {
				t.Errorf("record %d: %q: %q", i, f.Name, f.Value)
			}
			if strings.HasSuffix(f.Name, "-URI") && f.Value != "http://h.example/"+escapedEvil &&
				f.Value != escapedEvil {
				t.Errorf("record %d: %q: %q", i, f.Name, f.Value)
			}
			seen[f.Name] = true
		}
		if ct := p.get("Content-Type"); ct == "application/warc-fields" {
			for line := range strings.SplitSeq(strings.TrimSuffix(string(p.block), "\r\n"), "\r\n") {
				if !regexp.MustCompile(`^(operator|format|conformsTo|via|hopsFromSeed): [^\x00-\x1f]*$`).MatchString(line) {
					t.Errorf("record %d: line %q", i, line)
				}
			}
		}
	}
	if len(records) != 7 {
		t.Errorf("%d records, want 7", len(records))
	}
}

const escapedEvil = "x%0D%0AWARC-Type:%20warcinfo%0D%0A%0D%0AWARC/1.1%0D%0A%C2%85%E2%80%A8%00%7F%FF%3C%3E"

// failing is a body that ends with an error.
type failing struct {
	io.Reader
	err error
}

func (f failing) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if err == io.EOF {
		err = f.err
	}
	return n, err
}

// nothing is a body whose Read returns no bytes and no error.
type nothing struct{}

func (nothing) Read([]byte) (int, error) { return 0, nil }

// TestBodies writes bodies that are short, long, endless and broken, in memory and
// with temporary files.
func TestBodies(t *testing.T) {
	long := page(rand.New(rand.NewPCG(5, 6)), 300e3)
	for _, test := range []struct {
		name      string
		max       int64
		body      string
		rest      io.Reader
		want      string
		truncated string
	}{
		{"empty", 0, "", nil, "", ""},
		{"in memory", 0, "hello", nil, "hello", ""},
		{"both", 0, "hello", strings.NewReader(", world"), "hello, world", ""},
		{"long", 0, "hello", strings.NewReader(long), "hello" + long, ""},
		{"cut in the body", 3, "hello", strings.NewReader(long), "hel", "length"},
		{"cut at its end", 5, "hello", strings.NewReader(""), "hello", ""},
		{"cut behind it", 5, "hello", strings.NewReader("!"), "hello", "length"},
		{"cut in the rest", 100e3, "", strings.NewReader(long), long[:100e3], "length"},
		{"disconnected", 0, "hel", failing{strings.NewReader("lo"), io.ErrUnexpectedEOF}, "hello", "disconnect"},
		{"timeout", 0, "hel", failing{strings.NewReader("lo"), os.ErrDeadlineExceeded}, "hello", "time"},
		{"too long for somebody", 0, "", http.MaxBytesReader(nil, io.NopCloser(strings.NewReader("hello, world")), 5),
			"hello", "length"},
		{"nothing comes", 0, "hello", nothing{}, "hello", "unspecified"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			w := open(t, dir, warc.Options{MaxBody: test.max, Memory: 10e3})
			x := visit("http://h.example/", test.body)
			x.Response.Rest = test.rest
			write(t, w, x)
			write(t, w, visit("http://h.example/2", "")) // nothing is left of the one before
			if left := glob(t, dir, "*.tmp"); len(left) > 0 {
				t.Errorf("left: %q", left)
			}
			closed(t, w)
			records := compare(t, only(t, dir, "*.gz"))
			_, payload, _ := bytes.Cut(records[1].block, []byte("\r\n\r\n"))
			if string(payload) != test.want {
				t.Errorf("a payload of %d bytes, want %d", len(payload), len(test.want))
			}
			if got := records[1].get("WARC-Truncated"); got != test.truncated {
				t.Errorf("truncated %q, want %q", got, test.truncated)
			}
			if len(records[4].block) != len(x.Response.Head) {
				t.Errorf("the next response has a block of %d bytes", len(records[4].block))
			}
		})
	}
}

// TestHeads writes heads with all kinds of ends. The payload begins where readers look
// for it.
func TestHeads(t *testing.T) {
	for _, test := range []struct{ head, want string }{
		{"HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\n\r\nbody"},
		{"HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\n\r\nbody"},
		{"HTTP/1.1 200 OK\r\nA: b\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody"},
		{"HTTP/1.1 200 OK\nA: b\n\n", "HTTP/1.1 200 OK\nA: b\n\nbody"},
		{"HTTP/1.1 200 OK\r\n\r\nA: b\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\nA: b\r\n\r\nbody"},
	} {
		dir := t.TempDir()
		w := open(t, dir, warc.Options{})
		x := visit("http://h.example/", "body")
		x.Response.Head = []byte(test.head)
		c := write(t, w, x)
		closed(t, w)
		r := warc.NewReader(bytes.NewReader(readFile(t, only(t, dir, "*.gz"))))
		for range 2 {
			if _, err := r.Next(); err != nil {
				t.Fatal(err)
			}
		}
		f, err := os.Open(only(t, dir, "*.gz"))
		fatal.If(t, err)
		defer f.Close()
		rec, err := warc.NewReader(io.NewSectionReader(f, c.Offset, c.Length)).Next()
		fatal.If(t, err)
		block, err := io.ReadAll(rec)
		if err != nil || string(block) != test.want {
			t.Errorf("%q: got %q, %v, want %q", test.head, block, err, test.want)
		}
		_, payload, _ := strings.Cut(strings.ReplaceAll(test.want, "\r", ""), "\n\n")
		if test.head[len(test.head)-1] == 'K' || !strings.Contains(payload, "\n") {
			if got, want := c.Digest, warc.PayloadDigest([]byte(payload)); got != want {
				t.Errorf("%q: digest %s, want %s", test.head, got, want)
			}
		}
	}
}

// TestRefused checks the errors for exchanges that cannot be written.
func TestRefused(t *testing.T) {
	head := warc.Message{Head: []byte("HTTP/1.1 200 OK\r\n\r\n")}
	w := open(t, t.TempDir(), warc.Options{})
	for _, test := range []struct {
		x    warc.Exchange
		want string
	}{
		{warc.Exchange{Response: head}, "no URL"},
		{warc.Exchange{URL: "http://h.example/"}, "neither a response, nor a request, nor metadata"},
		{warc.Exchange{URL: "http://h.example/", Revisit: &warc.Revisit{}}, "needs the head"},
		{warc.Exchange{URL: "http://h.example/", Response: head, Revisit: &warc.Revisit{}}, "no profile"},
		{warc.Exchange{URL: "http://h.example/", Response: head,
			Revisit: &warc.Revisit{Profile: warc.IdenticalPayload}}, "needs its digest"},
		{warc.Exchange{URL: "http://h.example/", Response: head, Metadata: []warc.Field{{Name: "a\nb", Value: "c"}}},
			`"a\nb" is not a token`},
		{warc.Exchange{URL: "http://h.example/" + strings.Repeat("x", 70e3), Response: head}, "is its URL that long?"},
	} {
		c, err := w.Write(&test.x)
		if err == nil || !strings.Contains(err.Error(), test.want) || c != (warc.Capture{}) {
			t.Errorf("got %v, %v, want an error with %q", c, err, test.want)
		}
	}
	for _, opts := range []warc.Options{{Prefix: "a/b"}, {Prefix: ".a"}, {Prefix: "é"}, {Info: []warc.Field{{}}}} {
		if w, err := warc.Open(t.TempDir(), opts); err == nil {
			t.Errorf("%+v was accepted", opts)
			w.Close()
		}
	}
	if _, err := w.Write(&warc.Exchange{URL: "http://h.example/", Response: head}); err != nil {
		t.Errorf("after all that: %v", err)
	}
	closed(t, w)
	closed(t, w)
	if _, err := w.Write(&warc.Exchange{URL: "http://h.example/", Response: head}); !errors.Is(err, warc.ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
	if err := w.Sync(); !errors.Is(err, warc.ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
}

// TestUnused checks that a folder is unchanged if nothing is written.
func TestUnused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a [b] *", "c")
	closed(t, open(t, dir, warc.Options{}))
	if left := glob(t, filepath.Dir(filepath.Dir(dir)), "*/*/*"); len(left) > 0 {
		t.Errorf("files %q", left)
	}
}

// TestRotation writes more than one file may have, from many goroutines. Each file is
// complete, within the limit, and has its exchanges in one piece.
func TestRotation(t *testing.T) {
	const maxSize = 50e3
	dir := t.TempDir()
	w := open(t, dir, warc.Options{MaxSize: maxSize})
	var writers sync.WaitGroup
	for g := range 8 {
		writers.Go(func() {
			random := rand.New(rand.NewPCG(uint64(g), 0))
			for i := range 50 {
				if _, err := w.Write(visit(fmt.Sprintf("http://h%d.example/%d", g, i),
					page(random, random.IntN(20e3)))); err != nil {
					t.Error(err)
				}
				if i%10 == 0 {
					if err := w.Sync(); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	writers.Wait()
	write(t, w, visit("http://h.example/large", page(rand.New(rand.NewPCG(7, 8)), 300e3)))
	closed(t, w)
	urls, all := make(map[string]int), []string{}
	names := glob(t, dir, "*.warc.gz")
	if len(names) < 20 {
		t.Errorf("%d files", len(names))
	}
	for _, name := range names {
		records := compare(t, name)
		if info, err := os.Stat(name); err != nil || info.Size() > maxSize && len(records) > 4 {
			t.Errorf("%s has %d bytes", name, info.Size())
		}
		for i, p := range records {
			if want := []string{"metadata", "response", "request"}[i%3]; i > 0 && p.get("WARC-Type") != want {
				t.Errorf("%s: record %d is a %s, want %s", name, i, p.get("WARC-Type"), want)
			}
			urls[p.get("WARC-Target-URI")]++
		}
		if got := records[0].get("WARC-Filename"); got != filepath.Base(name) {
			t.Errorf("%s is called %s in its warcinfo", name, got)
		}
		for _, c := range captures(t, name) {
			all = append(all, c.String())
		}
	}
	for url, n := range urls {
		if n != 3 && url != "" {
			t.Errorf("%s has %d records", url, n)
		}
	}
	if len(urls) != 8*50+2 {
		t.Errorf("%d URLs, want %d", len(urls), 8*50+2)
	}
	checkIndex(t, dir, all)
}

// TestResumed opens a folder again and again. The index has each entry once.
func TestResumed(t *testing.T) {
	dir := t.TempDir()
	var want []string
	for i := range 3 {
		w := open(t, dir, warc.Options{})
		for n := range 3 {
			want = append(want, write(t, w, visit(fmt.Sprintf("http://h.example/%d/%d", n, i), "x")).String())
		}
		if _, err := warc.Open(dir, warc.Options{}); err == nil ||
			!strings.Contains(err.Error(), "another writer is at work") {
			t.Errorf("two writers in one folder: %v", err)
		}
		closed(t, w)
	}
	if names := glob(t, dir, "*"); len(names) != 4 {
		t.Errorf("files %q", names)
	}
	checkIndex(t, dir, want)
}

// TestRemoved removes the folder during writes: the system reports no error, but the
// writer does.
func TestRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "archive")
	w := open(t, dir, warc.Options{})
	write(t, w, visit("http://h.example/", "x"))
	fatal.If(t, w.Sync())
	if err := os.RemoveAll(dir); err != nil {
		t.Skip("this system removes no folder whose files are open")
	}
	w.Write(visit("http://h.example/2", "x"))
	for range 2 {
		if err := w.Sync(); err == nil || !strings.Contains(err.Error(), "was removed while it was in use") {
			t.Errorf("sync: %v", err)
		}
	}
	if _, err := w.Write(visit("http://h.example/3", "x")); err == nil {
		t.Error("a record was taken after that")
	}
	if err := w.Close(); err == nil {
		t.Error("close: no error")
	}
}
