package htmltoken_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/robotsexclusion/robots/internal/html/htmltoken"
	"github.com/robotsexclusion/robots/internal/html/slowtoken"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// A pageToken is a token of a page.
type pageToken struct {
	Kind       string // text, start, end or comment
	Raw        string
	Name       string      // of a start tag
	Data       string      // of a text: decoded
	Attributes [][2]string // of a start tag: all, with names in lower case
	Part       bool        // the next token is the piece after it
	Joined     bool        // of several texts
	Offset     int64       // of its first byte
	Line       int         // of its first byte
	Column     int         // of its first byte
}

var kinds = [...]string{htmltoken.Text: "text", htmltoken.StartTag: "start", htmltoken.EndTag: "end",
	htmltoken.Comment: "comment", htmltoken.CDATA: "cdata"}

// tokens cuts a page into tokens of at most limit bytes. room is the initial size of the buffer.
func tokens(r io.Reader, limit, room int) (all []pageToken) {
	z := htmltoken.NewReader(r, make([]byte, 0, room), limit)
	for {
		kind := z.Next()
		if kind == htmltoken.None {
			return all
		}
		t := pageToken{Kind: kinds[kind], Raw: string(z.Raw())}
		t.Offset, t.Line, t.Column = z.Position()
		switch kind {
		case htmltoken.StartTag:
			t.Name = nameOf(z.Name())
			t.Attributes = attributes(z.Raw())
		case htmltoken.Text:
			t.Data = htmltoken.DecodeText(z.Raw(), z.Verbatim())
		case htmltoken.Comment:
			t.Part = z.Continues()
		}
		all = append(all, t)
	}
}

// attributes returns the attributes of a start tag, with names in lower case.
func attributes(tag []byte) (all [][2]string) {
	var room []byte
	for r := htmltoken.AttributesOf(tag); ; {
		name, value, ok := r.Next()
		if !ok {
			return all
		}
		value, room = htmltoken.Value(value, room)
		all = append(all, [2]string{nameOf(name), string(value)})
	}
}

// nameOf returns a name as browsers read it. Relevant names have no NUL.
func nameOf(text []byte) string {
	return strings.ReplaceAll(htmltoken.Lower(string(text)), "\x00", "\uFFFD")
}

// slowTokens cuts a page into tokens. Consecutive texts are one token.
func slowTokens(data []byte) (all []pageToken) {
	line, column, cr := 1, 1, false
	offset := 0
	for z := slowtoken.New(data); ; {
		token, raw := z.Next()
		t := pageToken{Raw: raw, Offset: int64(offset), Line: line, Column: column}
		switch token.Type {
		case html.ErrorToken:
			return all
		case html.TextToken:
			t.Kind, t.Data = "text", token.Data
		case html.EndTagToken:
			t.Kind = "end"
		case html.CommentToken, html.DoctypeToken:
			t.Kind = "comment"
		case html.StartTagToken, html.SelfClosingTagToken:
			t.Kind = "start"
			t.Name = token.Data
			for _, a := range token.Attr {
				t.Attributes = append(t.Attributes, [2]string{a.Key, a.Val})
			}
		}
		offset += len(t.Raw)
		for _, c := range []byte(t.Raw) {
			if c == '\r' || c == '\n' && !cr {
				line++
			}
			if column++; c == '\r' || c == '\n' {
				column = 1
			}
			cr = c == '\r'
		}
		all = appendToken(all, t)
	}
}

// appendToken adds a token, or joins it with the last token if it is the next piece of that token.
func appendToken(all []pageToken, t pageToken) []pageToken {
	if n := len(all); n > 0 && (all[n-1].Part || all[n-1].Kind == "text" && t.Kind == "text") {
		all[n-1].Raw += t.Raw
		all[n-1].Part, all[n-1].Joined = t.Part, true
		return all
	}
	return append(all, t)
}

// firstOfName returns the first attribute of each name.
func firstOfName(all [][2]string) (first [][2]string) {
	for _, a := range all {
		same := func(b [2]string) bool { return a[0] == b[0] }
		if !slices.ContainsFunc(first, same) {
			first = append(first, a)
		}
	}
	return first
}

// chunks is a reader that returns a limited number of bytes at once.
type chunks struct {
	data []byte
	n    int
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p, c.data[:min(c.n, len(c.data))])
	c.data = c.data[n:]
	return n, nil
}

// compareTokens compares the tokenizer with its slow twin. The tokenizer reads chunk bytes at once,
// and keeps at most limit bytes of a token.
func compareTokens(t *testing.T, data []byte, limit, chunk, room int) {
	t.Helper()
	want := slowTokens(data)
	var got []pageToken
	for _, token := range tokens(&chunks{data, chunk}, limit, room) {
		if len(token.Raw) > limit {
			t.Errorf("a token of %d bytes, where %d is the limit", len(token.Raw), limit)
		}
		got = appendToken(got, token)
	}
	if len(got) != len(want) {
		t.Fatalf("%q: %d tokens, want %d:\n%+v\n%+v", data, len(got), len(want), got, want)
	}
	for i, g := range got {
		w := want[i]
		if len(w.Raw) >= limit && (w.Kind == "start" || w.Kind == "end") {
			compareLong(t, g, w)
			continue
		}
		if g.Kind != w.Kind || g.Raw != w.Raw || g.Name != w.Name || g.Offset != w.Offset || g.Line != w.Line ||
			g.Column != w.Column {
			t.Errorf("%q: token %d is\n%+v, want\n%+v", data, i, g, w)
		}
		if g.Data != w.Data && !g.Joined && !w.Joined {
			t.Errorf("%q: the text is %q, want %q", g.Raw, g.Data, w.Data)
		}
		if a := firstOfName(g.Attributes); !slices.Equal(a, firstOfName(w.Attributes)) {
			t.Errorf("%q: attributes %q, want %q", g.Raw, a, w.Attributes)
		}
	}
}

