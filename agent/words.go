package agent

import "strings"

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
	w.opens, w.comment = i == 0, false
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
		case ';', ',', '"', '|':
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
// "@package_version@", which a build did not replace, is a version.
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
