package page

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/html/htmltoken"
	"github.com/robotsexclusion/robots/internal/language"
)

const (
	mostDirectives = 10000
	mostKeywords   = 1000
	mostCanonicals = 100
)

// A builder makes a Doc from the findings.
type builder struct {
	doc      *Doc
	options  Options
	language language.Language // of diagnostics

	tdmPolicy string   // of a header
	base      *url.URL // of the page's relative addresses
	based     bool     // by a base element
	charset   string   // that a META tag declares

	rel   string // of a link, in lower case
	words []string

	wordBytes int // that words of rel have taken
}

// header reads what the response says.
func (b *builder) header(h http.Header) {
	for i, value := range h.Values("X-Robots-Tag") {
		b.directives(value, "", Source{Place: atRobotsTag, Number: i + 1})
	}
	for i, value := range h.Values("Link") {
		for link := range linkValues(value) {
			if link.canonical {
				b.canonical(resolve(b.options.URL, link.target, ""), Source{Place: atLinkField, Number: i + 1})
			}
		}
	}
	for i, value := range h.Values(tdmReservation) {
		b.reservation(value, Source{Place: atTDM, Number: i + 1})
	}
	b.tdmPolicy = absoluteURL(h.Get(tdmPolicy))
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
func (b *builder) read(s *scanner) {
	before := *b.doc // where a second reading starts
	before.Directives = slices.Clip(before.Directives)
	before.Canonicals = slices.Clip(before.Canonicals)
	before.others = slices.Clip(before.others)
	before.Keywords = slices.Clip(before.Keywords)
	*b.doc = before
	k := &s.kept
	b.tags(k)

	c := s.source.charset
	switch {
	case c.Found != byDefault:
	case b.charset != "":
		c = Charset{Name: b.charset, Found: byMeta}
	case s.source.xml != "":
		c = Charset{Name: s.source.xml, Found: byXML}
	default:
		c = s.source.sniffed(k.text)
	}
	if !isASCII(k.text) && !(c.Name == utf8Name && utf8.Valid(k.text)) {
		// Only now it is known what those bytes mean.
		*b.doc = before
		b.base, b.based, b.wordBytes = nil, false, 0
		b.decodedTags(k, c.decode(k.text))
	}
	b.doc.Charset = c
	b.resolveLinks(k)
	b.finish()
	b.lint(s.unseen)
}

// tags reads kept tags, in the order of the page.
func (b *builder) tags(k *keptTags) {
	b.refreshes(k)
	for _, m := range k.marks {
		if text := k.text[m.start:m.end]; m.title {
			b.title(text)
		} else {
			b.tag(k, text, m)
		}
	}
}

// decodedTags reads the text of kept tags in UTF-8. They are not where they were.
func (b *builder) decodedTags(k *keptTags, text []byte) {
	k.addresses, k.ends = k.addresses[:0], k.ends[:0]
	b.refreshes(k)
	z := htmltoken.New(text)
	marks := k.marks
	inTitle := false
	for {
		switch z.Next() {
		case htmltoken.None:
			return
		case htmltoken.StartTag:
			if len(marks) == 0 {
				return // an encoding that makes tags of other characters
			}
			if inTitle = htmltoken.IsTag(z.Raw(), "title"); !inTitle {
				b.tag(k, z.Raw(), marks[0])
			}
			marks = marks[1:]
		case htmltoken.Text:
			if inTitle {
				b.title(z.Raw())
			}
			inTitle = false
		}
	}
}

// title reads the text of a title.
func (b *builder) title(text []byte) {
	if b.doc.Title == "" {
		b.doc.Title = strings.Join(strings.Fields(htmltoken.DecodeText(text, "title")), " ")
	}
}

// tag reads one tag.
func (b *builder) tag(k *keptTags, raw []byte, m mark) {
	a := attributes{room: k.room[:0]}
	source := Source{Place: atMeta, Line: int(m.line), Offset: m.offset, column: int(m.column)}
	switch element := elementOf(raw); element {
	case "meta":
		a.read(htmltoken.AttributesOf(raw))
		b.lintAttributes(raw, source)
		b.metaTag(k, &a, source)
	case "base":
		if b.based {
			break
		}
		a.read(htmltoken.AttributesOf(raw))
		if href := strings.TrimSpace(string(a.values[hrefAttribute])); href != "" {
			b.based = true
			b.base = baseURL(b.options.URL, href)
		}
	case "link":
		a.read(htmltoken.AttributesOf(raw))
		href, rel := a.values[hrefAttribute], a.values[relAttribute]
		if !m.body && len(href) > 0 && hasWord(string(rel), "canonical") {
			source.Place = atRel
			b.canonical(string(href), source)
		}
		b.link(k, element, href, rel, source)
	case "a", "area":
		a.read(htmltoken.AttributesOf(raw))
		href := a.values[hrefAttribute]
		if m.svg && href == nil {
			href = a.values[xlinkAttribute]
		}
		b.link(k, element, href, a.values[relAttribute], source)
	case "frame", "iframe":
		a.read(htmltoken.AttributesOf(raw))
		b.link(k, element, a.values[srcAttribute], nil, source)
	}
	k.room = a.room
}

// elementOf returns the name of the element of a tag, if it is one that matters.
func elementOf(tag []byte) string {
	for _, name := range elements {
		if htmltoken.IsTag(tag, name) {
			return name
		}
	}
	return ""
}

// elements are those with attributes that matter.
var elements = [...]string{"a", "link", "meta", "area", "iframe", "base", "frame"}

// metaTag reads a META tag of the page.
func (b *builder) metaTag(k *keptTags, a *attributes, source Source) {
	if charset := a.values[charsetAttribute]; b.charset == "" && len(charset) > 0 {
		b.charset = charsetOfMeta(string(charset))
	}
	name, httpEquiv := string(a.values[nameAttribute]), string(a.values[httpEquivAttribute])
	if name == "" && httpEquiv == "" {
		return
	}
	content := string(a.values[contentAttribute])
	switch equiv := htmltoken.Lower(strings.TrimSpace(httpEquiv)); equiv {
	case "content-type":
		if b.charset == "" {
			b.charset = charsetOfMeta(charsetOfContent(content))
		}
	case "refresh":
		if target := refreshTarget(content); target != "" {
			b.link(k, "meta", []byte(target), nil, source)
		}
	case "robots", "x-robots-tag":
		source := source
		source.Place, source.Name = atHTTPEquiv, httpEquiv
		v := valueReader{text: content, source: source, add: func(d Directive) bool {
			d.Err = errHTTPEquiv
			return b.add(d)
		}}
		v.read()
	}
	if name != "" {
		source.Name = name
		b.meta(name, content, source)
	}
}

// meta reads a META tag with a name.
func (b *builder) meta(name, content string, source Source) {
	d := b.doc
	name = htmltoken.Lower(strings.TrimSpace(name))
	b.lintMeta(name, content, source)
	switch name {
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
			d.Dynamic = true
		}
	case "url":
		d.Original = cmp.Or(d.Original, absoluteURL(content))
	case tdmReservation:
		b.reservation(content, source)
	case tdmPolicy:
		d.TDMPolicy = cmp.Or(d.TDMPolicy, absoluteURL(content))
	default:
		m := namedMeta{cmp.Or(robotNamed(name), name), content, source}
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
	return slices.ContainsFunc(strings.Fields(list), func(s string) bool { return htmltoken.EqualFold(s, word) })
}

// A namedMeta is a META tag that may be for a robot of its name.
type namedMeta struct {
	name, content string // the name in lower case
	source        Source
}

// isForRobots reports whether a META tag is for robots although no question is
// about a robot of its name. Its name is that of a robot of a large search
// engine; or its name ends as names of robots do, and its content has a
// directive; or its content has only directives, and one of them is not a
// common word. A name that only contains that of a robot is not a robot's:
// "yandex-verification" proves who owns a page.
func (m *namedMeta) isForRobots() bool {
	if slices.Contains(metaRobots[:], m.name) {
		return true
	}
	if endsAsRobot(m.name) && hasDirective(m.content) {
		return true
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

// hasDirective reports whether a word of a content is a directive, or probably a
// misspelling of one.
func hasDirective(content string) bool {
	has := false
	v := valueReader{text: content, add: func(d Directive) bool {
		has = d.term != nil || nearestTerm(d.Name) != ""
		return !has
	}}
	v.read()
	return has
}

// endsAsRobot reports whether a name in lower case ends with a word for robots.
func endsAsRobot(name string) bool {
	for _, word := range [...]string{"bot", "spider", "crawler"} {
		if strings.HasSuffix(name, word) {
			return true
		}
	}
	return false
}
