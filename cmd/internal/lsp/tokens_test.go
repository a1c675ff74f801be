package lsp

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/lint"
)

// A slowToken is a semantic token with its place.
type slowToken struct {
	Line, Start, End int
	Type             string
	Modifiers        string
}

// decoded returns the tokens of an answer. It checks that they are in order, in the text, and that
// none is empty.
func decoded(t *testing.T, d *document, data []uint32) (all []slowToken) {
	t.Helper()
	if len(data)%5 != 0 {
		t.Fatalf("%d numbers", len(data))
	}
	line, start, end := 0, 0, 0
	limit := d.text.lineSpan(0).End.Character
	for n := range slices.Chunk(data, 5) {
		if n[0] > 0 {
			start, end = 0, 0
		}
		line, start = line+int(n[0]), start+int(n[1])
		if n[0] > 0 && line < d.text.lines() {
			limit = d.text.lineSpan(line).End.Character
		}
		if start < end || n[2] == 0 || line >= d.text.lines() || start+int(n[2]) > limit {
			t.Fatalf("%v %q: token %v at %d:%d", d.text.encoding, d.text.content, n, line, start)
		}
		end = start + int(n[2])
		var modifiers []string
		for i, m := range tokenModifiers {
			if n[4]&(1<<i) != 0 {
				modifiers = append(modifiers, m)
			}
		}
		all = append(all, slowToken{line, start, end, tokenTypes[n[3]], strings.Join(modifiers, " ")})
	}
	return all
}

// slowTokenLine has the parts of a line: the field, the value, the comment.
var slowTokenLine = regexp.MustCompile(`(?s)^(?:\x{FEFF})?([ \t]*)(.*?)([ \t]*:[ \t]*)([^#]*?)([ \t]*)(#.*)?$`)

// slowParts are regular expressions for the types of the bytes of values: of a path and of a
// number.
var (
	slowPath   = regexp.MustCompile(`(?s)(?P<operator>\*|\$$)|(?P<number>%[0-9A-Fa-f]{2})|(?P<none>%)|(?P<string>(?:[^*%$]|\$)+?)`)
	slowNumber = regexp.MustCompile(`(?s)(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<string>[^0-9]+)`)
	slowRecord = regexp.MustCompile(`(?s)(?P<string>.+)`)
	slowAgent  = regexp.MustCompile(`(?s)^(?:(?P<enumMember>\*)$|(?P<type>[^/ \t]+))|(?P<string>.+)$`)
)

// slowTypes returns the type of each byte of a document, in the plainest form; "" is none.
func slowTypes(d *document) []string {
	types := make([]string, len(d.text.content))
	paint := func(from int, s, t string) {
		for i := range len(s) {
			types[from+i] = t
		}
	}
	for _, l := range d.policy().Lines() {
		line := strings.TrimRight(l.Text, "\r\n")
		switch l.Kind {
		case robots.Blank:
			continue
		case robots.Comment, robots.Malformed:
			whole := strings.TrimPrefix(line, map[bool]string{true: byteOrderMark}[l.Offset == 0])
			paint(l.Offset+len(line)-len(strings.TrimLeft(whole, " \t")), strings.Trim(whole, " \t"), "comment")
			continue
		}
		m := slowTokenLine.FindStringSubmatchIndex(line)
		part := func(i int) (int, string) {
			if m[2*i] < 0 {
				return 0, ""
			}
			return l.Offset + m[2*i], line[m[2*i]:m[2*i+1]]
		}
		at, field := part(2)
		known, ok := robots.FieldNamed(field)
		paint(at, field, map[bool]string{true: "keyword", false: "variable"}[ok])
		comment, text := part(6)
		paint(comment, strings.TrimRight(text, " \t"), "comment")
		value := slowRecord
		switch {
		case l.Kind == robots.UserAgent:
			value = slowAgent
		case l.Kind != robots.Other:
			value = slowPath
		case !ok:
			continue
		case regexp.MustCompile(`^[0-9]`).MatchString(known.Example):
			value = slowNumber
		}
		at, text = part(4)
		for _, found := range value.FindAllStringSubmatchIndex(text, -1) {
			for i, name := range value.SubexpNames() {
				if i > 0 && found[2*i] >= 0 && name != "none" {
					paint(at+found[2*i], text[found[2*i]:found[2*i+1]], name)
				}
			}
		}
	}
	return types
}

// askTokens compares the tokens of a document with the twin, byte by byte, and those of each range
// of lines with those of the document.
func askTokens(t *testing.T, d *document) {
	t.Helper()
	all := decoded(t, d, tokensOf(d, 0, d.text.lines()))
	got := make([]string, len(d.text.content))
	twin := newSlowText(d.text.content, d.text.encoding)
	for _, token := range all {
		start, end := twin.offset(position{token.Line, token.Start}), twin.offset(position{token.Line, token.End})
		for i := start; i < end; i++ {
			got[i] = token.Type
		}
	}
	if want := slowTypes(d); !slices.Equal(got, want) {
		t.Fatalf("%v %q:\n got %q\nwant %q", d.text.encoding, d.text.content, got, want)
	}
	for first := range min(d.text.lines(), 5) {
		last := first + 2
		want := slices.DeleteFunc(slices.Clone(all), func(s slowToken) bool { return s.Line < first || s.Line > last })
		if got := decoded(t, d, tokensOf(d, first, last)); !slices.Equal(got, want) {
			t.Fatalf("%q: lines %d to %d: got %v, want %v", d.text.content, first, last, got, want)
		}
	}
}

