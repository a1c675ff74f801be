package page_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/page"
)

// A stream is a text that is repeated until it has so many bytes, between two
// others. It looks at the memory that is held meanwhile.
type stream struct {
	start, text, end string
	size             int // of the repeated part

	sent int
	held uint64 // the most bytes seen
	next int    // when to look again
}

func (s *stream) Read(p []byte) (n int, err error) {
	if s.size > 0 && s.sent >= s.next {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		s.held = max(s.held, m.HeapAlloc)
		s.next += s.size / 8
	}
	for n < len(p) {
		i, part := s.sent, ""
		switch {
		case i < len(s.start):
			part = s.start[i:]
		case i < len(s.start)+s.size:
			part = s.text[(i-len(s.start))%len(s.text):]
			part = part[:min(len(part), len(s.start)+s.size-i)]
		case i < len(s.start)+s.size+len(s.end):
			part = s.end[i-len(s.start)-s.size:]
		default:
			return n, io.EOF
		}
		c := copy(p[n:], part)
		n, s.sent = n+c, s.sent+c
	}
	return n, nil
}

// heldBefore returns the memory that is held before a test.
func heldBefore() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestManyMegabytes reads a page of 24 MiB, or 100 MiB with ROBOTS_CORPUS_ALL, of a long text, a
// long attribute, a long comment and a long script, and finds the directive after it.
func TestManyMegabytes(t *testing.T) {
	const most = 2 << 20
	size := corpus.Cases(6<<20, 25<<20)
	before := heldBefore()
	parts := []*stream{
		{start: "<p>", text: "text ", size: size},
		{start: `<p title="`, text: "text> ", size: size},
		{start: `"><!-- `, text: "->", size: size},
		{start: `--><script>`, text: "'<meta name=robots content=none>'", size: size,
			end: `</script><meta name="robots" content="noindex">`},
	}
	doc, err := page.Read(io.MultiReader(parts[0], parts[1], parts[2], parts[3]), page.Options{MaxSize: -1})
	fatal.If(t, err)
	if d := doc.For(); d.Index || !d.Follow || doc.Size < 4*int64(size) {
		t.Errorf("%d octets: %v", doc.Size, d)
	}
	for _, s := range parts {
		if s.held > before+most {
			t.Errorf("%s: %d octets were held, want at most %d", s.start, s.held-before, most)
		}
	}
}

// TestMemory reads what costs most, and finds the directive after it. What is
// held meanwhile has a bound that does not depend on the size.
func TestMemory(t *testing.T) {
	const size, most = 6 << 20, 5 << 20
	const noindex = `<meta name="robots" content="noindex">`
	for _, test := range []struct {
		name             string
		start, text, end string
		lost             bool // what follows is a part of it, or beyond a limit
	}{
		{"one word", "", "x", noindex, false},
		{"tags", "", "<p>x</p>\n", noindex, false},
		{"deep", "", "<div><b>", noindex, false},
		{"attribute without quotes", `<p title=`, "x", `>` + noindex, false},
		{"attributes", `<p `, "a b=c d='e' ", `>` + noindex, false},
		{"attribute of a robots tag", `<meta name="robots" x='`, "x", `' name="robots" content="noindex">`, false},
		{"tag name", `<`, "x", `>` + noindex, false},
		{"end tag", `</p `, "x ", `>` + noindex, false},
		{"comment", `<!--`, "- -> ", `-->` + noindex, false},
		{"declaration", `<!`, "doctype ", `>` + noindex, false},
		{"script with a comment", `<script><!--`, "- <-> </scrip <!", `</script>` + noindex, false},
		{"scripts", "", "<script></script>", noindex, false},
		{"script in a comment", `<script><!--<script>`, `x</script><script>`, `--></script>` + noindex, false},
		{"style", `<style>`, "</sty ", `</style>` + noindex, false},
		{"title", `<title>`, "</titl x ", `</title>` + noindex, false},
		{"plaintext", `<plaintext>`, "x", noindex, true},
		{"templates", "", "<template>", noindex, true},
		{"open comment", `<!--`, "x ", noindex, true},
		{"tags that matter", "", `<meta name="x" content="y">`, noindex, false},
		{"tags to robots", "", `<meta name="robots" content="y">`, noindex, true},
		{"links", "", `<a href="/x?y#z" rel="nofollow">`, noindex, false},
		{"nosnippet", "", `<div data-nosnippet></div>`, ">" + noindex, false},
		{"nul", "x", "\x00<\x00>", noindex, false},
		{"euc-kr", `<meta charset="euc-kr">`, "\xc7\xd1<b>", noindex, false},
		{"utf-16", "\xff\xfe", "x\x00", "\x00", true},
		{"line ends", "", "\r\n\r", noindex, false},
		{"svg", "", "<svg><g>", noindex, false},
		{"svg in itself", "", "<svg><desc>", noindex, false},
		{"math", "<math>", "<mi><x/>", noindex, false},
		{"formatting", "", "<b><i><u><p></p>", noindex, false},
		{"formatting at markers", "", "<object><b><i>", noindex, false},
		{"tables", "", "<table><td>", noindex, false},
		{"cdata", "<svg><![CDATA[", "]] > ", "]]>" + noindex, false},
		{"open cdata", "<svg><![CDATA[", "]] > ", noindex, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := heldBefore()
			size := size - size%len(test.text)
			s := &stream{start: test.start, text: test.text, end: test.end, size: size}
			doc, err := page.Read(s, page.Options{MaxLinks: 1000})
			fatal.If(t, err)
			if doc.Size != int64(len(test.start)+size+len(test.end)) {
				t.Errorf("%d octets read", doc.Size)
			}
			if got := doc.For().Index; got != test.lost {
				t.Errorf("index %t, want %t; cut: %v", got, test.lost, doc.Cut)
			}
			if s.held > before+most {
				t.Errorf("%d octets were held, want at most %d", s.held-before, most)
			}
		})
	}
}

