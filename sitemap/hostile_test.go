package sitemap_test

import (
	"compress/gzip"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/sitemap"
)

// An endless reader repeats a text.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		k := copy(p[n:], e.text[e.at:])
		e.at = (e.at + k) % len(e.text)
		n += k
	}
	return n, nil
}

// repeated returns a reader of a repeated text, of about this many bytes.
func repeated(text string, size int64) io.Reader {
	return io.LimitReader(&endless{text: text}, size-size%int64(len(text)))
}

// huge are documents that are one token, or have many open elements at once.
var huge = []struct {
	name, begin, text, end string
	entries                int
}{
	{"attribute", head + `<url x="`, "x", `"><loc>http://example.com/</loc></url></urlset>`, 1},
	{"attributes", head + `<url`, ` x="y>"`, `><loc>http://example.com/</loc></url></urlset>`, 1},
	{"name", head + `<`, "x", `><url><loc>http://example.com/</loc></url></urlset>`, 1},
	{"end tag", head + `<url><loc>http://example.com/</loc></`, "x", `></url></urlset>`, 1},
	{"comment", head + `<!--`, "->", `--><url><loc>http://example.com/</loc></url></urlset>`, 1},
	{"instruction", head + `<?`, "?", `?><url><loc>http://example.com/</loc></url></urlset>`, 1},
	{"declarations", "<!DOCTYPE urlset [", "<!ENTITY x '>]'>", "]>" + head +
		`<url><loc>http://example.com/</loc></url></urlset>`, 1},
	{"declared text", "<!DOCTYPE urlset [<!ENTITY x '", "x", "'>]>" + head +
		`<url><loc>http://example.com/</loc></url></urlset>`, 1},
	{"URL", head + `<url><loc>http://example.com/`, "x",
		`</loc></url><url><loc>http://example.com/</loc></url></urlset>`, 1},
	{"URL of entities", head + `<url><loc>http://example.com/`, "&amp;",
		`</loc></url><url><loc>http://example.com/</loc></url></urlset>`, 1},
	{"URL that is a long section", head + `<url><loc>http://example.com/<![CDATA[`, "]]",
		`]]></loc></url><url><loc>http://example.com/</loc></url></urlset>`, 1},
	{"URL of sections", head + `<url><loc>`, "<![CDATA[http://example.com/]]>",
		`</loc></url><url><loc>http://example.com/</loc></url></urlset>`, 1},
	{"white space before a URL", head + `<url><loc>`, " \n", `http://example.com/</loc></url></urlset>`, 1},
	{"date", head + `<url><loc>http://example.com/</loc><lastmod>`, "2", `</lastmod></url></urlset>`, 1},
	{"text", head, "x", `<url><loc>http://example.com/</loc></url></urlset>`, 1},
	{"entity", head + "<url><loc>http://example.com/</loc></url>&", "x", `;</urlset>`, 1},
	{"deep", head, "<x>", "<url><loc>http://example.com/</loc></url></urlset>", 1},
	{"deep in an entry", head + "<url><loc>http://example.com/</loc>", "<x>", "</url></urlset>", 1},
	{"line", "http://example.com/\nhttp://example.com/", "x", "\nhttp://example.com/", 2},
	{"lines", "http://example.com/", "\r", "\nhttp://example.com/", 2},
}

// TestHuge reads documents with one huge part, and the entries after it, in the memory of
// a small document.
func TestHuge(t *testing.T) {
	for i, test := range huge {
		size := int64(4_000_000)
		if testing.Short() {
			size /= 10
		} else if i == 0 {
			size = int64(corpus.Cases(30_000_000, 100_000_000)) // the larger is nearly the default MaxSize
		}
		t.Run(test.name, func(t *testing.T) {
			r := io.MultiReader(strings.NewReader(test.begin), repeated(test.text, size), strings.NewReader(test.end))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			n := 0
			for _, err := range sitemap.Read(r, sitemap.Options{}) {
				if err == nil {
					n++
				}
			}
			runtime.ReadMemStats(&after)
			if n != test.entries {
				t.Errorf("%d entries, want %d", n, test.entries)
			}
			if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
				t.Errorf("%d bytes allocated, want at most a MiB", got)
			}
		})
	}
}

// TestBomb checks that the limit stops the decompression of a small file.
func TestBomb(t *testing.T) {
	packed, w := io.Pipe()
	go func() {
		z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
		io.WriteString(z, head)
		_, err := io.Copy(z, repeated(" ", 1<<30)) // until the reader stops
		z.Close()
		w.CloseWithError(err)
	}()
	n := 0
	var last error
	for _, last = range sitemap.Read(packed, sitemap.Options{MaxSize: 16 << 20}) {
		n++
	}
	if packed.Close(); n != 1 || !errors.Is(last, sitemap.ErrLimit) {
		t.Errorf("got %d entries and errors, %v; want %v", n, last, sitemap.ErrLimit)
	}
}

// TestEntities declares entities that would be a bomb, or would read a file: they stay as
// written.
func TestEntities(t *testing.T) {
	const text = `<?xml version="1.0"?>
<!DOCTYPE urlset [
<!ENTITY a "aaaaaaaaaa"><!-- it's a ]> -->
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY % p SYSTEM "http://evil.example/p.dtd"> %p;
<!ENTITY file SYSTEM "file:///etc/passwd"><?x ]>?>
]>
<urlset><url><loc>http://example.com/?&b;&file;&p;</loc></url></urlset>`
	entries, faults := read(t, text, sitemap.Options{})
	if got, want := listed(entries), []string{"8: http://example.com/?&b;&file;&p;"}; !slices.Equal(got, want) ||
		faults != nil {
		t.Errorf("got %q, %q; want %q", got, faults, want)
	}
}

// TestMany reads documents of many small invalid parts: the number of faults is limited
// too.
func TestMany(t *testing.T) {
	for _, text := range []string{"<url>", "<url/>", "<url><loc>/</loc></url>", "</url>", "<", "<url", "&", "<![CDATA[",
		"<!", "<?", "x\n", "<url><loc>"} {
		for _, begin := range []string{"", head} {
			n := 0
			r := io.MultiReader(strings.NewReader(begin), repeated(text, 1<<20))
			for range sitemap.Read(r, sitemap.Options{MaxEntries: 1000}) {
				n++
			}
			if n < 1 || n > 1003 {
				t.Errorf("%q many times: %d entries and errors", begin+text, n)
			}
		}
	}
}

// TestTerminal checks that text from a sitemap cannot send control sequences to a
// terminal.
func TestTerminal(t *testing.T) {
	const evil = "\x1b]0;x\x07\u202e\x9b"
	for _, text := range []string{evil, "<" + "x" + evil + ">", "<urlset><url><loc>" + evil, "<urlset><url><loc></x" +
		evil + ">", "<urlset><url><loc>" + evil + "</loc></url></urlset>"} {
		_, faults := read(t, text, sitemap.Options{})
		for _, f := range faults {
			if strings.ContainsAny(f, "\x1b\x07\u202e") || strings.Contains(f, "\x9b") {
				t.Errorf("%q: error %q", text, f)
			}
		}
	}
}
