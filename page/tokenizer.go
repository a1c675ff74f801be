package page

import (
	"bytes"
	"io"
)

// A kind is that of a token.
type kind uint8

const (
	noToken   kind = iota // the page has ended
	textToken             // between tags, or all that is in an element without markup
	startTag              // also one that closes itself
	endTag
	commentToken // also a declaration, an instruction, and an end tag without a name
)

// A tokenizer cuts a page into tokens (HTML, section 13.2.5), as that of package html
// does. One after the other they are the page, but for a tag that is not whole at its
// end. Noscript is an element like others, as it is to a robot without scripts. What is
// SVG and MathML the tokenizer does not know: see foreign.
//
// What is between tags, and in quotes, is passed over by bytes.IndexByte, and nothing of
// a tag is looked at but where it ends: see attributeReader for the rest. Where src
// stops within a token, the tokenizer goes on when there is more, from where it was.
type tokenizer struct {
	src   io.Reader // nil: there is no more than what is in buf
	ahead int       // bytes that are read at once at most; 0: as many as there is room for

	buf        []byte
	start, pos int // the token is buf[start:pos]; before its end is found, pos is how far that was looked for

	// limit is the number of bytes that are held of one token, at least
	// shortestLimit. A text or comment that is longer is given in pieces: what they
	// are does not depend on how much src gives at once. Of a tag that is longer
	// shorten leaves the last part.
	limit     int
	shortened bool // a tag was

	mute   bool // texts between tags may be passed over
	passed bool // a text before the tag was

	cdata bool // the current node is of SVG or MathML, where there are CDATA sections

	tag      tagState
	nameEnd  int          // of the tag: where its name ends, after start; 0 within the name
	closed   bool         // the tag closes itself: it ends with "/>"
	verbatim string       // the element whose text is next, or was
	script   scriptState  // of its text, if it is a script
	dashes   int          // that end what was looked at of a script in a comment
	rest     commentState // of the comment that goes on

	offset  int64 // of buf[0] in the text
	counted int   // line ends are counted before buf[counted]
	lines   int
	begun   int64 // where the line of buf[counted] begins in the text
	cr      bool  // the byte before buf[counted] is CR
}

// shortestLimit is more than what has to be held together: the name of an end tag,
// and what shorten leaves.
const shortestLimit = 64

// raw returns the token as it is in the page. It is valid until the next one.
func (z *tokenizer) raw() []byte { return z.buf[z.start:z.pos] }

// name returns the name of a start tag, as it is in the page.
func (z *tokenizer) name() []byte { return z.buf[z.start+1 : z.start+z.nameEnd] }

// next goes to the next token.
func (z *tokenizer) next() kind {
	z.start, z.passed = z.pos, false
	if z.verbatim != "" {
		if z.verbatimText(); z.pos > z.start {
			return textToken
		}
		z.verbatim = "" // here is its end tag
	}
	if z.rest != noComment {
		if z.comment(); z.pos > z.start {
			return commentToken
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
					return textToken
				}
				z.start, z.passed = z.pos, true
			}
			return z.markup(c)
		}
		z.pos++
	}
	if z.pos > z.start {
		return textToken
	}
	return noToken
}

// markup goes to the end of what begins at start with "<" and c.
func (z *tokenizer) markup(c byte) kind {
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
		z.comment()
		return commentToken
	case '?':
		z.rest = bogusComment
		z.comment()
		return commentToken
	case '/':
		if !z.holds(3) {
			return textToken
		}
		if !isLetter(z.buf[z.pos]) {
			z.rest = bogusComment
			z.comment()
			return commentToken
		}
		if !z.wholeTag() {
			return noToken
		}
		return endTag
	}
	if !z.wholeTag() {
		return noToken
	}
	switch c | 0x20 {
	case 'i', 'n', 'p', 's', 't', 'x':
		z.verbatim = verbatimElement(z.name())
		z.script = inScript
	}
	return startTag
}

// foreign notes that the start tag is of SVG or MathML, where all elements have markup.
func (z *tokenizer) foreign() { z.verbatim = "" }

// reach returns where that part of buf ends that the token may be in.
func (z *tokenizer) reach() int { return min(len(z.buf), z.start+z.limit) }

// full reports whether the token has come to the limit.
func (z *tokenizer) full() bool { return len(z.buf)-z.start >= z.limit }

// more gets more bytes of the token, if it may have more and there are more.
func (z *tokenizer) more() bool { return !z.full() && z.fill() }

// holds gets the first n bytes of the token, if there are as many.
func (z *tokenizer) holds(n int) bool {
	for len(z.buf)-z.start < n {
		if !z.fill() {
			return false
		}
	}
	return true
}

// fill gets more bytes. What is before the token may go from buf.
func (z *tokenizer) fill() bool {
	if z.src == nil {
		return false
	}
	if len(z.buf) == cap(z.buf) {
		z.makeRoom()
	}
	room := z.buf[len(z.buf):cap(z.buf)]
	if z.ahead > 0 && len(room) > z.ahead {
		room = room[:z.ahead]
	}
	for range 100 {
		n, err := z.src.Read(room)
		if err != nil {
			z.src = nil // also where it gives something
		}
		if n > 0 || err != nil {
			z.buf = z.buf[:len(z.buf)+n]
			return n > 0
		}
	}
	z.src = nil
	return false
}

// makeRoom moves the token to the start of buf, or to a longer one. Each byte is
// moved a few times at most.
func (z *tokenizer) makeRoom() {
	z.count(z.start)
	held := z.buf[z.start:]
	if 2*len(held) > cap(z.buf) {
		z.buf = append(make([]byte, 0, 2*cap(z.buf)), held...)
	} else {
		z.buf = z.buf[:copy(z.buf, held)]
	}
	z.offset += int64(z.start)
	z.counted -= z.start
	z.pos -= z.start
	z.start = 0
}

// count counts the line ends before buf[i].
func (z *tokenizer) count(i int) {
	if i > z.counted {
		z.lines += lineEnds(z.buf[z.counted:i], z.cr)
		z.cr = z.buf[i-1] == '\r'
		if n := bytes.LastIndexAny(z.buf[z.counted:i], "\r\n"); n >= 0 {
			z.begun = z.offset + int64(z.counted+n+1)
		}
		z.counted = i
	}
}

// at returns the offset and the line of buf[i], which is not before one that was asked
// for earlier.
func (z *tokenizer) at(i int) (offset int64, line int) {
	z.count(i)
	return z.offset + int64(i), 1 + z.lines
}

// column returns how many bytes of its line are before buf[i], and one.
func (z *tokenizer) column(i int) int {
	z.count(i)
	return int(z.offset + int64(i) - z.begun + 1)
}

// Bytes by what they mean in tags.
var (
	isWhite     = octets(" \t\n\f\r")
	endsTagName = octets(" \t\n\f\r/>")
	endsName    = octets(" \t\n\f\r/>=")
)

func octets(s string) (set [256]bool) {
	for i := range len(s) {
		set[s[i]] = true
	}
	return set
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
