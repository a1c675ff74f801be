package htmltoken

import "bytes"

// verbatimElement returns the name of an element without markup in lower case, or "" for other
// elements.
func verbatimElement(name []byte) string {
	if len(name) < len(verbatimElements) {
		for _, element := range verbatimElements[len(name)] {
			if EqualFold(name, element) {
				return element
			}
		}
	}
	return ""
}

// verbatimElements has the elements without markup, by the length of their names.
var verbatimElements = [...][]string{
	3: {"xmp"},
	5: {"style", "title"},
	6: {"iframe", "script"},
	7: {"noembed"},
	8: {"noframes", "textarea"},
	9: {"plaintext"},
}

// verbatimText moves to the end tag of an element without markup, or to the limit.
func (z *Tokenizer) verbatimText() {
	if z.verbatim == "script" {
		z.scriptText()
		return
	}
	for {
		b := z.buf[:z.reach()]
		i := -1
		if z.verbatim != "plaintext" { // plaintext has no end tag
			i = bytes.IndexByte(b[z.pos:], '<')
		}
		if i < 0 {
			z.pos = len(b)
			if z.more() {
				continue
			}
			return
		}
		z.pos += i
		switch startsTag(b[z.pos:], "</", z.verbatim) {
		case yes:
			return
		case no:
			z.pos++
		case perhaps:
			if !z.more() {
				if !z.full() {
					z.pos = len(z.buf)
				}
				return
			}
		}
	}
}

// An answer says whether a text begins with a tag. perhaps means that more bytes are needed.
type answer uint8

const (
	no answer = iota
	yes
	perhaps
)

// startsTag says whether text begins with a tag, which is open and name, ignoring the case of
// ASCII letters.
func startsTag(text []byte, open, name string) answer {
	for i := range len(open) + len(name) {
		switch {
		case i == len(text):
			return perhaps
		case i < len(open):
			if text[i] != open[i] {
				return no
			}
		case lowerByte(text[i]) != name[i-len(open)]:
			return no
		}
	}
	switch n := len(open) + len(name); {
	case n == len(text):
		return perhaps
	case endsTagName[text[n]]:
		return yes
	}
	return no
}
