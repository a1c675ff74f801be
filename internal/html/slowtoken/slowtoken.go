// Package slowtoken is the slow twin of htmltoken, for tests: the tokenizer of
// golang.org/x/net/html, which looks at the bytes one by one, and the states of scripts of the
// standard, which that tokenizer does not follow everywhere. Noscript has markup in it.
package slowtoken

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
)

// A Tokenizer cuts a page into tokens. SVG and MathML are elements like others to it.
type Tokenizer struct {
	*html.Tokenizer
	rest   []byte // of the page, after the last token
	script bool   // rest begins with the text of a script
}

// New returns a tokenizer of a page.
func New(data []byte) *Tokenizer {
	return &Tokenizer{Tokenizer: html.NewTokenizer(bytes.NewReader(data)), rest: data}
}

// Next returns the next token, and the token as written. At the end of the page it returns the
// zero token and the tag that the page ends in.
func (z *Tokenizer) Next() (token html.Token, raw string) {
	if z.script {
		z.script = false
		n := scriptLen(z.rest)
		raw, z.rest = string(z.rest[:n]), z.rest[n:]
		z.Tokenizer = html.NewTokenizer(bytes.NewReader(z.rest))
		if n > 0 {
			data := strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\uFFFD").Replace(raw)
			return html.Token{Type: html.TextToken, Data: data}, raw
		}
	}
	kind := z.Tokenizer.Next()
	raw = string(z.Raw())
	if kind == html.ErrorToken {
		return html.Token{}, raw
	}
	token = z.Token()
	z.rest = z.rest[len(raw):]
	if kind == html.StartTagToken || kind == html.SelfClosingTagToken {
		z.script = token.Data == "script"
		if token.Data == "noscript" {
			z.NextIsNotRawText()
		}
	}
	return token, raw
}

// scriptLen returns the length of the text of a script. It goes through the states of HTML,
// sections 13.2.5.4 and 13.2.5.15 to 13.2.5.31, a byte at a time. In the names of the states,
// "escaped" means the text after <!--, and "double escaped" the text after <script there.
func scriptLen(data []byte) int {
	state, name := "script data", ""
	tag := 0 // where the last "<" is
	for i := 0; i < len(data); {
		c := data[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		ends := strings.IndexByte("\t\n\f\r />", c) >= 0 // a CR is an LF to the standard
		switch state {
		case "script data":
			if c == '<' {
				state, tag = "less-than sign", i
			}
		case "less-than sign":
			switch c {
			case '/':
				state = "end tag open"
			case '!':
				state = "escape start"
			default:
				state = "script data"
				continue
			}
		case "end tag open", "escaped end tag open":
			back := strings.TrimSuffix(state, " end tag open")
			if back == state {
				back = "script data"
			}
			if !letter {
				state = back
				continue
			}
			if name, state = "", "end tag name"; back == "escaped" {
				state = "escaped end tag name"
			}
			continue
		case "end tag name", "escaped end tag name":
			switch {
			case ends && name == "script":
				return tag
			case letter:
				name += string(c | 0x20)
			default:
				if state = strings.TrimSuffix(state, " end tag name"); state != "escaped" {
					state = "script data"
				}
				continue
			}
		case "escape start", "escape start dash":
			switch {
			case c != '-':
				state = "script data"
				continue
			case state == "escape start":
				state = "escape start dash"
			default:
				state = "escaped dash dash"
			}
		case "escaped", "escaped dash", "escaped dash dash", "double escaped", "double escaped dash",
			"double escaped dash dash":
			base := "escaped"
			if strings.HasPrefix(state, "double") {
				base = "double escaped"
			}
			switch {
			case c == '-' && state == base:
				state = base + " dash"
			case c == '-':
				state = base + " dash dash"
			case c == '<':
				state, tag = base+" less-than sign", i
			case c == '>' && state == base+" dash dash":
				state = "script data"
			default:
				state = base
			}
		case "escaped less-than sign":
			switch {
			case c == '/':
				state = "escaped end tag open"
			case letter:
				name, state = "", "double escape start"
				continue
			default:
				state = "escaped"
				continue
			}
		case "double escaped less-than sign":
			if c != '/' {
				state = "double escaped"
				continue
			}
			name, state = "", "double escape end"
		case "double escape start", "double escape end":
			in, out := "double escaped", "escaped"
			if state == "double escape end" {
				in, out = out, in
			}
			switch {
			case ends && name == "script":
				state = in
			case ends:
				state = out
			case letter:
				name += string(c | 0x20)
			default:
				state = out
				continue
			}
		}
		i++
	}
	return len(data)
}
