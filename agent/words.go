package agent

import "strings"

// folds has, for each byte of a header, the byte that takes its place in comparisons: some programs
// write + for a blank. wordBytes has the same byte if words may have it, else 0. Constants need no
// work when a program starts.
const (
	folds = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17" +
		"\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f" + ` !"#$%&'()* ,-./0123456789:;<=>?@` +
		letters + `[\]^_` + "`" + letters + "{|}~\x7f" + highBytes
	wordBytes = nulls8 + nulls8 + nulls8 + nulls8 +
		"\x00!\x00\x00\x00%\x00\x00" + "\x00\x00\x00\x00\x00-.\x00" + "0123456789" + "\x00\x00\x00\x00\x00\x00" +
		"\x00" + letters + "\x00\x00\x00\x00_" + "\x00" + letters + "\x00\x00\x00\x00\x00" + highBytes

	letters   = "abcdefghijklmnopqrstuvwxyz"
	nulls8    = "\x00\x00\x00\x00\x00\x00\x00\x00"
	highBytes = "\x80\x81\x82\x83\x84\x85\x86\x87\x88\x89\x8a\x8b\x8c\x8d\x8e\x8f\x90\x91\x92\x93\x94\x95\x96\x97" +
		"\x98\x99\x9a\x9b\x9c\x9d\x9e\x9f\xa0\xa1\xa2\xa3\xa4\xa5\xa6\xa7\xa8\xa9\xaa\xab\xac\xad\xae\xaf" +
		"\xb0\xb1\xb2\xb3\xb4\xb5\xb6\xb7\xb8\xb9\xba\xbb\xbc\xbd\xbe\xbf\xc0\xc1\xc2\xc3\xc4\xc5\xc6\xc7" +
		"\xc8\xc9\xca\xcb\xcc\xcd\xce\xcf\xd0\xd1\xd2\xd3\xd4\xd5\xd6\xd7\xd8\xd9\xda\xdb\xdc\xdd\xde\xdf" +
		"\xe0\xe1\xe2\xe3\xe4\xe5\xe6\xe7\xe8\xe9\xea\xeb\xec\xed\xee\xef\xf0\xf1\xf2\xf3\xf4\xf5\xf6\xf7" +
		"\xf8\xf9\xfa\xfb\xfc\xfd\xfe\xff"
)

// words iterates over the words of a User-Agent header: the names of products, and the words of
// comments. A word is a run of letters, digits, "-", "_", "!", "%", bytes above 127, and dots
// between them. The text after a word and a slash is a version, or the path of an address, and not
// a word: "bot" is not a word of "Foo/bot" or of "foo.example/bot". An address is one word.
// Parentheses, brackets, semicolons, commas and quotes divide the header into parts.
type words struct {
	text       string
	start, end int    // of the word
	next       int    // start of the search for the next word
	hash       uint32 // of the word; not of an address

	opens   bool // the word is the first of its part of the header
	comma   bool // a comma stands before the word
	joined  bool // one blank separates the word from the one before
	version bool // a version follows
	address bool // the word is a URL, the name of a web server, or a mailbox
	comment bool // the part starts or ends a comment
}

// word returns the word as it stands in the header.
func (w *words) word() string { return w.text[w.start:w.end] }

// step advances to the next word, and reports whether there is one.
func (w *words) step() bool {
	text, i := w.text, w.next
	w.opens, w.comment, w.comma = i == 0, false, false
	for ; ; i++ {
		if i == len(text) {
			return false
		}
		c := text[i]
		if wordBytes[c] != 0 && c != '.' {
			break
		}
		switch c {
		case '(', ')', '[', ']':
			w.opens, w.comment = true, true
		case ',':
			w.opens, w.comma = true, true
		case ';', '"', '|':
			w.opens = true
		}
	}
	w.joined = i == w.end+1 && isBlank(text[w.end])
	w.start = i
	hash := uint32(hashStart)
	for ; i < len(text); i++ {
		c := wordBytes[text[i]]
		if c == 0 || c == '.' && !inWord(text, i) {
			break
		}
		hash = (hash ^ uint32(c)) * hashPrime
	}
	w.end, w.next, w.hash = i, i, hash
	w.version = i < len(text) && text[i] == '/'
	if w.address = w.isAddress(); w.address {
		for i < len(text) && !endsAddress(text[i]) {
			i++
		}
		w.end, w.next = i, i
	} else if w.version {
		w.next = w.pastVersion(i)
	}
	return true
}

