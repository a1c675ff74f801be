package index

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"github.com/robotsexclusion/robots/internal/html/htmltoken"
	"github.com/robotsexclusion/robots/internal/html/htmltree"
)

// A Source is the context of a text. The zero Source is the context of an HTML page.
type Source struct {
	// Charset is the character encoding, such as [page.Doc.Charset]. If it is empty or
	// unknown, the encoding is detected from the text.
	Charset string

	// Plain reports that the text is text/plain: a blank line ends a passage.
	Plain bool

	// Language is the value of a Content-Language header. The language of the html
	// element overrides it.
	Language string
}

// A Content is the text of a page.
type Content struct {
	Title    string // text of the first title element
	Language string // declared by the page or its header, or empty
	Passages []Passage

	// Links are the links of the page, menus included, with their texts: at most 2,000.
	// URLs are as written: resolve them against Base or, if Base is empty, the address
	// of the page. Links that the page does not vouch for (rel=nofollow, ugc or
	// sponsored) are left out.
	Links []Link
	Base  string // href of the first base element
}

const (
	maxBytes    = 16 << 20 // of a page; the rest is not read
	maxMarked   = 1 << 10  // bytes in one heading or emphasis; in a longer one the end tag is missing
	mostTitle   = 4 << 10  // bytes of a title that are read
	maxPassages = 16 << 10 // of a page
	maxLinks    = 2000     // of a page
	maxLinkText = 256      // bytes of the text of a link that are read
	maxHref     = 2 << 10  // bytes of the address of a link; longer ones are left out
)

// Extract returns the text of a page. Every text is a valid page.
//
// Extract leaves out hidden and auxiliary content: scripts, style sheets, templates,
// hidden elements, form fields and lists of choices, noscript (which asks for scripts),
// nav (menus of the site, HTML section 4.3.4), elements with role=navigation, and the
// fallback content of frames, sound and film. Extract takes time linear in the page,
// and memory for the page and its text: it reads at most 16 MiB.
func Extract(body []byte, src Source) *Content {
	c := &Content{Language: primary(src.Language)}
	text := decoded(body[:min(len(body), maxBytes)], src.Charset)
	e := &extractor{content: c, left: maxText, values: make(map[string]string)}
	if src.Plain {
		e.plain(text)
	} else {
		e.z = htmltoken.New(text)
		e.html()
	}
	return c
}

// decoded returns text in UTF-8.
func decoded(text []byte, label string) []byte {
	encoding, name := charset.Lookup(label)
	if encoding == nil || name == "replacement" || bytes.HasPrefix(text, []byte("\uFEFF")) {
		if encoding, name, _ = charset.DetermineEncoding(text[:min(len(text), 1024)], ""); utf8.Valid(text) {
			name = "utf-8"
		}
	}
	if name == "utf-8" {
		return bytes.TrimPrefix(text, []byte("\uFEFF"))
	}
	// Invalid bytes become U+FFFD.
	if converted, err := encoding.NewDecoder().Bytes(text); err == nil {
		return bytes.TrimPrefix(converted, []byte("\uFEFF"))
	}
	return text
}

// An extractor walks through a page.
type extractor struct {
	content *Content
	z       htmltoken.Tokenizer
	tree    htmltree.Tree
	values  map[string]string // of attributes
	room    []byte            // for the decoded value of an attribute
	left    int               // bytes of text until the limit

	skipped string // the element that is left out with its content
	depth   int    // open elements with that name since, including itself

	hushed     string // the element with data-nosnippet
	hushedOpen int    // open elements with that name since, including itself

	heading Construct // of the open heading, or Text
	strong  int       // open elements of emphasis
	marked  int       // bytes in the heading or the emphasis so far

	broken  bool // a block has ended since the last text
	spaced  bool // the text so far ends with white space
	inTitle bool
	inLink  bool // the last of content.Links is open
}

// plain extracts the passages of a plain text.
func (e *extractor) plain(text []byte) {
	e.broken = true
	for line := range bytes.Lines(text) {
		if e.left <= 0 || len(e.content.Passages) >= maxPassages {
			return
		}
		if len(bytes.TrimSpace(line)) == 0 {
			e.broken = true
			continue
		}
		e.text(string(line), Text)
	}
}

// html extracts the content of a page from its tokens.
func (e *extractor) html() {
	for {
		kind := e.z.Next()
		switch kind {
		case htmltoken.None:
			return // the end: an unclosed tag shows nothing
		case htmltoken.Text, htmltoken.CDATA:
			e.words(kind)
		case htmltoken.StartTag:
			space := e.tree.Start(e.z.Raw(), e.z.Name(), e.z.SelfCloses())
			if space != htmltree.HTML {
				e.z.NextIsMarkup()
			}
			e.start(htmltoken.Lower(string(e.z.Name())), space, e.z.SelfCloses())
			e.z.AllowCDATA(e.tree.TakesCDATA())
		case htmltoken.EndTag:
			e.tree.End(e.z.Name())
			e.end(htmltoken.Lower(string(e.z.Name())))
			e.z.AllowCDATA(e.tree.TakesCDATA())
		}
		if e.skipped == "svg" && !e.tree.InSVG() {
			e.skipped = "" // a tag that SVG cannot contain ends it too
		}
		if e.left <= 0 || len(e.content.Passages) >= maxPassages {
			return
		}
	}
}

