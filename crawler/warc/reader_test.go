package warc_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// record returns a record with a block as text.
func record(version, url, block string, more ...string) string {
	fields := strings.Join(append(more, "WARC-Type: resource", "WARC-Target-URI: "+url,
		fmt.Sprintf("Content-Length: %d", len(block))), "\r\n")
	return version + "\r\n" + fields + "\r\n\r\n" + block + "\r\n\r\n"
}

// zip returns each text as a gzip member.
func zip(texts ...string) string {
	var b bytes.Buffer
	for _, text := range texts {
		z := gzip.NewWriter(&b)
		io.WriteString(z, text)
		z.Close()
	}
	return b.String()
}

// readAll reads a file as tests write it: URL and block of each record, and each
// error.
func readAll(r io.Reader) (got []string) {
	for rd := warc.NewReader(r); ; {
		rec, err := rd.Next()
		if err == io.EOF {
			return got
		}
		var d *warc.Damage
		if err != nil {
			got = append(got, "error: "+err.Error())
			if !errors.As(err, &d) {
				return got
			}
			continue
		}
		block, err := io.ReadAll(rec)
		if err != nil {
			got = append(got, fmt.Sprintf("%s: %q, and an error", rec.URL(), block))
		} else {
			got = append(got, fmt.Sprintf("%s: %q", rec.URL(), block))
		}
	}
}

// forward hides that a source can seek.
type forward struct{ io.Reader }