// TestRetained reads pages that could make a Doc large, and measures the memory of the Doc.
func TestRetained(t *testing.T) {
	const most = 12 << 20 // with 10,000 links, each of which is more than 100 bytes
	long := strings.Repeat("x", 60000)
	for _, test := range []struct {
		name string
		text string
		cut  page.Cut
	}{
		{"long base", `<base href="http://a.example/` + long + `/">` + strings.Repeat("<a href=x>", 20000),
			page.CutLinks},
		{"long base, long links", `<base href="http://a.example/` + long + `/">` +
			strings.Repeat("<a href=//b.example/x><a href=x>", 20000), page.CutLinks},
		{"bytes that are percent-encoded", strings.Repeat("<a href='"+strings.Repeat("é", 1000)+"'>", 10000),
			page.CutLinks},
		{"long base, canonicals", `<base href="http://a.example/` + long + `/">` +
			strings.Repeat("<link rel=canonical href=x>", 200), page.CutList},
		{"rel words", strings.Repeat("<a href=x rel='"+strings.Repeat("a ", 500)+"'><a href=x rel='b'>", 5000),
			page.CutLinks},
		{"tags of other names", strings.Repeat("<meta name=a content=b>", 100000), page.CutTags},
		{"directives", strings.Repeat("<meta name=robots content='a,b,c,d,e,f,g,h,i,j'>", 10000), page.CutList},
		{"keywords", "<meta name=keywords content='" + strings.Repeat("a,", 30000) + "'>", page.CutList},
		{"sections", strings.Repeat("<div data-nosnippet></div>", 10000), page.CutList},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := heldBefore()
			doc := read(t, []byte(test.text), page.Options{MaxLinks: 10000, URL: mustURL(t, "https://example.com/")})
			if held := heldBefore() - before; int64(held) > most {
				t.Errorf("%d bytes are held, want at most %d", held, most)
			}
			if doc.Cut&test.cut == 0 {
				t.Errorf("cut %v, want %v", doc.Cut, test.cut)
			}
			for i, l := range doc.Links {
				if l.URL == "" {
					t.Fatalf("link %d has no address", i)
				}
			}
		})
	}
}

// TestManyNames asks about many names on a page with many tags. It only has to end: each
// name with each tag would take minutes.
func TestManyNames(t *testing.T) {
	var meta []page.Meta
	var names []string
	for i := range corpus.Cases(40_000, 100_000) {
		meta = append(meta, page.Meta{Name: fmt.Sprint("bot", i), Content: "nosnippet"},
			page.Meta{Name: fmt.Sprint("x", i), Content: "all"})
		names = append(names, fmt.Sprint("Bot", i), fmt.Sprint("x", i))
	}
	doc, err := page.Read(nil, page.Options{Meta: meta})
	fatal.If(t, err)
	if d := doc.For(names...); d.Snippet || len(d.InForce()) < 10000 {
		t.Errorf("%d directives are in force", len(d.InForce()))
	}
	if d := doc.For(names[len(names)-1]); !d.Index || !d.Snippet {
		t.Errorf("one name: %v", d.InForce())
	}
}