// compareLong compares a tag that is longer than the limit. The tokenizer keeps the name of such a
// tag, unless the name is long, and the last part of the tag.
func compareLong(t *testing.T, got, want pageToken) {
	t.Helper()
	if got.Kind != want.Kind {
		t.Errorf("%q: a tag is of kind %s, want %s", want.Raw, got.Kind, want.Kind)
	}
	const prefix = 21 // maximum bytes, with a name of 15
	if tail := got.Raw[min(prefix, len(got.Raw)):]; !strings.HasSuffix(want.Raw, tail) {
		t.Errorf("%q: a tag ends with %q", want.Raw, tail)
	}
	if got.Kind != "start" {
		return
	}
	if len(want.Name) < 16 && got.Name != want.Name {
		t.Errorf("%q: a tag has the name %q", want.Raw, got.Name)
	}
	// The first attribute may be the rest of an attribute.
	all, last := attributes([]byte(want.Raw)), got.Attributes
	if len(last) > 0 {
		last = last[1:]
	}
	if len(last) > len(all) || !slices.Equal(all[len(all)-len(last):], last) {
		t.Errorf("%q: a tag has the attributes %q", want.Raw, got.Attributes)
	}
}

// fragments are parts of pages, many of them hard to read.
var fragments = []string{
	"<", ">", "</", "<!", "<!-", "<!--", "-->", "--!>", "--!", "--", "-", "!", "<?", "/>", "/", "=", "\"", "'",
	" ", "\n", "\r", "\r\n", "\t", "\f", "\x00", "a", "x", "words of a text ",
	"&", "&amp;", "&copy", "&copy;", "&copy=", "&copyx", "&ampx;", "&#65;", "&#x41", "&#", "&notin;", "&fjlig;",
	"&semi;", ";",
	"<a href=", "<a href=\"/x\"", "<A HREF='y' rel=\"nofollow ugc\">", "<a x=1 href href=z>", "<area href=q />",
	"<base href=/b/>",
	"<div data-nosnippet>", "</div>", "<p>", "</p>", "</ x>", "</>", "<!doctype html>", "<!DOC", "<img src=i alt='>'>",
	"<a =b==c/d=/>",
	"<script>", "</script>", "<SCRIPT ", "</sCript ", "<script", "</scrip", "<!--<script>", "<!-- <script >", "<!-->",
	"<!--->",
	"<style>", "</style>", "<title>", "</title>", "</title ", "</titl", "<textarea>", "</textarea>", "<xmp>", "</xmp>",
	"<iframe src=f>", "</iframe>", "<noembed>", "</noembed>", "<noframes>", "</noframes>", "<noscript>", "</noscript>",
	"<plaintext>",
	"<meta name=robots content=", "<meta name=\"robots\" content=\"noindex, nofollow\">", "<meta charset=euc-kr>",
	"<link rel=canonical href=/c>",
	"\xc7\xd1", "\x81", "\u00e9", "<x-long-name-of-an-element ",
	" title=\"a long attribute, which takes more octets than the limit\"",
	" title='a long attribute, which takes more octets than the limit'",
	"                                                                ",
}

// TestTokenizer compares the tokens of pages made of fragments.
func TestTokenizer(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		var b bytes.Buffer
		for range 1 + r.IntN(30) {
			b.WriteString(fragments[r.IntN(len(fragments))])
		}
		compareTokens(t, b.Bytes(), htmltoken.MinLimit+r.IntN(100), 1+r.IntN(50), 1+r.IntN(100))
		compareTokens(t, b.Bytes(), 1<<16, 1+r.IntN(50), 1+r.IntN(100))
		if t.Failed() {
			break
		}
	}
}

// TestTokenizerCorpus compares the tokens of real pages.
func TestTokenizerCorpus(t *testing.T) {
	for _, p := range corpus.Pages(t, 10) {
		compareTokens(t, p.Data, 1<<16, 1<<16, 1<<12)
		compareTokens(t, p.Data, 200, 1000, 100)
	}
}

// FuzzTokenizer compares the tokenizer with its slow twin on any page, with any limit and any
// reader.
func FuzzTokenizer(f *testing.F) {
	for i, s := range fragments {
		f.Add([]byte(s+fragments[(i+7)%len(fragments)]+fragments[(i+29)%len(fragments)]), uint16(i), uint8(i), uint8(i))
	}
	f.Fuzz(func(t *testing.T, data []byte, limit uint16, chunk, room uint8) {
		if len(data) > 32<<10 {
			return
		}
		compareTokens(t, data, htmltoken.MinLimit+int(limit), 1+int(chunk), 1+int(room))
	})
}

// TestSelfCloses distinguishes the slash of a tag from the slash of a value.
func TestSelfCloses(t *testing.T) {
	for _, test := range []struct {
		tag  string
		want bool
	}{
		{"<svg/>", true}, {"<svg>", false}, {"<svg />", true}, {"<svg / >", false}, {"<a x/>", true},
		{"<a x=/>", false},
		{"<a x=y/>", false}, {"<a x=y />", true}, {`<a x="y"/>`, true}, {`<a x="/">`, false}, {"<a x='/'/>", true},
		{"<a =/>", true}, {"<a x=y/ />", true},
	} {
		z := htmltoken.New([]byte(test.tag))
		if kind, got := z.Next(), z.SelfCloses(); kind != htmltoken.StartTag || got != test.want {
			t.Errorf("%s: %t, want %t", test.tag, got, test.want)
		}
	}
}
