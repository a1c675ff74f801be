// Package htmltoken cuts pages into tokens, as browsers do (HTML, section 13.2.5). Every
// reader of HTML in this module uses it.
//
//	z := htmltoken.New(text)
//	for kind := z.Next(); kind != htmltoken.None; kind = z.Next() {
//		...
//	}
//
// A [Tokenizer] finds where tokens end, and decodes nothing. [AttributesOf] reads the
// attributes of a tag, [Value] and [Text] decode what they say. The tokenizer does not follow
// which elements are open: package htmltree does.
//
// golang.org/x/net/html has the table of character references. Its tokenizer is the twin
// that the tests compare with.
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
	Text                 // text between tags, or the text of an element without markup
	StartTag             // also one that closes itself
	EndTag
	Comment // also a declaration, an instruction, or an end tag without a name
	CDATA   // a CDATA section of SVG or MathML
)

// A Tokenizer cuts a page into tokens. Joined, the tokens are the page, except for a tag
// that the page ends in. Noscript is an element like others, as for a robot without scripts.
// The caller says which elements are SVG and MathML: see [Tokenizer.NextIsMarkup] and
// [Tokenizer.AllowCDATA].
//
// The time is linear in the page, the memory in the longest token, up to the limit of
// [NewReader]. bytes.IndexByte skips texts and quoted values. Where the source stops within
// a token, the tokenizer continues from that byte when there is more.
type Tokenizer struct {
	window

	mute    bool // texts between tags may be skipped
	skipped bool // a text before the tag was

	cdata bool // the current node is SVG or MathML, where there are CDATA sections

	tag       tagState
	nameEnd   int          // end of the name of the tag, after start; 0 within the name
	closed    bool         // the tag ends with "/>"
	shortened bool         // a tag was longer than the limit
	verbatim  string       // the element whose text is next, or was
	script    scriptState  // of its text, if the element is a script
	dashes    int          // dashes that the searched part of a script's comment ends with
	rest      commentState // of a comment that continues
}

// New returns a tokenizer of a text, which it does not change.
func New(text []byte) Tokenizer {
	return Tokenizer{window: window{buf: text, limit: len(text) + 1}}
}

// NewReader returns a tokenizer that reads src after the bytes in buf, which becomes its buffer.
// Buf has a capacity of at least one byte. The limit is the maximum number of bytes of a token, at
// least [MinLimit]: a longer text or comment comes in pieces, and of a longer tag the tokenizer
// keeps the name and the last part. A nil src is empty.
func NewReader(src io.Reader, buf []byte, limit int) Tokenizer {
	return Tokenizer{window: window{src: src, buf: buf, limit: limit}}
}

// Skip leaves out the first n bytes of the buffer, such as a byte order mark. They count for
// offsets. Call it before Next.
func (z *Tokenizer) Skip(n int) { z.start, z.pos, z.counted = n, n, n }

// ReadAhead sets the maximum number of bytes that one Read of the source asks for. The
// default is the free part of the buffer.
func (z *Tokenizer) ReadAhead(n int) { z.ahead = n }

// Buffer returns the buffer, for another page. The tokenizer is of no use afterwards.
func (z *Tokenizer) Buffer() []byte { return z.buf[:0] }

// SkipTexts lets Next skip texts between tags.
func (z *Tokenizer) SkipTexts() { z.mute = true }

// Skipped reports whether Next skipped a text before this tag.
func (z *Tokenizer) Skipped() bool { return z.skipped }

// Name returns the name of a tag as written. It is valid until the next call of Next.
func (z *Tokenizer) Name() []byte {
	i := z.start + len("<")
	if z.buf[i] == '/' {
		i++
	}
	return z.buf[i : z.start+z.nameEnd]
}

// SelfCloses reports whether a start tag ends with "/>", and the slash is not the end of a
// value without quotes.
func (z *Tokenizer) SelfCloses() bool { return z.closed }

// Shortened reports whether the page had a tag that was longer than the limit so far.
func (z *Tokenizer) Shortened() bool { return z.shortened }

// Verbatim returns the name of the element that the text is in, if the element has text and
// no markup, such as "script". It is empty for a text between tags.
func (z *Tokenizer) Verbatim() string { return z.verbatim }

// NextIsMarkup says that the element of the start tag is SVG or MathML, where script, style,
// title and the like have markup. Call it before Next.
func (z *Tokenizer) NextIsMarkup() { z.verbatim = "" }

// AllowCDATA says whether the innermost open element is SVG or MathML. Elsewhere a CDATA
// section is a comment that ends with the next ">".
func (z *Tokenizer) AllowCDATA(allow bool) { z.cdata = allow }

// Continues reports whether the comment or CDATA section is a piece, and the next token the
// piece after it.
func (z *Tokenizer) Continues() bool { return z.rest != noComment }

// Next goes to the next token.
func (z *Tokenizer) Next() Kind {
	z.start, z.skipped = z.pos, false
	if z.verbatim != "" {
		if z.verbatimText(); z.pos > z.start {
			return Text
		}
		z.verbatim = "" // here is its end tag
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

// markup goes to the end of the token that begins at start with "<" and c.
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

// isLetter reports whether c is a letter of ASCII.
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