// TestMaxSize ends where the limit is, and says so.
func TestMaxSize(t *testing.T) {
	text := `<meta name="robots" content="noindex">` + strings.Repeat("x", 5000) +
		`<meta name="robots" content="nofollow">`
	for _, test := range []struct {
		max  int64
		cut  bool
		want string
	}{
		{0, false, "false false"},
		{-1, false, "false false"},
		{int64(len(text)), false, "false false"},
		{int64(len(text)) - 1, true, "false true"},
		{2000, true, "false true"},
		{38, true, "false true"},
		{37, true, "true true"},
		{1, true, "true true"},
	} {
		doc := read(t, []byte(text), page.Options{MaxSize: test.max})
		d := doc.For()
		if got := fmt.Sprint(d.Index, " ", d.Follow); got != test.want || doc.Cut&page.CutSize != 0 != test.cut {
			t.Errorf("MaxSize %d: %s, cut %v; want %s, %t", test.max, got, doc.Cut, test.want, test.cut)
		}
	}
	// Without a limit given, an endless page ends.
	doc, err := page.Read(&stream{text: "x", size: math.MaxInt32}, page.Options{})
	if err != nil || doc.Size != page.DefaultMaxSize || doc.Cut != page.CutSize {
		t.Errorf("an endless page: %d octets, cut %v, error %v", doc.Size, doc.Cut, err)
	}
}

