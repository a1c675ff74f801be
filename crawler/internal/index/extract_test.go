package index_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
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

func extract(text string, src index.Source) *index.Content { return index.Extract([]byte(text), src) }

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
		{"what is not a text",
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
		{"a drawing that a tag ends", "<svg><g>in<p>after", "text after\n"},
		{"drawings in a drawing", "<svg><svg/><svg></svg><g>in</g></svg>after<svg/>", "text after\n"},
		{"titles and scripts of a drawing", "<svg><title/><style/><script href=x /></svg><p>after", "text after\n"},
		{"a section in a drawing", "<svg><![CDATA[ > in ]]></svg>after", "text after\n"},
		{"markup in a drawing", "<svg><foreignObject><p>in</p></foreignObject>in</svg>after", "text after\n"},
		{"a formula", "<math><style/><title/><mi>x</mi></math>after", "text x\ntext after\n"},
		{"markup that is text", "<xmp><b>a</b></xmp><plaintext></plaintext><p>b",
			"text <b>a</b>\ntext </plaintext><p>b\n"},
		{"a tag that is cut off", "a<b", "text a\n"},
		{"a script in the comment of a script", "<script><!--<<script></script>a</script>b", "text b\n"},
		{"a section without references", "<math><mi>a &amp;</mi><![CDATA[b &amp;]]></math>",
			"text a &\ntext b &amp;\n"},
	} {
		if got := written(extract(test.html, index.Source{})); got != test.want {
			t.Errorf("%s:\n%s\ngot\n%swant\n%s", test.name, test.html, got, test.want)
		}
	}
	c := extract("<html lang=es-MX><title> A \n b</title><svg><title>c</title></svg><title>d</title>",
		index.Source{Language: "en"})
	if c.Title != "A b" || c.Language != "es" {
		t.Errorf("got %+v", c)
	}
}

func TestExtractPlain(t *testing.T) {
	got := written(extract("\uFEFFone\ntwo <b>\r\n\r\nthree\n\n \n", index.Source{Plain: true}))
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
		c := extract(test.text, index.Source{Charset: test.charset})
		for i := range c.Passages {
			c.Passages[i].Text = strings.ToValidUTF8(c.Passages[i].Text, "\uFFFD")
		}
		if got := written(c); got != test.want {
			t.Errorf("%q as %q: got %q, want %q", test.text, test.charset, got, test.want)
		}
	}
}

const mostText = 64 << 10 // bytes of a page

// TestExtractLimits exceeds each limit.
func TestExtractLimits(t *testing.T) {
	for _, unit := range []string{"some words ", "слово ", "x<p>"} {
		passages := extract(strings.Repeat(unit, 100_000), index.Source{}).Passages
		size := 0
		for _, p := range passages {
			size += len(p.Text)
		}
		if size > mostText || len(passages) > 20_000 || unit != "x<p>" && size < mostText-20 {
			t.Errorf("%q: %d bytes in %d passages", unit, size, len(passages))
		}
		text := passages[0].Text
		if last := text[strings.LastIndexByte(text, ' ')+1:]; !strings.Contains("words some слово x", last) {
			t.Errorf("%q: the last word is %q", unit, last)
		}
	}
}

// TestExtractHostile reads pages made to be slow: with more than linear time, each
// would take hours.
func TestExtractHostile(t *testing.T) {
	corpus.Unraced(t)
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
			c := extract(text, index.Source{})
			size := 0
			for _, p := range c.Passages {
				size += len(p.Text)
			}
			if size > 2*mostText {
				t.Errorf("%q: %d bytes of text", unit, size)
			}
		}
	}
}

// FuzzExtract compares the passages that may be shown with the sections that package page
// finds in its own way: a character that occurs only in such a section must never be shown,
// and one that occurs only outside need not be kept back.
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
		if len(text) < 64<<10 {
			compareSections(t, text)
		}
	})
}

// compareSections returns how many characters of a page are shown, and how many are kept
// back.
func compareSections(t *testing.T, text string) (shown, kept int) {
	c := extract(text, index.Source{Charset: "utf-8"})
	doc, err := robotspage.Read(strings.NewReader(text), robotspage.Options{})
	fatal.If(t, err)
	if doc.Cut != 0 || doc.Charset.Found == "bom" || !utf8.ValidString(text) || strings.ContainsAny(text, "&\x00\r") {
		return 0, 0 // offsets do not hold, some sections are unknown, or characters are not as written
	}
	var inside, outside strings.Builder // with their markup
	at := 0
	for _, s := range doc.NoSnippet {
		outside.WriteString(text[at:s.Offset])
		inside.WriteString(text[s.Offset:s.End])
		at = int(s.End)
	}
	outside.WriteString(text[at:])
	for _, passage := range c.Passages {
		for _, r := range strings.ReplaceAll(passage.Text, " ", "") {
			switch {
			case passage.NoSnippet && !strings.ContainsRune(inside.String(), r):
				t.Fatalf("%q is kept back of %q, and is in no section that may not be shown", r, text)
			case !passage.NoSnippet && !strings.ContainsRune(outside.String(), r):
				t.Fatalf("%q is shown of %q, and is in a section that may not be", r, text)
			case passage.NoSnippet:
				kept++
			default:
				shown++
			}
		}
	}
	return shown, kept
}

// TestSections makes pages, mostly invalid ones, of tags and of characters that occur once.
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
		for i := range random.IntN(25) {
			fmt.Fprintf(&text, "%s %c ", tags[random.IntN(len(tags))], 'Α'+i)
		}
		s, k := compareSections(t, text.String())
		shown, kept = shown+s, kept+k
	}
	if shown < 1000 || kept < 1000 {
		t.Errorf("%d characters are shown and %d are not: the pages are too few", shown, kept)
	}
}
