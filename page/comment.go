package page

import "bytes"

// A commentState is where a comment is.
type commentState uint8

const (
	noComment     commentState = iota // it has ended
	openComment                       // after <!--
	restOfComment                     // a piece of it was given
	bogusComment                      // a declaration or the like, which ends with the next >
)

// comment goes to the end of a comment, or to the limit.
func (z *tokenizer) comment() {
	for {
		b := z.buf[:z.reach()]
		i := bytes.IndexByte(b[z.pos:], '>')
		if i >= 0 {
			z.pos += i + 1
			if z.rest == bogusComment || endsComment(b[z.start:z.pos-1], z.rest == openComment) {
				z.rest = noComment
				return
			}
			continue
		}
		z.pos = len(b)
		if z.more() {
			continue
		}
		switch {
		case !z.full():
			z.rest = noComment // nor is there anything else
		case z.rest != bogusComment:
			z.rest = restOfComment
			z.pos -= len("--!") // they may end it
		}
		return
	}
}

// endsComment reports whether a comment, or a piece of it, is at its end where > follows.
func endsComment(text []byte, opened bool) bool {
	if opened {
		text = text[len("<!--"):]
		if len(text) == 0 || len(text) == 1 && text[0] == '-' {
			return true
		}
	}
	return bytes.HasSuffix(text, dashDash) || bytes.HasSuffix(text, dashDashBang)
}

var dashDash, dashDashBang = []byte("--"), []byte("--!")