// TestBodyError checks the part that was read before the error.
func TestBodyError(t *testing.T) {
	broken := errors.New("connection reset")
	for _, text := range []string{`<meta name="robots" content="noindex">`, `<meta name="robots" content="noindex">` +
		strings.Repeat(" ", 5000) + "<p"} {
		doc, err := page.Read(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), page.Options{})
		if !errors.Is(err, broken) {
			t.Errorf("error %v, want %v", err, broken)
		}
		if doc.For().Index || len(doc.Directives) != 1 {
			t.Errorf("what came before the error is lost")
		}
	}
	// A part of a page that was not read allows nothing, for all robots and dialects.
	doc, err := page.Read(io.MultiReader(strings.NewReader("<a href=x><meta name=robots content=all>"),
		iotest.ErrReader(broken)), page.Options{MaxLinks: 1})
	if err == nil || !errors.Is(doc.Err, broken) {
		t.Errorf("error %v of the page, want %v", doc.Err, broken)
	}
	for _, d := range []*page.Decision{doc.For(), doc.For("Googlebot"), doc.In(page.Reading1996).For()} {
		if d.Index || d.Follow || d.Archive || d.Snippet || d.AI || d.IndexAt(time.Time{}) ||
			d.Link(doc.Links[0]).Follow {
			t.Errorf("%v, although it was not read", d)
		}
		if text := d.String(); !strings.Contains(text, broken.Error()) ||
			!strings.Contains(text, "may not be indexed") {
			t.Errorf("the decision is %q", text)
		}
		if v := d.Under(robots.Match{Allowed: true}); !v.Fetch || v.Index || v.Follow {
			t.Errorf("the verdict is %v", v)
		}
		if text, err := d.MarshalJSON(); err != nil ||
			!bytes.Contains(text, []byte(`"error":"read page: connection reset"`)) || !json.Valid(text) {
			t.Errorf("JSON is %s, %v", text, err)
		}
	}
	for status, want := range map[int]bool{0: true, 200: true, 203: true, 204: false, 206: false, 304: false,
		404: false, 500: false, 999: false} {
		doc := read(t, nil, page.Options{Status: status})
		if got := doc.For(); got.Index != want || got.Follow != want {
			t.Errorf("status %d: %v", status, got)
		}
	}
	stuck := readerFunc(func([]byte) (int, error) { return 0, nil })
	if _, err := page.Read(stuck, page.Options{}); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("error %v of a reader that gives nothing", err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestHeadOnly reads only the head of a page, and finds all of its parts.
func TestHeadOnly(t *testing.T) {
	head := "<!DOCTYPE html>\n<html><head><!-- x --><title>T</title><base href='/'><style>p{}</style>\n" +
		"<noscript><img src=x></noscript><template><p></template><script>" + strings.Repeat("x", 9000) + "</script>" +
		"<meta name='robots' content='noarchive'></head>\n"
	for _, body := range []string{"<body>", "<p>", "text", "<frameset>", "<svg>", "<x-y>", "<iframe src=x>", "<br>",
		"&nbsp;"} {
		s := &stream{start: head + body, text: "<p>text ", end: "<meta name='robots' content='noindex'>",
			size: 10 << 20}
		doc, err := page.Read(s, page.Options{HeadOnly: true})
		fatal.If(t, err)
		d := doc.For()
		if doc.Title != "T" || d.Archive || !d.Index {
			t.Errorf("%s: title %q, %v", body, doc.Title, d)
		}
		if most := len(head+body+"<p>") + 4<<10; s.sent > most {
			t.Errorf("%s: %d octets were read of a head of %d", body, s.sent, len(head))
		}
	}
	short := "<title>T</title><p>"
	s := &stream{start: short, text: "<p>text ", size: 10 << 20}
	if _, err := page.Read(s, page.Options{HeadOnly: true}); err != nil || s.sent > 4<<10 {
		t.Errorf("%d octets were read of a head of %d, error %v", s.sent, len(short), err)
	}
}

// TestMany checks the limits of lists.
func TestMany(t *testing.T) {
	doc := read(t, bytes.Repeat([]byte(`<p data-x><div DATA-NoSnippet=false></div>`), 1100), page.Options{})
	if len(doc.NoSnippet) != 1000 || doc.Cut != page.CutList {
		t.Errorf("%d sections, cut %v", len(doc.NoSnippet), doc.Cut)
	}
	doc = read(t, bytes.Repeat([]byte(`<a href=x>`), 1100), page.Options{MaxLinks: 1000})
	if len(doc.Links) != 1000 || doc.Cut != page.CutLinks {
		t.Errorf("%d links, cut %v", len(doc.Links), doc.Cut)
	}
	doc = read(t, []byte(`<meta name=keywords content="`+strings.Repeat("a,", 1100)+`">`), page.Options{})
	if len(doc.Keywords) != 1000 || doc.Cut != page.CutList {
		t.Errorf("%d keywords, cut %v", len(doc.Keywords), doc.Cut)
	}
	doc = read(t, nil, page.Options{Header: http.Header{"X-Robots-Tag": {strings.Repeat("a ", 11000) + "noindex",
		"nofollow"}}})
	if len(doc.Directives) != 10000 || doc.Cut != page.CutList {
		t.Errorf("%d directives, cut %v", len(doc.Directives), doc.Cut)
	}
	doc = read(t, nil, page.Options{Header: http.Header{"Link": {strings.Repeat("</x>; rel=canonical,", 200)}}})
	if len(doc.Canonicals) != 100 || doc.Cut != page.CutList {
		t.Errorf("%d canonical addresses, cut %v", len(doc.Canonicals), doc.Cut)
	}
	doc = read(t, []byte("<title>"+strings.Repeat("\u00e9", 5000)+"</title>"), page.Options{})
	if want := strings.Repeat("\u00e9", 2048); doc.Title != want || doc.Cut != page.CutText {
		t.Errorf("title of %d octets, cut %v", len(doc.Title), doc.Cut)
	}
}

// TestLinear reads values that a careless parser takes quadratic time for. It
// only has to end.
func TestLinear(t *testing.T) {
	for _, text := range []string{"unavailable_after: ", "a:", ":", ": ", "max-snippet:", "unavailable_after: 1 Jan ",
		"googlebot:", "noindex,", "\u00a0", "25-"} {
		value := strings.Repeat(text, corpus.Cases(1<<18, 1<<20)/len(text))
		read(t, nil, page.Options{Header: http.Header{"X-Robots-Tag": {value},
			"Link": {value, strings.Repeat("<", 1<<20), "<x>" + strings.Repeat(";", 1<<20)}}})
		read(t, []byte(`<meta name=zorba content="`+value[:60000]+`"><meta name=keywords content="`+value[:60000]+`">`),
			page.Options{}).For("zorba")
	}
}

// TestLinearPage reads pages that a careless tokenizer takes quadratic time for: in large
// pieces, and byte by byte. It only has to end. A page is so large that quadratic
// time would be minutes.
func TestLinearPage(t *testing.T) {
	size := corpus.Cases(128<<10, 256<<10)
	for _, start := range []string{
		"", "<!--", "<!", "</ ", "<a ", "<a x=", `<a x="`, "<a x='", "<title>", "<style>", "<plaintext>",
		"<script>", "<script><!--", "<script><!--<script>", `<meta name="robots" content="`, "<div data-nosnippet ",
		"<svg><![CDATA[", "<svg>", strings.Repeat("<svg>", 600), strings.Repeat("<object>", 600), "<b><i><u>" +
			strings.Repeat("<div>", 600),
		"<p><b><i><u><s><em><tt><big><code>",
	} {
		for _, text := range []string{
			"</p><p>x", "</b><b>", "</x>", "</div>", "<a><p>", "<table>", "<td>", "<svg>", "]]",
			"<", "</", "<!", "<!--", "-", "--!", "<a ", "x=", "<a href='&amp", "<script>", "</scrip", "</titl", "&",
			"\r",
		} {
			long := start + strings.Repeat(text, size/len(text))
			for _, body := range []io.Reader{
				strings.NewReader(long),
				iotest.OneByteReader(strings.NewReader(long[:size/4])),
			} {
				if _, err := page.Read(body, page.Options{MaxLinks: 1000}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
