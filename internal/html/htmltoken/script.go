package htmltoken

import "bytes"

// A scriptState is the state of the tokenizer in the text of a script. A comment in the text
// may contain nested script tags (HTML, section 13.2.5.15 and after).
type scriptState uint8

const (
	inScript       scriptState = iota
	inComment                  // after <!--
	inNestedScript             // after <!-- and <script>
)

// scriptText reads to the end tag of a script, or to the limit.
func (z *Tokenizer) scriptText() {
	for {
		b := z.buf[:z.reach()]
		if z.pos += z.scriptMarkup(b[z.pos:]); z.pos < len(b) {
			switch z.scriptTag(b[z.pos:]) {
			case yes:
				return
			case no:
				continue
			}
		}
		if z.more() {
			continue
		}
		if !z.full() {
			z.pos = len(z.buf)
		}
		return
	}
}

// scriptMarkup returns the index of the first "<" in the text of a script, or the length of the
// text. Within a comment it also records the end of the comment.
func (z *Tokenizer) scriptMarkup(text []byte) (i int) {
	for z.script != inScript && i < len(text) {
		switch text[i] {
		case '<':
			return i
		case '-':
			z.dashes++
		case '>':
			if z.dashes >= 2 {
				z.script = inScript
			}
			z.dashes = 0
		default:
			z.dashes = 0
		}
		i++
	}
	if n := bytes.IndexByte(text[i:], '<'); n >= 0 {
		return i + n
	}
	return len(text)
}

// scriptTag handles a "<" at the start of text, which is a part of a script. If the script's
// end tag begins there, scriptTag returns yes. Otherwise it moves past the "<" or the tag, and
// updates the state.
func (z *Tokenizer) scriptTag(text []byte) answer {
	if len(text) == 1 {
		return perhaps
	}
	n, state := 1, z.script
	switch c := text[1]; {
	case c == '/':
		switch startsTag(text, "</", "script") {
		case perhaps:
			return perhaps
		case yes:
			if state != inNestedScript {
				return yes
			}
			n, state = len("</script>"), inComment
		}
	case state == inNestedScript:
	case state == inComment && isLetter(c):
		switch startsTag(text, "<", "script") {
		case perhaps:
			return perhaps
		case yes:
			n, state = len("<script>"), inNestedScript
		}
	case state == inComment:
	case c == '!':
		const open = "<!--"
		if m := min(len(text), len(open)); string(text[:m]) == open[:m] {
			if m < len(open) {
				return perhaps
			}
			z.pos += m
			z.script, z.dashes = inComment, 2 // the dashes may also end the comment
			return no
		}
	}
	z.pos += n
	z.script, z.dashes = state, 0
	return no
}
