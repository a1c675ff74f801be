package warc_test

import (
	"bytes"
	"errors"
	"io"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/warc"
)

// FuzzReader reads random bytes, from sources with and without Seek, and checks that
// offsets only increase, and that each record can be read again at its offset.
func FuzzReader(f *testing.F) {
	a, b := record("WARC/1.1", "a", "hello"), record("WARC/1.0", "b", "HTTP/1.1 200 OK\r\n\r\nWARC/1.0\r\n")
	for _, file := range []string{
		"", a + b, zip(a, b), zip(a + b), zip(a)[:50] + zip(b), a[:30] + b, zip(a[:50], a[50:]),
		"filedesc://a 127.0.0.1 20140301000000 text/plain 9\n1 0 x\nURL\n\nhttp://a/ 127.0.0.1 20140301000000 text/html 2\nhi\n",
		"WARC/1.0\r\nContent-Length: 9999999999\r\n\r\n" + a, "\x1f\x8b\x08\x1f\x8b",
	} {
		f.Add([]byte(file))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		for _, src := range []io.Reader{bytes.NewReader(file), forward{bytes.NewReader(file)}} {
			r := warc.NewReader(src)
			last := int64(-1)
			for n := 0; ; n++ {
				rec, err := r.Next()
				if err == io.EOF {
					break
				}
				if n > 2*len(file) {
					t.Fatal("there is no end")
				}
				var d *warc.Damage
				if err != nil {
					if !errors.As(err, &d) {
						t.Fatal(err)
					}
					if d.Offset < 0 || d.Skipped < 0 || d.Offset+d.Skipped > int64(len(file)) {
						t.Errorf("%+v in a file of %d bytes", d, len(file))
					}
					continue
				}
				if rec.Offset < last || rec.Offset >= int64(len(file)) {
					t.Errorf("a record at %d after one at %d", rec.Offset, last)
				}
				last = rec.Offset
				c, ok, err := rec.Capture("x")
				if err != nil || !ok || c.Length == 0 {
					continue
				}
				part := file[c.Offset:][:c.Length]
				if bytes.HasPrefix(part, []byte("WARC")) || bytes.HasPrefix(part, []byte("\x1f\x8b")) {
					again, err := warc.NewReader(bytes.NewReader(part)).Next()
					if err != nil {
						t.Fatalf("%v cannot be read at its place: %v", c, err)
					}
					c2, _, err := again.Capture("x")
					c2.Offset += c.Offset
					if err != nil || c2 != c {
						t.Errorf("%+v is %+v at its place, %v", c, c2, err)
					}
				}
			}
		}
	})
}

// FuzzWrite writes random exchanges and reads them with the reader and with its slow
// twin.
func FuzzWrite(f *testing.F) {
	f.Add("http://h.example/", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", "hello", "world", "via", 100, 0)
	f.Add("a\r\nb", "x\n\ny", "\r\n\r\nWARC/1.1\r\n", "", "\xff\x00", 3, 4)
	f.Fuzz(func(t *testing.T, url, head, body, rest, value string, memory, most int) {
		x := &warc.Exchange{
			URL: url, Time: time.Unix(int64(memory), int64(most)), IP: netip.MustParseAddr("2001:db8::1"),
			Protocols: []string{value}, MediaType: value,
			Request:  warc.Message{Head: []byte(head)},
			Response: warc.Message{Head: []byte(head), Body: []byte(body), Rest: strings.NewReader(rest)},
			Metadata: []warc.Field{{Name: "via", Value: value}},
		}
		file, c, err := warc.Members(x, t.TempDir(), 1+memory&0xffff, int64(most&0xff))
		if err != nil {
			return
		}
		records := compareData(t, "file", file)
		for r := warc.NewReader(bytes.NewReader(file)); ; {
			rec, err := r.Next()
			if err != nil {
				break
			}
			if got, ok, err := rec.Capture(""); ok && got != c || err != nil {
				t.Errorf("got capture %+v, %v, want %+v", got, err, c)
			}
		}
		if most&0xff == 0 && head != "" {
			i := slices.IndexFunc(records, func(p plain) bool { return p.get("WARC-Type") == "response" })
			if !bytes.HasSuffix(records[i].block, []byte(body+rest)) ||
				!strings.HasPrefix(string(records[i].block), head[:min(len(head), len(records[i].block))]) &&
					headEnds(head) {
				t.Errorf("block %q of head %q, body %q and %q", records[i].block, head, body, rest)
			}
		}
	})
}

// headEnds reports whether a head has an empty line.
func headEnds(head string) bool {
	return strings.Contains(head, "\n\n") || strings.Contains(head, "\n\r\n") || strings.HasPrefix(head, "\n") ||
		strings.HasPrefix(head, "\r\n")
}