// pastVersion returns the end of the version that starts at the slash at i. A name after a second
// slash is a separate word, as in "Firefox/3.6.8/Nutch-1.7", if the version before starts with a
// digit; so is a name that a program has added to "Mozilla/5.0" without a blank.
// "@package_version@", which a build did not replace, is a version. The name of a system is none.
func (w *words) pastVersion(i int) int {
	text := w.text
	if i+1 < len(text) && text[i+1] == '@' {
		end := i + 2
		for end < len(text) && wordBytes[text[end]] != 0 {
			end++
		}
		if end > i+2 && end < len(text) && text[end] == '@' {
			return end + 1
		}
	}
	if namesSystem(text[i+1:]) {
		return i
	}
	numbered := i+1 < len(text) && isDigit(text[i+1])
	mozilla := numbered && equalFold(w.word(), "Mozilla")
	for i++; i < len(text) && (text[i] == '/' || wordBytes[text[i]] != 0); i++ {
		switch {
		case mozilla && isLetter(text[i]):
			return i
		case numbered && text[i] == '/' && i+1 < len(text) && isLetter(text[i+1]):
			return i
		}
	}
	return i
}

// namesSystem reports whether a text starts with the name of a system where others have a version,
// as in "Example/android-2.2" and "Example/iOS".
func namesSystem(text string) bool {
	for _, name := range [...]string{"Android", "iOS", "iPhone", "iPad", "macOS"} {
		if startsFold(text, name) && (len(text) == len(name) || !isLetter(text[len(name)])) {
			return true
		}
	}
	return false
}

// isAddress reports whether an address starts with the word: "http" before
// "://", "www.foo.example", "foo" before "@foo.example".
func (w *words) isAddress() bool {
	word, rest := w.word(), w.text[w.end:]
	if rest != "" {
		switch {
		case rest[0] == ':' && strings.HasPrefix(rest, "://") && (startsFold(word, "http") || startsFold(word, "ftp")):
			return true
		case rest[0] == '@' && isHost(rest[1:]):
			return true
		}
	}
	return startsFold(word, "www.")
}

// isHost reports whether s starts with a name that has letters after its first dot, and is
// therefore not a version.
func isHost(s string) bool {
	for i := 0; i < len(s) && wordBytes[s[i]] != 0; i++ {
		if s[i] == '.' {
			return i > 0 && inWord(s, i) && isLetter(s[i+1])
		}
	}
	return false
}

// inWord reports whether the dot at i is followed by more of its word.
func inWord(text string, i int) bool {
	return i+1 < len(text) && wordBytes[text[i+1]] != 0 && text[i+1] != '.'
}

// endsAddress reports whether c cannot, or hardly ever does, occur at this place of an address.
func endsAddress(c byte) bool {
	switch c {
	case '(', ')', '[', ']', '<', '>', '{', '}', '"', ';', ',', '|':
		return true
	}
	return c <= ' '
}

// isBlank reports whether c separates the words of one name. Some programs write "+" instead of
// blanks.
func isBlank(c byte) bool { return c == ' ' || c == '+' }

// hashOf returns the hash of a name with one blank between its words.
func hashOf(name string) uint32 {
	h := uint32(hashStart)
	for i := 0; i < len(name); i++ {
		h = (h ^ uint32(folds[name[i]])) * hashPrime
	}
	return h
}

// equalFold reports whether two names are equal as they are compared: ignoring the case of ASCII
// letters.
func equalFold(a, b string) bool {
	return len(a) == len(b) && startsFold(a, b)
}

// startsFold reports whether s starts with prefix, as names are compared.
func startsFold(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := 0; i < len(prefix); i++ {
		if folds[s[i]] != folds[prefix[i]] {
			return false
		}
	}
	return true
}
