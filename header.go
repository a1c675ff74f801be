package robots

// isPlain reports whether a name has no byte that can part words, and none of a version.
func isPlain(name string) bool {
	for i := range len(name) {
		if c := name[i]; c == '/' || c >= 0x80 || isBreak(rune(c)) {
			return false
		}
	}
	return true
}

// isBreak reports whether c parts the words of a User-Agent header, or of a list of names: white
// space, a character that nobody sees, or a mark such as "(", ";" and ",", but not "-", ".", "/",
// "@" and "_". A "+" stands for a blank in some logs, and before an address.
func isBreak(c rune) bool {
	return c <= ',' || ':' <= c && c <= '?' || '[' <= c && c <= '^' || isUnseen(c)
}

// isUnseen reports whether c is white space, a control character, or a character that texts have
// around words and nobody sees or types: General Punctuation of Unicode, with its quotes, and the
// byte order mark.
func isUnseen(c rune) bool {
	return c <= ' ' || 0x7F <= c && c <= 0xA0 || 0x2000 <= c && c <= 0x206F || c == 0x3000 || c == 0xFEFF
}

// nextWord returns the first word of a text, without its version, and the text after the word. The
// word is empty if there is none. Where "%" parts words, so does a mark that a log has escaped,
// such as "%20".
func nextWord(text string, parts func(c rune) bool) (word, rest string) {
	start, end, past := -1, len(text), 0
	for i, c := range text {
		if !parts(c) {
			if start < 0 && i >= past {
				start = i
			}
			continue
		}
		if start >= 0 {
			end = i
			break
		}
		if isEscape(text[i:]) {
			past = i + 3
		}
	}
	if start < 0 {
		return "", ""
	}
	return productToken(text[start:end]), text[end:]
}

// isEscape reports whether a text starts with an escaped blank or mark: "%20" to "%3F".
func isEscape(text string) bool {
	return len(text) > 2 && text[0] == '%' && (text[1] == '2' || text[1] == '3') &&
		('0' <= text[2] && text[2] <= '9' || 'a' <= text[2]|0x20 && text[2]|0x20 <= 'f')
}

// poses has the words, in lower case, by which robots pose as browsers in their headers. They name
// no robot there.
var poses = [...]string{"mozilla", "compatible", "applewebkit", "khtml", "gecko", "chrome", "safari", "version",
	"mobile"}

// isPose reports whether a product token is one of poses.
func isPose(token string) bool {
	for _, pose := range poses {
		if equalFold(token, pose) {
			return true
		}
	}
	return false
}

// findInText adds the blocks of the robot that a text with more than a product token names: a token
// with white space around it or a version, or in RFC 9309 a User-Agent header or a list of names.
//
// The first product of a header is the robot's token, unless it is the word of a browser and other
// words follow. If the policy does not name it, the first of the other words that the policy names
// is the token. A word after "like" is the name of another program.
func (s *blockSearch) findInText(r *dialectSpec, text string) {
	first, _ := nextWord(text, isUnseen)
	posed := !r.substring && isPose(first)
	if !posed {
		s.findToken(r, first)
	}
	for before := ""; len(s.blocks) == 0 && text != "" && !r.substring; {
		var word string
		if word, text = nextWord(text, isBreak); !equalFold(before, "like") && !isPose(word) {
			s.findToken(r, word)
		}
		before = word
	}
	if posed && len(s.blocks) == 0 {
		s.findToken(r, first)
	}
}