// words handles a text token.
func (e *extractor) words(kind htmltoken.Kind) {
	e.tree.Text()
	linked := e.inLink && !unseen[e.skipped]
	if !linked && !e.inTitle && e.skipped != "" {
		return
	}
	var text string
	if kind == htmltoken.CDATA {
		text = htmltoken.DecodeCDATA(e.z.Raw())
	} else {
		text = htmltoken.DecodeText(e.z.Raw(), e.z.Verbatim())
	}
	if linked {
		e.linkText(text)
	}
	if e.inTitle {
		e.title(text)
	} else if e.skipped == "" {
		e.text(text, e.construct())
	}
}

// construct returns the construct of text at the current place.
func (e *extractor) construct() Construct {
	switch {
	case e.marked > maxMarked:
		return Text
	case e.heading != Text:
		return e.heading
	case e.strong > 0:
		return Strong
	}
	return Text
}

// leftOut has the elements that are left out with their content: a drawing, for example,
// has titles that are not that of the page. For nav and elements that may be hidden the
// end tag is required, so their end is found.
var leftOut = setOf(`script style template noscript svg nav iframe object noembed noframes
	audio video canvas select datalist textarea button`)

// unseen has the elements of leftOut that may occur within a sentence.
var unseen = setOf("script style template noscript datalist")

// mayHide has the elements that are left out if they are hidden or for navigation.
// Elements with an optional end tag, such as p and li, are not in it: their end would
// not be found.
var mayHide = setOf(`div span section article aside header footer main ul ol dl table form dialog details
	a figure`)

// inline has the elements that occur within a sentence. Other elements begin a new
// passage.
var inline = setOf(`a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd label
	mark nobr q rp rt ruby s samp small span strike strong sub sup time tt u var wbr input`)

var headings = map[string]Construct{"h1": Heading1, "h2": Heading2, "h3": Heading3, "h4": Heading4,
	"h5": Heading5, "h6": Heading6}

// emphatic has the elements whose words weigh more.
var emphatic = setOf("strong em b i mark dfn th caption figcaption dt")

// disowning has the values of rel by which a page does not vouch for a link.
var disowning = setOf("nofollow ugc sponsored")

// wanted has the attributes that matter.
var wanted = setOf("href rel alt lang xml:lang hidden aria-hidden role style data-nosnippet")

