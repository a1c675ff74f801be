// Package htmltoken splits pages into tokens, as browsers do (HTML, section 13.2.5). All
// readers of HTML in this module use it.
//
//	z := htmltoken.New(text)
//	for kind := z.Next(); kind != htmltoken.None; kind = z.Next() {
//		...
//	}
//
// A [Tokenizer] finds the ends of tokens and decodes nothing. [AttributesOf] reads the
// attributes of a tag; [Value], [DecodeText] and [DecodeCDATA] decode values and texts. The
// tokenizer does not track the open elements: package htmltree does.
//
// golang.org/x/net/html provides the table of character references. Its tokenizer is the twin
// in the tests.
package htmltoken

import (
	"bytes"
	"io"
)

// A Kind is the kind of a token.
type Kind uint8

// The kinds.
const (
	None     Kind = iota // the page has ended
	Text                 // text between tags, or the text of an element that has no markup
	StartTag             // also a self-closing tag
	EndTag
	Comment // also a declaration, a processing instruction, or an end tag without a name
	CDATA   // a CDATA section of SVG or MathML
)

// A Tokenizer splits a page into tokens. The tokens joined are the page, except for an
// unfinished tag at the end. Noscript is an ordinary element, as for a robot without scripts.
// The caller says which elements are SVG and MathML: see [Tokenizer.NextIsMarkup] and
// [Tokenizer.AllowCDATA].
//
// The time is linear in the page. The memory is linear in the longest token, up to the limit of
// [NewReader]. bytes.IndexByte skips texts and quoted values. If the source ends a read within
// a token, the tokenizer continues at that byte with the next read.
type Tokenizer struct {
	window

	mute    bool // skip texts between tags where possible
	skipped bool // a text before the current tag was skipped

	cdata bool // the current node is SVG or MathML, which may have CDATA sections

	tag       tagState
	nameEnd   int          // offset of the end of the tag's name from start; 0 within the name
	closed    bool         // the tag ends with "/>"
	shortened bool         // some tag was longer than the limit
	verbatim  string       // the name of the element, if the next or current token is its text
	script    scriptState  // of its text, if the element is a script
	dashes    int          // number of dashes at the end of the searched part of a comment in a script
	rest      commentState // state in a comment that continues in the next token
}

// New returns a tokenizer of a text. The tokenizer does not change the text.
func New(text []byte) Tokenizer {
	return Tokenizer{window: window{buf: text, limit: len(text) + 1}}
}

// NewReader returns a tokenizer that reads src after the bytes in buf, which becomes its
// buffer. Buf must have a capacity of at least one byte. The limit is the maximum number of
// bytes of a token, at least [MinLimit]. A longer text or comment is split into pieces. Of a
// longer tag, the tokenizer keeps the name and the last part. A nil src is empty.
func NewReader(src io.Reader, buf []byte, limit int) Tokenizer {
	return Tokenizer{window: window{src: src, buf: buf, limit: limit}}
}

// Skip skips the first n bytes of the buffer, such as a byte order mark. Offsets include the
// skipped bytes. Call Skip before Next.
func (z *Tokenizer) Skip(n int) { z.start, z.pos, z.counted = n, n, n }

// ReadAhead sets the maximum number of bytes of one Read of the source. The default is the free
// space of the buffer.
func (z *Tokenizer) ReadAhead(n int) { z.ahead = n }

// Buffer returns the buffer for reuse. Do not use the tokenizer afterwards.
func (z *Tokenizer) Buffer() []byte { return z.buf[:0] }

// SkipTexts allows Next to skip texts between tags.
func (z *Tokenizer) SkipTexts() { z.mute = true }

// Skipped reports whether Next skipped a text before the current tag.
func (z *Tokenizer) Skipped() bool { return z.skipped }

// Name returns the name of a tag as written. The name is valid until the next call of Next.
func (z *Tokenizer) Name() []byte {
	i := z.start + len("<")
	if z.buf[i] == '/' {
		i++
	}
	return z.buf[i : z.start+z.nameEnd]
}

// SelfCloses reports whether a start tag ends with "/>", where the slash is not a part of an
// unquoted value.
func (z *Tokenizer) SelfCloses() bool { return z.closed }

// Shortened reports whether any tag so far was longer than the limit.
func (z *Tokenizer) Shortened() bool { return z.shortened }

// Verbatim returns the name of the element whose text the token is, if the element has no
// markup, such as "script". The name is empty for a text between tags.
func (z *Tokenizer) Verbatim() string { return z.verbatim }

// NextIsMarkup says that the element of the current start tag is SVG or MathML, where script,
// style, title and similar elements have markup. Call NextIsMarkup before Next.
func (z *Tokenizer) NextIsMarkup() { z.verbatim = "" }

// AllowCDATA says whether the current node is SVG or MathML. Elsewhere a CDATA section is a
// comment that ends with the next ">".
func (z *Tokenizer) AllowCDATA(allow bool) { z.cdata = allow }

// Continues reports whether the comment or CDATA section is incomplete and the next token
// continues it.
func (z *Tokenizer) Continues() bool { return z.rest != noComment }

// Next moves to the next token and returns its kind, or None after the last one.
func (z *Tokenizer) Next() Kind {
	z.start, z.skipped = z.pos, false
	if z.verbatim != "" {
		if z.verbatimText(); z.pos > z.start {
			return Text
		}
		z.verbatim = "" // the end tag follows
	}
	if z.rest != noComment {
		if kind := z.comment(); z.pos > z.start {
			return kind
		}
	}
	for {
		b := z.buf[:z.reach()]
		if z.pos == len(b) || b[z.pos] != '<' {
			i := bytes.IndexByte(b[z.pos:], '<')
			if i < 0 {
				z.pos = len(b)
				if z.more() {
					continue
				}
				break
			}
			z.pos += i
		}
		if z.pos+1 == len(b) {
			if z.more() {
				continue
			}
			if !z.full() {
				z.pos++
			}
			break
		}
		if c := b[z.pos+1]; isLetter(c) || c == '/' || c == '!' || c == '?' {
			if z.pos > z.start {
				if !z.mute {
					return Text
				}
				z.start, z.skipped = z.pos, true
			}
			return z.markup(c)
		}
		z.pos++
	}
	if z.pos > z.start {
		return Text
	}
	return None
}

// markup moves to the end of the token that begins at start with "<" and c.
func (z *Tokenizer) markup(c byte) Kind {
	z.pos += 2
	switch c {
	case '!':
		z.rest = bogusComment
		switch {
		case z.holds(4) && z.buf[z.start+2] == '-' && z.buf[z.start+3] == '-':
			z.rest = openComment
			z.pos += 2
		case z.cdata && z.holds(len(cdataStart)) && string(z.buf[z.start:z.start+len(cdataStart)]) == cdataStart:
			z.rest = cdataSection
			z.pos = z.start + len(cdataStart)
		}
		return z.comment()
	case '?':
		z.rest = bogusComment
		return z.comment()
	case '/':
		if !z.holds(3) {
			return Text
		}
		if !isLetter(z.buf[z.pos]) {
			z.rest = bogusComment
			return z.comment()
		}
		if !z.wholeTag() {
			return None
		}
		return EndTag
	}
	if !z.wholeTag() {
		return None
	}
	switch c | 0x20 {
	case 'i', 'n', 'p', 's', 't', 'x':
		z.verbatim = verbatimElement(z.Name())
		z.script = inScript
	}
	return StartTag
}

// isLetter reports whether c is an ASCII letter.
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
