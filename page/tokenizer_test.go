package page_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/robotsexclusion/robots/page"
)

// A slowTokenizer cuts a page into tokens by package html, whose tokenizer looks at each
// byte by itself, and scripts by their states in the standard. Noscript has markup in it.
type slowTokenizer struct {
	*html.Tokenizer
	rest   []byte // what is after the last token
	script bool   // it is the text of a script
}

func newSlowTokenizer(data []byte) *slowTokenizer {
	return &slowTokenizer{Tokenizer: html.NewTokenizer(bytes.NewReader(data)), rest: data}
}

// next returns the next token, and how it stands in the page.
func (z *slowTokenizer) next() (token html.Token, raw string) {
	if z.script {
		z.script = false
		n := slowScript(z.rest)
		raw, z.rest = string(z.rest[:n]), z.rest[n:]
		z.Tokenizer = html.NewTokenizer(bytes.NewReader(z.rest))
		if n > 0 {
			return html.Token{Type: html.TextToken, Data: raw}, raw
		}
	}
	kind := z.Next()
	raw = string(z.Raw())
	if kind == html.ErrorToken {
		return html.Token{}, raw
	}
	token = z.Token()
	z.rest = z.rest[len(raw):]
	if kind == html.StartTagToken || kind == html.SelfClosingTagToken {
		z.script = token.Data == "script"
		if token.Data == "noscript" {
			z.NextIsNotRawText()
		}
	}
	return token, raw
}

