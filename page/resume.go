package page

import (
	"bytes"

	"golang.org/x/net/html"
)

// straddle is more octets than a piece of markup has that ends a text or a
// script, such as </noframes>. That many are read again where a text goes on.
const straddle = 16

// goOn continues after a tag or text that is too long for the tokenizer, which
// has stopped in it. A new one begins where the old one stopped. It gets first
// what brings it into the state that the old one was in, in a few octets, so that
// nothing of the long piece is held.
func (s *scanner) goOn(token html.TokenType, raw []byte) {
	var prefix string
	tail := raw[max(0, len(raw)-straddle):]
	switch token {
	case html.CommentToken, html.DoctypeToken:
		prefix = "<?x" // a declaration, which the next > ends
		if bytes.HasPrefix(raw, []byte("<!--")) {
			prefix = "<!--x"
		}
	case html.ErrorToken:
		s.doc.Cut |= CutTag
		// The tokenizer has not looked at the last octet.
		prefix, tail = unfinishedTag(raw[:len(raw)-1]), raw[len(raw)-1:]
	default:
		if s.verbatim == "title" && s.titled {
			s.doc.Cut |= CutText
		}
		if s.verbatim == "script" {
			prefix, tail = unfinishedScript(raw)
		}
		if s.verbatim != "" {
			prefix = "<" + s.verbatim + ">" + prefix
		}
	}
	s.source.unread(prefix, append(bytes.Clone(tail), s.z.Buffered()...))
	s.z = s.tokenizer()
}

// unfinishedScript returns what brings the tokenizer to where the text of a
// script ends, and the part of the text that it is to see again. In a comment a
// script may hold the tags of another one (HTML, section 13.2.5.15 and after).
func unfinishedScript(raw []byte) (prefix string, tail []byte) {
	const (
		open   = "<!--"
		inside = "<!--x"
		nested = "<!--<script>"
	)
	text := raw[:len(raw)-1] // the tokenizer has not looked at the last octet
	end := 0                 // of what decides the state
	for i := 0; i < len(text); i++ {
		if prefix == "" {
			next := bytes.Index(text[i:], []byte(open))
			if next < 0 {
				break
			}
			i += next + len("<!") - 1 // its dashes may end the comment too
			prefix, end = open, i+1
			continue
		}
		switch rest := text[i:]; {
		case text[i] == '-' && bytes.HasPrefix(rest, []byte("-->")):
			i += len("-->") - 1
			prefix, end = "", i+1
		case text[i] == '<' && prefix != nested && isTag(rest, "script"):
			prefix, end = nested, i+len("<script>")
		case text[i] == '<' && prefix == nested && len(rest) > 1 && rest[1] == '/' && isTag(rest[1:], "script"):
			prefix, end = inside, i+len("</script>")
		}
	}
	return prefix, raw[max(end, len(raw)-straddle):]
}

// unfinishedTag returns a tag with the name of raw that has come as far: it is
// before the name of an attribute, in it, after it, before its value, or in it.
func unfinishedTag(raw []byte) string {
	const white = " \t\n\f\r"
	end := bytes.IndexAny(raw, white)
	if slash := bytes.IndexByte(raw[2:], '/'); slash >= 0 && (end < 0 || slash+2 < end) {
		end = slash + 2
	}
	if end < 0 || end > straddle {
		// No element that matters has a name as long.
		prefix := string(raw[:2]) + "x"
		if end < 0 {
			return prefix
		}
		return prefix + attributeState(raw[end:])
	}
	return string(raw[:end]) + attributeState(raw[end:])
}

// attributeState returns an attribute, or a part of one, after which the
// tokenizer is where it is after text.
func attributeState(text []byte) string {
	const (
		before = " "     // the name of an attribute
		name   = " x"    // in it
		after  = " x "   // after it
		equal  = " x="   // before its value
		double = ` x="x` // in it
		single = " x='x"
		plain  = " x=x"
	)
	state := before
	for _, c := range text {
		white := c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'
		switch state {
		case before:
			if !white && c != '/' {
				state = name
			}
		case name:
			switch {
			case white:
				state = after
			case c == '/':
				state = before
			case c == '=':
				state = equal
			}
		case after:
			switch {
			case white:
			case c == '/':
				state = before
			case c == '=':
				state = equal
			default:
				state = name
			}
		case equal:
			switch {
			case white:
			case c == '"':
				state = double
			case c == '\'':
				state = single
			default:
				state = plain
			}
		case double:
			if c == '"' {
				state = before
			}
		case single:
			if c == '\'' {
				state = before
			}
		case plain:
			if white {
				state = before
			}
		}
	}
	return state
}
