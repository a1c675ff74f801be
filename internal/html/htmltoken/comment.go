package htmltoken

import "bytes"

// A commentState is the state of the tokenizer in a comment.
type commentState uint8

const (
	noComment     commentState = iota // the comment has ended
	openComment                       // after <!--
	restOfComment                     // after the first piece
	bogusComment                      // in a declaration, a processing instruction and similar; ends with the next >
	cdataSection                      // in SVG or MathML: text up to ]]>
)

const cdataStart = "<![CDATA["

// comment reads to the end of a comment, or to the limit.
func (z *Tokenizer) comment() Kind {
	kind := Comment
	if z.rest == cdataSection {
		kind = CDATA
	}
	for {
		b := z.buf[:z.reach()]
		i := bytes.IndexByte(b[z.pos:], '>')
		if i >= 0 {
			z.pos += i + 1
			if z.ends(b[z.start : z.pos-1]) {
				z.rest = noComment
				return kind
			}
			continue
		}
		z.pos = len(b)
		if z.more() {
			continue
		}
		switch {
		case !z.full():
			z.rest = noComment // the page has ended
		case z.rest != bogusComment:
			if z.rest == openComment {
				z.rest = restOfComment
			}
			z.pos -= len("--!") // these bytes may be a part of the comment's end
		}
		return kind
	}
}

// ends reports whether a ">" after text ends the comment. Text is the comment so far, or a
// later piece of it.
func (z *Tokenizer) ends(text []byte) bool {
	switch z.rest {
	case bogusComment:
		return true
	case cdataSection:
		return bytes.HasSuffix(text, brackets)
	}
	return endsComment(text, z.rest == openComment)
}

// endsComment reports whether a ">" after text ends the comment. opened says that text begins
// with "<!--".
func endsComment(text []byte, opened bool) bool {
	if opened {
		text = text[len("<!--"):]
		if len(text) == 0 || len(text) == 1 && text[0] == '-' {
			return true
		}
	}
	return bytes.HasSuffix(text, dashDash) || bytes.HasSuffix(text, dashDashBang)
}

var dashDash, dashDashBang, brackets = []byte("--"), []byte("--!"), []byte("]]")