// Tokens at positions of all encodings.
func TestTokens(t *testing.T) {
	table, err := agent.ParseTable([]byte(`{"robots": [{"token": "ExampleBot", "operator": "Example"}]}`))
	fatal.If(t, err)
	const text = "\uFEFFUser-agent: examplebot/2 # \U0001F916\r\nuser-agent:\u00e9x\rDisallow: /\U0001F916*\xff%2f$ # x\n" +
		"Noindex: /\u00e9 \nDisalow: /\nnot a record # x\nCrawl-delay: 2.5 s\n"
	want := map[encoding]string{
		utf16Units: "0:1-11 keyword, 0:13-23 type defaultLibrary, 0:23-25 string, 0:26-30 comment, 1:0-10 keyword, 1:11-13 type, " +
			"2:0-8 keyword, 2:10-13 string, 2:13-14 operator, 2:14-15 string, 2:15-18 number, 2:18-19 operator, 2:20-23 comment, " +
			"3:0-7 keyword deprecated, 3:9-11 string, 4:0-7 variable, 5:0-16 comment, 6:0-11 keyword, 6:13-16 number, 6:16-18 string",
		utf8Bytes: "0:3-13 keyword, 0:15-25 type defaultLibrary, 0:25-27 string, 0:28-34 comment, 1:0-10 keyword, 1:11-14 type, " +
			"2:0-8 keyword, 2:10-15 string, 2:15-16 operator, 2:16-17 string, 2:17-20 number, 2:20-21 operator, 2:22-25 comment, " +
			"3:0-7 keyword deprecated, 3:9-12 string, 4:0-7 variable, 5:0-16 comment, 6:0-11 keyword, 6:13-16 number, 6:16-18 string",
		utf32Characters: "0:1-11 keyword, 0:13-23 type defaultLibrary, 0:23-25 string, 0:26-29 comment, 1:0-10 keyword, 1:11-13 type, " +
			"2:0-8 keyword, 2:10-12 string, 2:12-13 operator, 2:13-14 string, 2:14-17 number, 2:17-18 operator, 2:19-22 comment, " +
			"3:0-7 keyword deprecated, 3:9-11 string, 4:0-7 variable, 5:0-16 comment, 6:0-11 keyword, 6:13-16 number, 6:16-18 string",
	}
	for _, e := range allEncodings {
		d := testDocument(text, e, lint.Options{Robots: table})
		var got []string
		for _, token := range decoded(t, d, tokensOf(d, 0, 9)) {
			got = append(got, strings.TrimSpace(fmt.Sprintf("%d:%d-%d %s %s", token.Line, token.Start, token.End,
				token.Type, token.Modifiers)))
		}
		if got := strings.Join(got, ", "); got != want[e] {
			t.Errorf("%v\n got %s\nwant %s", e, got, want[e])
		}
	}
}

// A document has no more than maxTokens tokens.
func TestManyTokens(t *testing.T) {
	wild := testDocument("User-agent: *\nDisallow: /"+strings.Repeat("*a", maxTokens)+"\nAllow: /", utf16Units,
		lint.Options{})
	if got := len(decoded(t, wild, tokensOf(wild, 0, 9))); got != maxTokens {
		t.Errorf("%d tokens, want %d", got, maxTokens)
	}
}

// largeText is as long as robots read, with names, wildcards and comments.
func largeText() string {
	var b strings.Builder
	for n := 0; b.Len() < 500<<10; n++ {
		fmt.Fprintf(&b,
			"User-agent: bot%d/1.0\nDisallow: /caf\u00e9/*.pdf$ # %d\nAllow: /some/path/to/a/page%d.html\nCrawl-delay: 2.5\n\n", n, n, n)
	}
	return b.String()
}

// The cost of tokens beside that of reading the file.
func BenchmarkTokens(b *testing.B) {
	text := largeText()
	d := testDocument(text, utf16Units, lint.Options{})
	d.policy()
	b.Run("parse", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			robots.Parse([]byte(text))
		}
	})
	b.Run("tokens", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			tokensOf(d, 0, d.text.lines())
		}
	})
}

// The edits of tokens, applied as a client does, give the tokens of the new text.
func TestTokenEdits(t *testing.T) {
	const text = "User-agent: a\nDisallow: /b*c\n\nUser-agent: d\nAllow: /e\n"
	sent := new(sentTokens)
	before := testDocument(text, utf16Units, lint.Options{})
	before.sent = sent
	old := answer[semanticTokens](t, func(c *client, p documentParams) (any, error) { return allTokens(before, c, p) },
		nil, documentParams{})
	for i := range len(text) + 1 {
		for _, changed := range []string{text[:i] + "x" + text[i:], text[:i] + "\n" + text[i:], text[:i], text[i:],
			text} {
			d := testDocument(changed, utf16Units, lint.Options{})
			d.sent, d.serial = sent, before.serial+1
			delta := answer[semanticTokensDelta](t, func(c *client, p deltaParams) (any,
				error) {
				return changedTokens(d, c, p)
			}, nil, deltaParams{Previous: old.ResultID})
			got := slices.Clone(old.Data)
			for _, e := range delta.Edits {
				got = slices.Replace(got, e.Start, e.Start+e.Delete, e.Data...)
			}
			if want := tokensOf(d, 0, d.text.lines()); !slices.Equal(got, want) || delta.ResultID == old.ResultID ||
				changed == text && len(delta.Edits) > 0 {
				t.Fatalf("%q: %+v gives %v, want %v", changed, delta, got, want)
			}
			full := answer[semanticTokens](t, func(c *client, p deltaParams) (any, error) {
				return changedTokens(before,
					c, p)
			}, nil, deltaParams{Previous: old.ResultID})
			if !slices.Equal(full.Data, old.Data) {
				t.Fatalf("an outdated ID gives %v", full)
			}
		}
	}
}