// slowScript returns the length of the text of a script: it goes through the states of
// HTML, sections 13.2.5.4 and 13.2.5.15 to 13.2.5.31, a byte at a time. In the names of
// the states, "escaped" is what is after <!--, and "double escaped" what is after <script
// there.
func slowScript(data []byte) int {
	state, name := "script data", ""
	tag := 0 // where the last "<" is
	for i := 0; i < len(data); {
		c := data[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		ends := strings.IndexByte("\t\n\f\r />", c) >= 0 // a CR is an LF to the standard
		switch state {
		case "script data":
			if c == '<' {
				state, tag = "less-than sign", i
			}
		case "less-than sign":
			switch c {
			case '/':
				state = "end tag open"
			case '!':
				state = "escape start"
			default:
				state = "script data"
				continue
			}
		case "end tag open", "escaped end tag open":
			back := strings.TrimSuffix(state, " end tag open")
			if back == state {
				back = "script data"
			}
			if !letter {
				state = back
				continue
			}
			if name, state = "", "end tag name"; back == "escaped" {
				state = "escaped end tag name"
			}
			continue
		case "end tag name", "escaped end tag name":
			switch {
			case ends && name == "script":
				return tag
			case letter:
				name += string(c | 0x20)
			default:
				if state = strings.TrimSuffix(state, " end tag name"); state != "escaped" {
					state = "script data"
				}
				continue
			}
		case "escape start", "escape start dash":
			switch {
			case c != '-':
				state = "script data"
				continue
			case state == "escape start":
				state = "escape start dash"
			default:
				state = "escaped dash dash"
			}
		case "escaped", "escaped dash", "escaped dash dash", "double escaped", "double escaped dash", "double escaped dash dash":
			base := "escaped"
			if strings.HasPrefix(state, "double") {
				base = "double escaped"
			}
			switch {
			case c == '-' && state == base:
				state = base + " dash"
			case c == '-':
				state = base + " dash dash"
			case c == '<':
				state, tag = base+" less-than sign", i
			case c == '>' && state == base+" dash dash":
				state = "script data"
			default:
				state = base
			}
		case "escaped less-than sign":
			switch {
			case c == '/':
				state = "escaped end tag open"
			case letter:
				name, state = "", "double escape start"
				continue
			default:
				state = "escaped"
				continue
			}
		case "double escaped less-than sign":
			if c != '/' {
				state = "double escaped"
				continue
			}
			name, state = "", "double escape end"
		case "double escape start", "double escape end":
			in, out := "double escaped", "escaped"
			if state == "double escape end" {
				in, out = out, in
			}
			switch {
			case ends && name == "script":
				state = in
			case ends:
				state = out
			case letter:
				name += string(c | 0x20)
			default:
				state = out
				continue
			}
		}
		i++
	}
	return len(data)
}

// slowTokens cuts a page into tokens. Texts that follow one another are one.
func slowTokens(data []byte) (all []page.Token) {
	line, cr := 1, false
	offset := 0
	for z := newSlowTokenizer(data); ; {
		token, raw := z.next()
		t := page.Token{Raw: raw, Offset: int64(offset), Line: line}
		switch token.Type {
		case html.ErrorToken:
			return all
		case html.TextToken:
			t.Kind = "text"
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
			cr = c == '\r'
		}
		all = appendToken(all, t)
	}
}

// appendToken adds a token, or joins it with the one that it goes on with.
func appendToken(all []page.Token, t page.Token) []page.Token {
	if n := len(all); n > 0 && (all[n-1].Part || all[n-1].Kind == "text" && t.Kind == "text") {
		all[n-1].Raw += t.Raw
		all[n-1].Part = t.Part
		return all
	}
	return append(all, t)
}

// firstOfName leaves the first of the attributes of each name.
func firstOfName(all [][2]string) (first [][2]string) {
	for _, a := range all {
		same := func(b [2]string) bool { return a[0] == b[0] }
		if !slices.ContainsFunc(first, same) {
			first = append(first, a)
		}
	}
	return first
}

// chunks is a reader that gives so many bytes at once.
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

// compareTokens holds the tokenizer to its slow twin. It is given so many bytes at once,
// and holds no more of a token than limit.
func compareTokens(t *testing.T, data []byte, limit, chunk, room int) {
	t.Helper()
	want := slowTokens(data)
	var got []page.Token
	for _, token := range page.Tokens(&chunks{data, chunk}, limit, room) {
		if len(token.Raw) > limit {
			t.Errorf("a token of %d octets, where %d is the limit", len(token.Raw), limit)
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
		if g.Kind != w.Kind || g.Raw != w.Raw || g.Name != w.Name || g.Offset != w.Offset || g.Line != w.Line {
			t.Errorf("%q: token %d is\n%+v, want\n%+v", data, i, g, w)
		}
		if a := firstOfName(g.Attributes); !slices.Equal(a, firstOfName(w.Attributes)) {
			t.Errorf("%q: attributes %q, want %q", g.Raw, a, w.Attributes)
		}
	}
}

// compareLong compares a tag that is longer than the limit, of which there is its name,
// if it is no long one, and its last part.
func compareLong(t *testing.T, got, want page.Token) {
	t.Helper()
	if got.Kind != want.Kind {
		t.Errorf("%q: a tag is of kind %s, want %s", want.Raw, got.Kind, want.Kind)
	}
	const prefix = 21 // bytes at most, with a name of 15
	if tail := got.Raw[min(prefix, len(got.Raw)):]; !strings.HasSuffix(want.Raw, tail) {
		t.Errorf("%q: a tag ends with %q", want.Raw, tail)
	}
	if got.Kind != "start" {
		return
	}
	if len(want.Name) < 16 && got.Name != want.Name {
		t.Errorf("%q: a tag has the name %q", want.Raw, got.Name)
	}
	// The first attribute may be the rest of one.
	all, last := page.Attributes([]byte(want.Raw)), got.Attributes
	if len(last) > 0 {
		last = last[1:]
	}
	if len(last) > len(all) || !slices.Equal(all[len(all)-len(last):], last) {
		t.Errorf("%q: a tag has the attributes %q", want.Raw, got.Attributes)
	}
}

// fragments are what pages are made of, and what makes them hard.
var fragments = []string{
	"<", ">", "</", "<!", "<!-", "<!--", "-->", "--!>", "--!", "--", "-", "!", "<?", "/>", "/", "=", "\"", "'",
	" ", "\n", "\r", "\r\n", "\t", "\f", "\x00", "a", "x", "words of a text ",
	"&", "&amp;", "&copy", "&copy;", "&copy=", "&copyx", "&ampx;", "&#65;", "&#x41", "&#", "&notin;", "&fjlig;", "&semi;", ";",
	"<a href=", "<a href=\"/x\"", "<A HREF='y' rel=\"nofollow ugc\">", "<a x=1 href href=z>", "<area href=q />", "<base href=/b/>",
	"<div data-nosnippet>", "</div>", "<p>", "</p>", "</ x>", "</>", "<!doctype html>", "<!DOC", "<img src=i alt='>'>", "<a =b==c/d=/>",
	"<script>", "</script>", "<SCRIPT ", "</sCript ", "<script", "</scrip", "<!--<script>", "<!-- <script >", "<!-->", "<!--->",
	"<style>", "</style>", "<title>", "</title>", "</title ", "</titl", "<textarea>", "</textarea>", "<xmp>", "</xmp>",
	"<iframe src=f>", "</iframe>", "<noembed>", "</noembed>", "<noframes>", "</noframes>", "<noscript>", "</noscript>", "<plaintext>",
	"<meta name=robots content=", "<meta name=\"robots\" content=\"noindex, nofollow\">", "<meta charset=euc-kr>", "<link rel=canonical href=/c>",
	"\xc7\xd1", "\x81", "\u00e9", "<x-long-name-of-an-element ", " title=\"a long attribute, which takes more octets than the limit\"",
	" title='a long attribute, which takes more octets than the limit'", "                                                                ",
}

// TestTokenizer compares on pages that are made of fragments.
func TestTokenizer(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		var b bytes.Buffer
		for range 1 + r.IntN(30) {
			b.WriteString(fragments[r.IntN(len(fragments))])
		}
		compareTokens(t, b.Bytes(), page.ShortestLimit+r.IntN(100), 1+r.IntN(50), 1+r.IntN(100))
		compareTokens(t, b.Bytes(), 1<<16, 1+r.IntN(50), 1+r.IntN(100))
		if t.Failed() {
			break
		}
	}
}

// TestTokenizerCorpus compares on real pages.
func TestTokenizerCorpus(t *testing.T) {
	for _, p := range corpusPages(t, sample) {
		compareTokens(t, p.Data, 1<<16, 1<<16, 1<<12)
		compareTokens(t, p.Data, 200, 1000, 100)
	}
}

// FuzzTokenizer holds the tokenizer to its slow twin on any page, with any limit and any
// reader.
func FuzzTokenizer(f *testing.F) {
	for i, s := range fragments {
		f.Add([]byte(s+fragments[(i+7)%len(fragments)]+fragments[(i+29)%len(fragments)]), uint16(i), uint8(i), uint8(i))
	}
	f.Fuzz(func(t *testing.T, data []byte, limit uint16, chunk, room uint8) {
		if len(data) > 32<<10 {
			return
		}
		compareTokens(t, data, page.ShortestLimit+int(limit), 1+int(chunk), 1+int(room))
	})
}
