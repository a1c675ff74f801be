package page

import (
	"bytes"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

const (
	mostDirectives = 10000
	mostKeywords   = 1000
	mostCanonicals = 100
)

// A builder makes a Doc of what was found.
type builder struct {
	doc     *Doc
	options *Options

	base    *url.URL // of the page's relative addresses
	based   bool     // by a base element
	charset string   // that a META tag declares
}

// header reads what the response says.
func (b *builder) header(h http.Header) {
	for i, value := range h.Values("X-Robots-Tag") {
		b.directives(value, "", Source{Place: RobotsTag, Number: i + 1})
	}
	for i, value := range h.Values("Link") {
		for link := range linkValues(value) {
			if link.canonical {
				b.canonical(resolve(b.options.URL, link.target), Source{Place: LinkField, Number: i + 1})
			}
		}
	}
}

// directives adds the directives of a value, for a robot if none is named there.
func (b *builder) directives(value, robot string, source Source) {
	v := valueReader{text: value, robot: robot, source: source, add: b.add}
	v.read()
}

func (b *builder) add(d Directive) bool {
	if len(b.doc.Directives) == mostDirectives {
		b.doc.Cut |= CutList
		return false
	}
	b.doc.Directives = append(b.doc.Directives, d)
	return true
}

func (b *builder) canonical(url string, source Source) {
	switch {
	case url == "":
	case len(b.doc.Canonicals) == mostCanonicals:
		b.doc.Cut |= CutList
	default:
		b.doc.Canonicals = append(b.doc.Canonicals, Reference{url, source})
	}
}

// read reads the tags that were kept of a page.
func (b *builder) read(k *kept, src *source) {
	before := *b.doc // what a second reading starts from
	before.Directives = slices.Clip(before.Directives)
	before.Canonicals = slices.Clip(before.Canonicals)
	before.others = slices.Clip(before.others)
	before.Keywords = slices.Clip(before.Keywords)
	*b.doc = before
	b.tags(k.text, k.marks)

	c := src.charset
	switch {
	case c.Found != ByDefault:
	case b.charset != "":
		c = Charset{Name: b.charset, Found: ByMeta}
	default:
		c = src.sniffed(k.text)
	}
	if !isASCII(k.text) && !(c.Name == utf8Name && utf8.Valid(k.text)) {
		// Only now it is known what those octets mean.
		*b.doc = before
		b.base, b.based = nil, false
		b.tags(c.decode(k.text), k.marks)
	}
	b.doc.Charset = c
	b.resolveLinks()
}

// tags reads kept tags, in the order of the page.
func (b *builder) tags(text []byte, marks []mark) {
	z := html.NewTokenizer(bytes.NewReader(text))
	var m mark
	inTitle := false
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			if len(marks) == 0 {
				return // an encoding that makes tags of other characters
			}
			m, marks = marks[0], marks[1:]
			inTitle = b.tag(z, m)
		case html.TextToken:
			if inTitle && b.doc.Title == "" {
				b.doc.Title = strings.Join(strings.Fields(string(z.Text())), " ")
			}
			inTitle = false
		}
	}
}

// tag reads one tag, and reports whether it is that of the title.
func (b *builder) tag(z *html.Tokenizer, m mark) (title bool) {
	name, more := z.TagName()
	element := string(name)
	var a attributes
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		a.set(key, value)
	}
	source := Source{Place: MetaName, Line: m.line, Offset: m.offset}
	switch element {
	case "title":
		return true
	case "meta":
		b.metaTag(&a, source)
	case "base":
		if href := strings.TrimSpace(a.href); !b.based && href != "" {
			b.based = true
			b.base = baseURL(b.options.URL, href)
		}
	case "link":
		if !m.body && a.href != "" && hasWord(a.rel, "canonical") {
			source.Place = Rel
			b.canonical(a.href, source)
		}
		b.link(element, a.href, a.rel, source)
	case "a", "area":
		b.link(element, a.href, a.rel, source)
	case "frame", "iframe":
		b.link(element, a.src, "", source)
	}
	return false
}