func TestReader(t *testing.T) {
	a, b, c := record("WARC/1.1", "a", "hello"), record("WARC/1.0", "b", ""), record("WARC/0.18", "c", "WARC/1.0\r\n")
	endA := len(zip(a))
	abc := []string{`a: "hello"`, `b: ""`, `c: "WARC/1.0\r\n"`}
	for _, test := range []struct {
		name, file string
		want       []string // errors by their beginning
	}{
		{"empty", "", nil},
		{"nothing but lines", "\r\n\n\r\n", nil},
		{"plain", a + b + c, abc},
		{"a member each", zip(a, b, c), abc},
		{"one member", zip(a + b + c), abc},
		{"two members", zip(a, b+c), abc},
		{"both", a + zip(b) + c, abc},
		{"empty members", zip("", a, "", b, "\r\n", c), abc},
		{"lines between members", zip(a) + "\r\n" + zip(b) + "\n" + zip(c), abc},
		{"record in several members", zip(a[:75], a[75:], b, c), abc},
		{"very many members", zip(a[:75]) + strings.Repeat(zip(""), 20e3) + zip(a[75:]), abc[:1]},
		{"bare LF", strings.ReplaceAll(a+b, "\r", ""), abc[:2]},
		{"no empty lines at the end", strings.TrimSpace(a), abc[:1]},
		{"no empty lines between", strings.TrimSpace(a) + b, abc[:2]},
		{"many empty lines between", a + strings.Repeat("\r\n", 100e3) + b, abc[:2]},
		{"brackets", record("WARC/1.0", "<a>", "x"), []string{`a: "x"`}},
		{"folded", "WARC/1.0\r\nWARC-Target-URI: a\r\n b\r\n\tc\r\ncontent-length:1\r\n\r\nx", []string{`a b c: "x"`}},
		{"no colon", "WARC/1.0\r\nfoo\r\nContent-Length: 1\r\n\r\nx", []string{`: "x"`}},

		{"no archive", "hello", []string{`error: offset 0: the record is broken: it begins with "hello"`}},
		{"HTML", strings.Repeat("<p>hello</p>\n", 20e3),
			[]string{`error: offset 0: the record is broken: it begins with "<p>hello</p>"`}},
		{"zeros", string(make([]byte, 200e3)),
			[]string{"error: offset 0: the record is broken: its header has more than 65536 bytes; 200000 bytes skipped"}},
		{"no length", "WARC/1.0\r\n\r\n" + a,
			[]string{`error: offset 0: the record is broken: its Content-Length is "" and not a number of bytes; 12 bytes skipped`, abc[0]}},
		{"length below 0", "WARC/1.0\r\nContent-Length: -1\r\n\r\n" + a,
			[]string{`error: offset 0: the record is broken: its Content-Length is "-1"`, abc[0]}},
		{"length beyond all", "WARC/1.0\r\nContent-Length: 9223372036854775808\r\n\r\n" + a,
			[]string{`error: offset 0: the record is broken: its Content-Length is "9223372036854775808"`, abc[0]}},
		{"length of all", "WARC/1.0\r\nContent-Length: 9223372036854775807\r\n\r\n" + a, []string{
			fmt.Sprintf(`: %q, and an error`, a), "error: offset 0: the record WARC/1.0  is broken: 92233720368547",
			abc[0]}},
		{"header without end", "WARC/1.0\r\n" + strings.Repeat("a: b\r\n", 20e3) + b,
			[]string{"error: offset 0: the record is broken: its header has more than", abc[1]}},
		{"line without end", "WARC/1.0\r\n" + strings.Repeat("a", 200e3) + b,
			[]string{"error: offset 0: the record is broken: its header has more than", abc[1]}},
		{"header cut", a[:30], []string{"error: offset 0: the record is broken: unexpected EOF"}},
		{"block cut", a + record("WARC/1.1", "d", "hello, world")[:78], []string{abc[0], `d: "hello", and an error`,
			fmt.Sprintf("error: offset %d: the record WARC/1.1 resource of d is broken: 7 bytes of its block are missing", len(a))}},
		{"too long a length", strings.Replace(a, ": 5", ": 50", 1) + b, []string{
			`a: "hello\r\n\r\n` + strings.ReplaceAll(b[:41], "\r\n", `\r\n`) +
				`"`, "error: offset 0: the record WARC/1.1 resource of a is broken: no record begins after it",
			abc[1]}},
		{"too short a length", strings.Replace(a, ": 5", ": 2", 1) + b,
			[]string{`a: "he"`,
				"error: offset 0: the record WARC/1.1 resource of a is broken: no record begins after it", abc[1]}},
		{"the same in a member", zip(strings.Replace(a, ": 5", ": 2", 1), b),
			[]string{`a: "he"`,
				"error: offset 0: the record WARC/1.1 resource of a is broken: no record begins after it", abc[1]}},
		{"broken in one member", zip("WARC/1.0\r\nx\r\n\r\n" + a + b),
			[]string{"error: offset 0: the record is broken: its Content-Length", abc[0], abc[1]}},
		{"member cut", zip(a, b)[:len(zip(a, b))-9],
			[]string{abc[0], abc[1],
				fmt.Sprintf("error: offset %d: the record WARC/1.0 resource of b is broken: unexpected EOF", endA)}},
		{"member cut, and another", zip(b)[:40] + zip(a), []string{"error: offset 0: the record is broken: ", abc[0]}},
		{"wrong sum", zip(a)[:endA-8] + "12345678" + zip(b),
			[]string{abc[0], "error: offset 0: the record WARC/1.1 resource of a is broken: gzip: invalid checksum",
				abc[1]}},
		{"half a magic", zip(a) + "\x1f\x8b\x08" + zip(b),
			[]string{abc[0], fmt.Sprintf("error: offset %d: the record is broken: gzip: invalid header; 3 bytes", endA),
				abc[1]}},
		{"rubbish between", zip(a) + "rubbish" + zip(b),
			[]string{abc[0], fmt.Sprintf(`error: offset %d: the record is broken: it begins with`, endA), abc[1]}},
		{"member of something else", zip(a, "hello", b),
			[]string{abc[0], fmt.Sprintf(`error: offset %d: the record is broken: it begins with "hello"`, endA),
				abc[1]}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := readAll(strings.NewReader(test.file))
			if !slices.EqualFunc(got, test.want, func(got, want string) bool {
				return got == want || strings.HasPrefix(want, "error: ") && strings.HasPrefix(got, want)
			}) {
				t.Errorf("got\n%.3000s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
			readAll(forward{strings.NewReader(test.file)})
		})
	}
}

// TestResync removes the rest of a record in the middle of a file, starting at each of
// its bytes. The records before and after are read, and the error says which part is
// missing.
func TestResync(t *testing.T) {
	a, b, c := record("WARC/1.1", "a", "hello"), record("WARC/1.1", "b", "hello, world"), record("WARC/1.1", "c",
		"good bye")
	for _, pack := range []func(...string) string{zip,
		func(texts ...string) string { return strings.Join(texts, "") }} {
		first, second, third := pack(a), pack(b), pack(c)
		for cut := 1; cut < len(second)-4; cut++ {
			got := readAll(strings.NewReader(first + second[:cut] + third))
			if len(got) < 3 || got[0] != `a: "hello"` || got[len(got)-1] != `c: "good bye"` ||
				!strings.HasPrefix(got[len(got)-2], fmt.Sprintf("error: offset %d: ", len(first))) ||
				!strings.HasSuffix(got[len(got)-2], fmt.Sprintf("; %d bytes skipped", cut)) {
				t.Fatalf("cut at %d: got\n%s", cut, strings.Join(got, "\n"))
			}
		}
	}
}

// counting counts the bytes read from a file.
type counting struct {
	*bytes.Reader
	bytes int64
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.bytes += int64(n)
	return n, err
}

// TestResyncCost reads a file in which each record seems to contain the rest of the file,
// and none is complete. The reader must not read the file once for each record.
func TestResyncCost(t *testing.T) {
	corpus.Unraced(t)
	for _, record := range []string{
		"WARC/1.0\r\nContent-Length: 99999999999\r\n\r\n", "WARC/1.0\r\nContent-Length: x\r\n\r\n", "WARC/1.0\r\n",
		"\x1f\x8b\x08", zip("WARC/1.0\r\n")[:25],
	} {
		readCost(t, []byte(strings.Repeat(record, corpus.Cases(300_000, 1_000_000)/len(record))))
	}
}

func readCost(t *testing.T, file []byte) {
	c := &counting{Reader: bytes.NewReader(file)}
	r := warc.NewReader(c)
	for broken := 0; ; broken++ {
		_, err := r.Next()
		if err == io.EOF {
			break
		}
		var d *warc.Damage
		if err != nil && !errors.As(err, &d) {
			t.Fatal(err)
		}
	}
	if most := int64(2*len(file) + 80<<20); c.bytes > most {
		t.Errorf("a file of %d bytes that begins with %q: %d bytes are read, want no more than %d", len(file),
			file[:20], c.bytes, most)
	}
}

// TestBomb reads a block that is much longer than the file, in little memory.
func TestBomb(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	const size = 64 << 20
	fmt.Fprintf(z, "WARC/1.1\r\nContent-Length: %d\r\n\r\n", size)
	zeros := make([]byte, 1<<20)
	for range size >> 20 {
		z.Write(zeros)
	}
	z.Close()
	r := warc.NewReader(&b)
	rec, err := r.Next()
	fatal.If(t, err)
	if testing.AllocsPerRun(1, func() {
		if n, err := io.Copy(io.Discard, rec); err != nil || n != 0 && n != size {
			t.Errorf("%d bytes, %v", n, err)
		}
	}) > 100 {
		t.Error("reading a block allocates memory")
	}
	if _, err := r.Next(); err != io.EOF {
		t.Error(err)
	}
}

// errDisk is an example of a disk error.
var errDisk = errors.New("the disk is broken")

// TestReaderFails reads from a failing source: its error is not damage of the file.
func TestReaderFails(t *testing.T) {
	for _, file := range []string{record("WARC/1.1", "a", "hello"), zip(record("WARC/1.1", "a", "hello"))} {
		for cut := range len(file) {
			r := warc.NewReader(failing{strings.NewReader(file[:cut]), errDisk})
			for range 3 {
				rec, err := r.Next()
				if err == nil {
					_, err = rec.Length()
				}
				var d *warc.Damage
				if !errors.Is(err, errDisk) || errors.As(err, &d) {
					t.Fatalf("cut at %d: %v", cut, err)
				}
			}
		}
	}
}

func TestRecordTime(t *testing.T) {
	for _, test := range []struct{ date, want string }{
		{"2026-01-31T22:59:58Z", "2026-01-31T22:59:58Z"},
		{"2026-01-31T22:59:58.123456789Z", "2026-01-31T22:59:58.123456789Z"},
		{"2026-01-31T22:59Z", "2026-01-31T22:59:00Z"},
		{"2026-01-31T22:59:58+01:00", "2026-01-31T21:59:58Z"},
		{"2026-01-31", "2026-01-31T00:00:00Z"},
		{"2026-01", "2026-01-01T00:00:00Z"},
		{"2026", "2026-01-01T00:00:00Z"},
		{"20260131225958", "2026-01-31T22:59:58Z"},
		{"yesterday", "0001-01-01T00:00:00Z"},
	} {
		rec := &warc.Record{Header: warc.Header{{Name: "warc-date", Value: test.date}}}
		if got := rec.Time().Format(time.RFC3339Nano); got != test.want {
			t.Errorf("%s: got %s, want %s", test.date, got, test.want)
		}
	}
}

// TestCorpus reads archives of other programs, intact and damaged. The expected number of
// records is that of warcio, which the tests of the oracle run too; for ARC, which warcio
// does not read, it was counted by hand.
func TestCorpus(t *testing.T) {
	for name, want := range map[string]struct {
		records int
		broken  int64 // offset of the first damaged record, or -1
	}{
		"pywb/bad.arc":                               {4, 61},
		"pywb/dupes.warc.gz":                         {25, -1},
		"pywb/example-bad.warc.gz.bad":               {6, -1},
		"pywb/example-extra.warc":                    {6, -1},
		"pywb/example-url-agnostic-orig.warc.gz":     {2, -1},
		"pywb/example-url-agnostic-revisit.warc.gz":  {2, -1},
		"pywb/example-wget-1-14.warc.gz":             {6, -1},
		"pywb/example-wpull.warc.gz":                 {4, -1},
		"pywb/example.arc":                           {2, -1},
		"pywb/example.arc.gz":                        {2, -1},
		"pywb/example.warc":                          {6, 4061},
		"pywb/example.warc.gz":                       {6, -1},
		"pywb/example2.warc.gz":                      {3, -1},
		"pywb/httpbin-resource.warc.gz":              {1, -1},
		"pywb/iana.warc.gz":                          {343, -1},
		"pywb/missing-status-text.warc":              {1, -1},
		"pywb/post-test.warc.gz":                     {6, -1},
		"warcio/bad.arc":                             {4, 61},
		"warcio/example-bad-non-chunked.warc.gz":     {6, -1},
		"warcio/example-bad.warc.gz.bad":             {6, -1},
		"warcio/example-digest.warc":                 {4, -1},
		"warcio/example-iana.org-chunked.warc":       {3, -1},
		"warcio/example-resource.warc.gz":            {3, -1},
		"warcio/example-space-in-target-uri.warc.gz": {2, -1},
		"warcio/example-space-in-url.arc":            {2, 151}, // it has CRLF where the length counts LF
		"warcio/example-trunc.warc":                  {4, 1197},
		"warcio/example-wget-bad-target-uri.warc.gz": {6, -1},
		"warcio/example-wrong-chunks.warc.gz":        {2, -1},
		"warcio/example.arc":                         {2, -1},
		"warcio/example.arc.gz":                      {2, -1},
		"warcio/example.warc":                        {6, -1},
		"warcio/example.warc.gz":                     {6, -1},
		"warcio/post-test.warc.gz":                   {6, -1},
	} {
		f, err := os.Open(corpus.Path(t, "pages", "warc", filepath.FromSlash(name)))
		fatal.If(t, err)
		defer f.Close()
		records, broken := 0, int64(-1)
		for r := warc.NewReader(f); ; {
			rec, err := r.Next()
			if err == io.EOF {
				break
			}
			var d *warc.Damage
			if errors.As(err, &d) {
				if broken < 0 {
					broken = d.Offset
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			records++
			if rec.Type() == "" || rec.Time().IsZero() {
				t.Errorf("%s: offset %d: type %q, time %v", name, rec.Offset, rec.Type(), rec.Time())
			}
		}
		if records != want.records || broken != want.broken {
			t.Errorf("%s: %d records, the first broken one at %d; want %d and %d", name, records, broken, want.records,
				want.broken)
		}
	}
}