func setOf(words string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// hiding finds the declaration in a style attribute that hides its element.
var hiding = regexp.MustCompile(
	`(?i)(^|;)\s*(display\s*:\s*none|visibility\s*:\s*hidden)\s*(!important\s*)?(;|$)`)

func (e *extractor) start(name string, space htmltree.Namespace, closed bool) {
	hushes := e.hushed == "" && (name == "span" || name == "div" || name == "section") && e.skipped != "template"
	if name == e.hushed {
		e.hushedOpen++
	}
	if name == "a" {
		e.inLink = false // links do not nest
	}
	if e.skipped != "" {
		if name == e.skipped && !(closed && space != htmltree.HTML) {
			e.depth++
		}
		// A section that begins inside skipped content may end after it, and the links
		// of skipped menus count.
		if hushes || name == "a" && !unseen[e.skipped] {
			e.open(name, hushes)
		}
		return
	}
	switch {
	case name == "svg" && space == htmltree.SVG && closed:
		return // the element is void
	case space == htmltree.MathML: // HTML names mean nothing in MathML
	case leftOut[name]:
		e.skip(name)
		return
	case name == "title":
		e.inTitle = true
		return
	}
	var alt string
	if mayHide[name] || name == "img" || name == "area" || name == "html" || name == "base" {
		var hidden bool
		if alt, hidden = e.open(name, hushes); hidden && mayHide[name] {
			e.skip(name)
			return
		}
	}
	if h, ok := headings[name]; ok {
		e.heading, e.strong, e.marked = h, 0, 0
	} else if emphatic[name] {
		if e.strong == 0 && e.heading == Text {
			e.marked = 0
		}
		e.strong++
	}
	if !inline[name] {
		e.block(name)
	}
	if name == "br" || name == "img" || name == "input" || name == "wbr" {
		e.spaced = e.spaced || name != "wbr"
	}
	if alt != "" {
		if e.inLink {
			e.linkText(alt)
		}
		e.spaced = true
		e.text(alt, Alt)
		e.spaced = true
	}
}

// address adds the target of an element's link.
func (e *extractor) address(name, href, rel string) {
	disowns := func(word string) bool { return disowning[word] }
	switch {
	case href == "" || len(href) > maxHref:
	case name == "base":
		e.content.Base = cmp.Or(e.content.Base, href)
	case name == "a" && len(e.content.Links) < maxLinks &&
		!slices.ContainsFunc(strings.Fields(strings.ToLower(rel)), disowns):
		e.content.Links = append(e.content.Links, Link{URL: href})
		e.inLink = true
	}
}

// linkText adds to the text of the open link.
func (e *extractor) linkText(text string) {
	l := &e.content.Links[len(e.content.Links)-1]
	if room := maxLinkText - len(l.Text); room > 0 {
		l.Text += prefix(text, room)
	}
}

func (e *extractor) end(name string) {
	if name == e.hushed {
		if e.hushedOpen--; e.hushedOpen == 0 {
			// Text after the section must not join text inside it.
			e.hushed, e.broken = "", true
		}
	}
	if name == "a" {
		e.inLink = false
	}
	if e.skipped != "" {
		if name == e.skipped && name != "svg" {
			if e.depth--; e.depth == 0 {
				e.skipped = ""
			}
		}
		return
	}
	if name == "title" {
		e.inTitle = false
		return
	}
	if _, ok := headings[name]; ok {
		e.heading, e.marked = Text, 0 // the end tag of any heading ends it, as in HTML
	} else if emphatic[name] && e.strong > 0 {
		e.strong--
	}
	if !inline[name] {
		e.block(name)
	}
}

// block records the start or end of a block. A block also ends unclosed emphasis.
func (e *extractor) block(name string) {
	e.broken = true
	if !emphatic[name] {
		e.strong = 0
	}
}

// skip leaves out an element and its content.
func (e *extractor) skip(name string) {
	e.skipped, e.depth = name, 1
	e.broken = e.broken || !unseen[name] && !inline[name]
}

// attributes returns the attributes of a tag that matter, by their names, until the next
// call. The first of several attributes with one name counts.
func (e *extractor) attributes() map[string]string {
	clear(e.values)
	for r := htmltoken.AttributesOf(e.z.Raw()); ; {
		key, value, ok := r.Next()
		if !ok {
			return e.values
		}
		name := htmltoken.Lower(string(key))
		if _, again := e.values[name]; wanted[name] && !again {
			value, e.room = htmltoken.Value(value, e.room[:0])
			e.values[name] = string(value)
		}
	}
}

// open reads the attributes of a tag: a link begins, or with data-nosnippet a section that
// may not be shown, if it hushes. It returns the text of a picture, and whether the
// element is hidden or for navigation.
func (e *extractor) open(name string, hushes bool) (alt string, hidden bool) {
	at := e.attributes()
	if _, ok := at["data-nosnippet"]; ok && hushes {
		e.hushed, e.hushedOpen = name, 1
	}
	e.address(name, strings.TrimSpace(at["href"]), at["rel"])
	switch name {
	case "img", "area":
		alt = at["alt"]
	case "html":
		e.content.Language = cmp.Or(primary(at["lang"]), primary(at["xml:lang"]), e.content.Language)
	}
	_, hidden = at["hidden"]
	return alt, hidden || strings.EqualFold(at["aria-hidden"], "true") ||
		strings.EqualFold(strings.TrimSpace(at["role"]), "navigation") || hiding.MatchString(at["style"])
}

// title takes the text of a title, if it is the first non-empty title.
func (e *extractor) title(text string) {
	if e.content.Title == "" {
		e.content.Title = oneLine(prefix(text, mostTitle))
	}
}

// text adds a text, or a part of one.
func (e *extractor) text(text string, c Construct) {
	if c != Text {
		e.marked += len(text)
	}
	words := strings.TrimFunc(text, unicode.IsSpace)
	if words == "" {
		e.spaced = e.spaced || text != ""
		return
	}
	spacedBefore := e.spaced || text[0] <= ' ' || !strings.HasPrefix(text, words)
	spacedAfter := !strings.HasSuffix(text, words)
	if words, e.left = clipped(words, e.left), e.left-len(words); words == "" {
		return
	}
	hushed := e.hushed != ""
	passages := e.content.Passages
	n := len(passages)
	joined := n > 0 && !e.broken
	e.broken, e.spaced = false, spacedAfter
	if joined {
		last := &passages[n-1]
		if !spacedBefore && last.NoSnippet == hushed && len(last.Text) < maxMarked {
			// Markup within a word does not split the word.
			rest := strings.IndexFunc(words, unicode.IsSpace)
			if rest < 0 {
				rest = len(words)
			}
			last.Text += words[:rest]
			if words = strings.TrimLeftFunc(words[rest:], unicode.IsSpace); words == "" {
				return
			}
		}
		if last.Construct == c && last.NoSnippet == hushed && len(last.Text) < maxMarked {
			last.Text += " " + words
			return
		}
	}
	e.content.Passages = append(passages, Passage{Construct: c, Text: words, Joined: joined, NoSnippet: hushed})
}