// An attributes is those of a tag that matter.
type attributes struct {
	name, content, httpEquiv, charset string
	href, src, rel                    string
}

func (a *attributes) set(key, value []byte) {
	switch string(key) {
	case "name":
		a.name = string(value)
	case "content":
		a.content = string(value)
	case "http-equiv":
		a.httpEquiv = string(value)
	case "charset":
		a.charset = string(value)
	case "href":
		a.href = string(value)
	case "src":
		a.src = string(value)
	case "rel":
		a.rel = string(value)
	}
}

// metaTag reads a META tag of the page.
func (b *builder) metaTag(a *attributes, source Source) {
	if b.charset == "" && a.charset != "" {
		b.charset = charsetOfMeta(a.charset)
	}
	switch equiv := lowered(strings.TrimSpace(a.httpEquiv)); equiv {
	case "content-type":
		if b.charset == "" {
			b.charset = charsetOfMeta(charsetOfContent(a.content))
		}
	case "refresh":
		if target := refreshTarget(a.content); target != "" {
			b.link("meta", target, "", source)
		}
	case "robots", "x-robots-tag":
		source := source
		source.Place, source.Name = HTTPEquiv, a.httpEquiv
		v := valueReader{text: a.content, source: source, add: func(d Directive) bool {
			d.Err = errHTTPEquiv
			return b.add(d)
		}}
		v.read()
	}
	if a.name != "" {
		source.Name = a.name
		b.meta(a.name, a.content, source)
	}
}

// meta reads a META tag with a name.
func (b *builder) meta(name, content string, source Source) {
	d := b.doc
	switch name = lowered(strings.TrimSpace(name)); name {
	case "":
	case "robots":
		b.directives(content, "", source)
	case "description":
		if text := strings.Join(strings.Fields(content), " "); d.Description == "" {
			d.Description = text
		}
	case "keywords":
		b.keywords(content)
	case "document-state":
		if hasWord(content, "dynamic") {
			d.State = Dynamic
		}
	case "url":
		if u, err := url.Parse(trimURL(content)); err == nil && u.IsAbs() && u.Host != "" && d.Original == "" {
			d.Original = u.String()
		}
	default:
		m := namedMeta{name, content, source}
		d.others = append(d.others, m)
		if m.isForRobots() {
			b.directives(content, robotNamed(name), source)
		}
	}
}

func (b *builder) keywords(content string) {
	for phrase := range strings.SplitSeq(content, ",") {
		phrase = strings.Join(strings.Fields(phrase), " ")
		switch {
		case phrase == "":
		case len(b.doc.Keywords) == mostKeywords:
			b.doc.Cut |= CutList
			return
		default:
			b.doc.Keywords = append(b.doc.Keywords, phrase)
		}
	}
}

// hasWord reports whether one of the words of list is word, which is in lower
// case, in letters of any case.
func hasWord(list, word string) bool {
	return slices.ContainsFunc(strings.Fields(list), func(s string) bool { return equalFold(s, word) })
}

// A namedMeta is a META tag that may be for a robot of its name.
type namedMeta struct {
	name, content string // the name in lower case
	source        Source
}

// isForRobots reports whether a META tag is one for robots although nobody asks
// for a robot of its name: it has the name of one, or nothing but directives,
// and one of them is no common word.
func (m *namedMeta) isForRobots() bool {
	for _, part := range robotNames {
		if strings.Contains(m.name, part) {
			return true
		}
	}
	telling := false
	v := valueReader{text: m.content, add: func(d Directive) bool {
		if d.term == nil {
			telling = false
			return false
		}
		telling = telling || !d.term.common
		return true
	}}
	v.read()
	return telling
}

// robotNames are parts that names of robots have and other META tags do not.
var robotNames = [...]string{"bot", "spider", "crawl", "slurp", "yandex", "teoma", "ia_archiver"}
