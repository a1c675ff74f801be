package index_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/crawler/internal/index"
	robotspage "github.com/robotsexclusion/robots/page"
)

// written returns passages, one a line: the construct, "+" if the passage is joined to
// the one before, "-" if it may not be shown, and the text.
func written(c *index.Content) string {
	var b strings.Builder
	for _, p := range c.Passages {
		b.WriteString(p.Construct.String())
		if p.Construct >= index.Heading6 && p.Construct <= index.Heading1 {
			fmt.Fprint(&b, 1+int(index.Heading1-p.Construct))
		}
		if p.Joined {
			b.WriteByte('+')
		}
		if p.NoSnippet {
			b.WriteByte('-')
		}
		fmt.Fprintf(&b, " %s\n", strings.Join(strings.Fields(p.Text), " "))
	}
	return b.String()
}

func extract(t testing.TB, text string, src index.Source) *index.Content {
	t.Helper()
	c, err := index.Extract(strings.NewReader(text), src)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestExtract(t *testing.T) {
	for _, test := range []struct{ name, html, want string }{
		{"empty", "", ""},
		{"text", "just text", "text just text\n"},
		{"white space", "<p>\n a  \t b&nbsp;c<br>d\n</p>", "text a b c d\n"},
		{"blocks", "<p>one<p>two<div>three</div>four", "text one\ntext two\ntext three\ntext four\n"},
		{"headings", "<h1>A</h1><h2>B <i>b</i></h2>c<h6>D</h6>", "heading1 A\nheading2 B b\ntext c\nheading6 D\n"},
		{"a heading that another tag ends", "<h1>A</h2>b", "heading1 A\ntext b\n"},
		{"a heading that nothing ends", "<h1>" + strings.Repeat("a ", 600) + "<p>b", "heading1 " +
			strings.Repeat("a ", 599) + "a\ntext b\n"},
		{"emphasis", "a <b>b</b> c <em>d</em>", "text a\nemphasis+ b\ntext+ c\nemphasis+ d\n"},
		{"emphasis in a word", "ro<b>bot</b>s go", "text robots go\n"},
		{"emphasis that nothing ends", "<p>a <b>b<p>c<p>d", "text a\nemphasis+ b\ntext c\ntext d\n"},
		{"a table", "<table><caption>a<tr><th>b<td>c</table>", "emphasis a\nemphasis b\ntext c\n"},
		{"pictures", `a<img alt="b &amp; c">d<img src=x><map><area alt=e></map>`,
			"text a\npicture+ b & c\ntext+ d\npicture e\n"},
		{"what is no text",
			"a<script>b</script><style>c</style><template>d<p>e</template><noscript>f</noscript><!-- g -->h",
			"text ah\n"},
		{"forms", "a<select><option>b</select><textarea>c</textarea><button>d</button><label>e</label>",
			"text a\ntext e\n"},
		{"pictures in markup", "<svg><title>a</title><text>b</text></svg>c", "text c\n"},
		{"menus", `<nav>a<nav>b</nav>c</nav>d<div role="Navigation">e<div>f</div>g</div>h`, "text d\ntext h\n"},
		{"hidden",
			`a<div hidden>b</div><span style="color:red; Display : NONE">c</span><div aria-hidden=true>d</div><p hidden>e`, "text a\ntext e\n"},
		{"not to be shown",
			`a<span data-nosnippet>b<span>c</span>d</span>e<div data-nosnippet><h1>f</h1><img alt=g></div>h`,
			"text a\ntext+- bcd\ntext e\nheading1- f\npicture- g\ntext h\n"},
		{"not to be shown, to the end", `a<div data-nosnippet>b</span><p>c`, "text a\ntext- b\ntext- c\n"},
		{"not to be shown on other elements", `<p data-nosnippet>a`, "text a\n"},
		{"not to be shown within what is hidden",
			`<div data-nosnippet hidden>a</div>b<div hidden><div data-nosnippet>c</div>d</div>e`, "text b\ntext e\n"},
		{"title", "<title> A \n b</title><svg><title>c</title></svg><title>d</title>e", "text e\n"},
		{"markup that is text", "<xmp><b>a</b></xmp><plaintext></plaintext><p>b",
			"text <b>a</b>\ntext </plaintext><p>b\n"},
		{"a tag that is cut off", "a<b", "text a\n"},
		{"a script in the comment of a script", "<script><!--<<script></script>a</script>b", "text b\n"},
		{"a section without references", "<math><mi>a &amp;</mi><![CDATA[b &amp;]]></math>",
			"text a &\ntext b &amp;\n"},
	} {
		if got := written(extract(t, test.html, index.Source{})); got != test.want {
			t.Errorf("%s:\n%s\ngot\n%swant\n%s", test.name, test.html, got, test.want)
		}
	}
	c := extract(t, "<html lang=es-MX><title> A \n b</title><svg><title>c</title></svg><title>d</title>",
		index.Source{Language: "en"})
	if c.Title != "A b" || c.Language != "es" || c.Cut {
		t.Errorf("got %+v", c)
	}
}

func TestExtractPlain(t *testing.T) {
	got := written(extract(t, "\uFEFFone\ntwo <b>\r\n\r\nthree\n\n \n", index.Source{Plain: true}))
	if want := "text one two <b>\ntext three\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestExtractCharset reads Russian and Spanish in old encodings: declared, detected,
// and declared wrongly.
func TestExtractCharset(t *testing.T) {
	for _, test := range []struct{ text, charset, want string }{
		{"<p>\xf0\xee\xe1\xee\xf2", "windows-1251", "text робот\n"},
		{"<p>\xd2\xcf\xc2\xcf\xd4", "koi8-r", "text робот\n"},
		{"<meta charset=windows-1251><p>\xf0\xee\xe1\xee\xf2", "", "text робот\n"},
		{"<p>pol\xedtica", "", "text política\n"},
		{"<p>política", "", "text política\n"},
		{"<p>política", "no such encoding", "text política\n"},
		{"\uFEFF<p>política", "windows-1251", "text política\n"},
		{"<\x00p\x00>\x00a\x00", "utf-16le", "text a\n"},
		{"<p>pol\xedtica", "utf-8", "text pol\uFFFDtica\n"},
	} {
		c := extract(t, test.text, index.Source{Charset: test.charset})
		for i := range c.Passages {
			c.Passages[i].Text = strings.ToValidUTF8(c.Passages[i].Text, "\uFFFD")
		}
		if got := written(c); got != test.want {
			t.Errorf("%q as %q: got %q, want %q", test.text, test.charset, got, test.want)
		}
	}
}

// TestExtractLimits exceeds each limit, and reads from readers that fail.
func TestExtractLimits(t *testing.T) {
	c := extract(t, "<p>"+strings.Repeat("слово ", 100), index.Source{MaxText: 100})
	if got := written(c); !c.Cut || len(c.Passages[0].Text) > 100 || !strings.HasSuffix(got, " слово\n") {
		t.Errorf("cut %t: %q", c.Cut, got)
	}
	c = extract(t, strings.Repeat("some words ", 100_000), index.Source{})
	if n := len(c.Passages[0].Text); !c.Cut || n > index.DefaultMaxText || n < index.DefaultMaxText-20 {
		t.Errorf("cut %t at %d", c.Cut, n)
	}
	if c = extract(t, strings.Repeat("x<p>", 100_000), index.Source{}); !c.Cut || len(c.Passages) > 20_000 {
		t.Errorf("cut %t, %d passages", c.Cut, len(c.Passages))
	}
	broken := errors.New("broken")
	c, err := index.Extract(strings.NewReader("a"), index.Source{})
	if err != nil || len(c.Passages) != 1 {
		t.Errorf("%v", err)
	}
	c, err = index.Extract(iotest.DataErrReader(iotest.TimeoutReader(strings.NewReader("<p>a"))), index.Source{})
	if err == nil && c == nil {
		t.Error("nothing")
	}
	c, err = index.Extract(iotest.ErrReader(broken), index.Source{})
	if !errors.Is(err, broken) || c == nil {
		t.Errorf("got %v, %v", c, err)
	}
}

// TestExtractHostile reads pages made to be slow: with more than linear time, each
// would take hours.
func TestExtractHostile(t *testing.T) {
	const n = 1 << 20
	for _, unit := range []string{
		"<", "<a", "<a ", "</", "<!", "<!--", "<!-- --", "&", "&#", "<b>", "<div>", "<div hidden>",
		"<span data-nosnippet>", "</span>",
		"<h1>", "<h1", "a<b></b>", "<script>", "<script><!--", "<title>", "<svg><title>", "<nav>", "<template>",
		"<textarea>", "<plaintext>",
		"<img alt=a>", "<img alt='", "\x00", "\r", " ", "<p>", "<table>", "<![CDATA[", "<?", "a", "я", "로", "\xff",
		"<a b=c ", "<html lang=e>",
	} {
		text := strings.Repeat(unit, n/len(unit))
		for _, text := range []string{text, "<div data-nosnippet>" + text} {
			c := extract(t, text, index.Source{})
			size := 0
			for _, p := range c.Passages {
				size += len(p.Text)
			}
			if size > 2*index.DefaultMaxText {
				t.Errorf("%q: %d bytes of text", unit, size)
			}
		}
	}
}

// FuzzExtract compares the passages that may be shown with the sections that package
// page finds: words that occur only in such a section must never be shown.
func FuzzExtract(f *testing.F) {
	for _, seed := range []string{
		`<p>a<span data-nosnippet>secret</span>b`,
		`<div data-nosnippet><div>secret</div>secret</div>open`,
		`<section data-nosnippet><script></section></script>secret`,
		`<h1>a<div data-nosnippet>secret<h2>secret`,
		`<span data-nosnippet/>secret<svg><span></svg>`,
		`<template><div data-nosnippet></template>open`,
		`<div hidden><div data-nosnippet>secret</div></div>x`,
		`<nav><span data-nosnippet></nav>secret</span>`,
		`<noscript><div data-nosnippet></noscript>secret`,
		"<p>\xf0\xee\xe1\xee\xf2 <textarea><div data-nosnippet></textarea>",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 64<<10 {
			return
		}
		c := extract(t, text, index.Source{Charset: "utf-8"})
		p := index.NewPage("https://example.com/", nil, nil, c)
		if p.NoIndex || p.NoSnippet {
			t.Fatal("a page that says nothing is closed")
		}
		doc, err := robotspage.Read(strings.NewReader(text), robotspage.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if doc.Cut != 0 || doc.Charset.Found == "bom" || !utf8.ValidString(text) {
			return // offsets do not hold, or some sections are unknown
		}
		// The text outside the sections, with its markup.
		var outside strings.Builder
		at := 0
		for _, s := range doc.NoSnippet {
			outside.WriteString(text[at:s.Offset])
			outside.WriteString(" ")
			at = int(s.End)
		}
		outside.WriteString(text[at:])
		if strings.Contains(text, "&") || strings.ContainsAny(text, "\x00\r") {
			return // words are not as written
		}
		runes := make(map[rune]bool)
		for _, r := range outside.String() {
			runes[r] = true
		}
		for _, passage := range c.Passages {
			if passage.NoSnippet {
				continue
			}
			for _, r := range passage.Text {
				if !runes[r] && r != ' ' {
					t.Fatalf("%q is shown of %q, and is in a section that may not be", r, text)
				}
			}
		}
	})
}

// TestSections makes pages, mostly invalid ones, of tags and of words that occur once.
// A word may be shown exactly if it is not in a section found by package page, which
// searches in its own way.
func TestSections(t *testing.T) {
	tags := strings.Fields("<div> <div/> </div> <span> </span> <section> </section> <p> </p> <b> </b> <nav> </nav> <h1> </h1> <svg> </svg> <table> <td> </table> <noscript> </noscript> <button> </button> <!--x--> </ </x>")
	tags = append(tags, "<div data-nosnippet>", "<span data-nosnippet=''>", "<section class=x data-nosnippet >",
		"<div hidden>", "<div hidden data-nosnippet>", "<div data-nosnippet/>",
		"<script>x</div></script>", "<style></span></style>", "<textarea></div></textarea>", "<title></div></title>",
		"<template><div></template>", "<img alt='</div>'>", "<a title='<div data-nosnippet>'>")
	random := rand.New(rand.NewPCG(5, 6))
	shown, kept := 0, 0
	for range 5000 {
		var text strings.Builder
		at := make(map[string]int)
		for i := range random.IntN(25) {
			text.WriteString(tags[random.IntN(len(tags))])
			word := fmt.Sprintf(" word%d ", i)
			at[strings.TrimSpace(word)] = text.Len()
			text.WriteString(word)
		}
		doc, err := robotspage.Read(strings.NewReader(text.String()), robotspage.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range extract(t, text.String(), index.Source{Charset: "utf-8"}).Passages {
			for word := range strings.FieldsSeq(p.Text) {
				offset, ok := at[word]
				if !ok {
					continue // it is in an attribute
				}
				in := slices.ContainsFunc(doc.NoSnippet,
					func(s robotspage.Section) bool { return s.Offset <= int64(offset) && int64(offset) < s.End })
				if p.NoSnippet != in {
					t.Fatalf("%s in %s: kept back %t, want %t", word, &text, p.NoSnippet, in)
				}
				if in {
					kept++
				} else {
					shown++
				}
			}
		}
	}
	if shown < 1000 || kept < 1000 {
		t.Errorf("%d words are shown and %d are not: the pages are too few", shown, kept)
	}
}
