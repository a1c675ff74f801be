package robots

import (
	"strings"
	"unicode"
)

// isPlain reports whether a name has no byte that can part words, and none of a version.
func isPlain(name string) bool {
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c == '/' || c >= 0x7F || isBreak(rune(c)) {
			return false
		}
	}
	return true
}

// isBreak reports whether c parts the words of a User-Agent header, or of a list of names: white
// space, a mark around or between words, or a character that nobody sees. A "+" stands for a blank
// in some logs, and before an address.
func isBreak(c rune) bool {
	switch c {
	case '(', ')', ';', ',', '+', '"', '\'', '<', '>', '[', ']', '{', '}', '|', '`', '\\', '=', 0x7F, '\uFEFF':
		return true
	}
	return c <= ' ' || c >= 0x80 && (unicode.IsSpace(c) || '\u200B' <= c && c <= '\u200F')
}

// poses has the words, in lower case, by which robots pose as browsers in their headers. They name
// no robot there.
var poses = []string{"mozilla", "compatible", "applewebkit", "khtml", "gecko", "chrome", "safari", "version", "mobile"}

// findInText adds the blocks of the robot that a text with more than a product token names: a token
// with white space around it or a version, or in RFC 9309 a User-Agent header or a list of names.
//
// The first product of a header is the robot's token, unless it is the word of a browser and other
// words follow. If the policy does not name it, the first of the other words that the policy names
// is the token. A word after "like" is the name of another program.
func (s *blockSearch) findInText(r *dialectSpec, text string) {
	text = strings.TrimFunc(text, func(c rune) bool { return c <= ' ' || c >= 0x80 && isBreak(c) })
	token := productToken(text)
	if r.substring {
		s.findToken(r, token)
		return
	}
	posed := isPose(token)
	if !posed {
		s.findToken(r, token)
	}
	for another := false; len(s.blocks) == 0; {
		text = strings.TrimLeftFunc(text, isBreak)
		if text == "" {
			break
		}
		word := text
		if i := strings.IndexFunc(text, isBreak); i >= 0 {
			word = text[:i]
		}
		text = text[len(word):]
		if !another && !isPose(word) {
			s.findToken(r, productToken(word))
		}
		another = equalFold(word, "like")
	}
	if posed && len(s.blocks) == 0 {
		s.findToken(r, token)
	}
}

// isPose reports whether a word, with or without a version, is one of poses.
func isPose(word string) bool {
	word = productToken(word)
	for _, pose := range poses {
		if equalFold(word, pose) {
			return true
		}
	}
	return false
}
