package seeds

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// A finder finds URLs in a text as a person sees them: up to white space, a quote, a
// bracket that was not opened inside, or the end of a sentence.
type finder struct {
	// found receives a URL, which may begin with www. instead of a scheme. The URL is
	// valid until found returns.
	found func(url []byte)

	cut   []byte // a URL in angle brackets that reached the end of its line, so far
	lines int    // number of its lines
	quote bool   // its first line was a quotation in mail
}

// maxCut limits the lines of a URL in angle brackets.
const maxCut = 8

// line finds the URLs in a line without its end.
func (f *finder) line(text []byte) {
	i := 0
	if len(f.cut) > 0 {
		i = f.goOn(text)
		if len(f.cut) > 0 {
			return
		}
	}
	colon, w := -1, -1 // the next colon and the next "www.", from i on
	for {
		if colon < i {
			colon = index(text, i, ':')
		}
		if w < i {
			w = indexWWW(text, i)
		}
		switch {
		case w < colon:
			i = f.at(text, w, w, true)
		case colon < len(text):
			if start := schemeStart(text, i, colon); start >= 0 {
				i = f.at(text, start, colon+len("://"), false)
			} else {
				i = colon + 1
			}
		default:
			return
		}
	}
}

// index returns the index of c in text, from i on, or the length of text.
func index(text []byte, i int, c byte) int {
	if n := bytes.IndexByte(text[i:], c); n >= 0 {
		return i + n
	}
	return len(text)
}

// indexWWW returns the index of a name that begins with www., from i on, or the length
// of text. The name is not part of another word, nor of a mail address.
func indexWWW(text []byte, i int) int {
	for ; ; i++ {
		if i = index(text, i, '.'); i == len(text) {
			return i
		}
		start := i - len("www")
		if start < 0 || !bytes.EqualFold(text[start:i], []byte("www")) {
			continue
		}
		if start > 0 && (isWord(text[start-1]) || bytes.IndexByte([]byte("@./-_%=&?:#~"), text[start-1]) >= 0) &&
			!afterURL(text, start) {
			continue
		}
		return start
	}
}

// afterURL reports whether "URL:" precedes start (RFC 3986, appendix C).
func afterURL(text []byte, start int) bool {
	return start >= 4 && bytes.EqualFold(text[start-4:start], []byte("URL:"))
}

func isWord(c byte) bool { return isDigit(c) || isLetter(c) }

// schemeStart returns the start of http or https before a colon, at from or later; less
// than 0 if there is none. A letter may precede the scheme, in a text that has lost its
// blanks.
func schemeStart(text []byte, from, colon int) int {
	if !bytes.HasPrefix(text[colon:], []byte("://")) {
		return -1
	}
	end := colon
	if end > from && text[end-1]|0x20 == 's' {
		end--
	}
	start := end - len("http")
	if start < from || !bytes.EqualFold(text[start:end], []byte("http")) {
		return -1
	}
	return start
}

// closers maps a character before a URL to the character that then ends the URL.
var closers = map[byte]byte{'\'': '\'', '|': '|'}

// at handles the URL that begins at start, with its host at host, if it is one. It
// returns the index to continue at.
func (f *finder) at(text []byte, start, host int, www bool) int {
	if www && bytes.Count(text[start:start+nameEnd(text[start:])], []byte{'.'}) < 2 {
		return start + len("www.")
	}
	end := urlEnd(text, start, host)
	if end == host && !www {
		return host
	}
	if opened, quoted := openedBefore(text, start); end == len(text) && opened &&
		bytes.IndexByte(text[start:], '>') < 0 {
		f.cut, f.lines, f.quote = append(f.cut[:0], text[start:]...), 1, quoted
		return len(text)
	}
	url := text[start : start+trimEnd(text[start:end])]
	if last := len(url) - 1; start > 0 && last > 0 && url[last] == text[start-1] &&
		bytes.IndexByte([]byte("_~"), url[last]) >= 0 {
		url = url[:last] // in _http://example.com/_ the underscores are emphasis
	}
	f.found(url)
	return end
}

// openedBefore reports whether a < precedes a URL, or <URL: and white space (RFC 3986,
// appendix C), and whether the line is a quotation.
func openedBefore(text []byte, start int) (opened, quoted bool) {
	before := bytes.TrimRight(text[:start], " \t")
	if n := len(before) - len("URL:"); n >= 0 && bytes.EqualFold(before[n:], []byte("URL:")) {
		before = before[:n]
	} else if len(before) < start {
		return false, false
	}
	return bytes.HasSuffix(before, []byte("<")), bytes.HasPrefix(bytes.TrimLeft(text, " \t"), []byte(">"))
}

// goOn continues the URL in angle brackets from the previous lines. It returns the
// index of its end in the line. If the URL does not continue here, the part before is a
// URL.
func (f *finder) goOn(text []byte) int {
	i := 0
	if f.quote { // the quotation marks of mail
		for i < len(text) && (text[i] == '>' || text[i] == ' ' || text[i] == '\t') {
			i++
		}
	}
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	rest := text[i:]
	end := 0
	for end < len(rest) && rest[end] > ' ' && bytes.IndexByte([]byte("<>\"`\\"), rest[end]) < 0 {
		end++
	}
	closed := end < len(rest) && rest[end] == '>'
	more := len(bytes.TrimRight(rest[end:], " \t")) == 0 && f.lines < maxCut
	if end == 0 && !closed || !closed && !more || len(f.cut)+end > maxURL || bytes.Contains(rest[:end], []byte("://")) {
		f.finish()
		return 0
	}
	f.cut = append(f.cut, rest[:end]...)
	if f.lines++; closed {
		f.found(f.cut)
		f.cut = f.cut[:0]
		return i + end
	}
	return len(text)
}

// finish ends a URL in an unclosed angle bracket.
func (f *finder) finish() {
	if len(f.cut) > 0 {
		f.found(f.cut[:trimEnd(f.cut)])
		f.cut = f.cut[:0]
	}
}

// urlEnd returns the end of the URL that begins at start, before the end of a sentence
// is trimmed; host if there is no URL.
func urlEnd(text []byte, start, host int) int {
	i := host
	if end := bytes.IndexAny(text[i:min(len(text), i+256)], "/?#@ <>\"\t"); end >= 0 && text[i+end] == '@' {
		i += end + 1 // after the user name
	}
	n := hostEnd(text[i:])
	if name := text[i : i+n]; n == 0 || bytes.EqualFold(name, []byte("http")) ||
		bytes.EqualFold(name, []byte("https")) {
		return host
	}
	if i += n; i < len(text) && text[i] == '.' {
		i++ // the dot of the root, or the end of a sentence
	}
	if i == len(text) || text[i] != '/' && text[i] != '?' && text[i] != '#' {
		return i
	}
	var closer byte
	if start > 0 {
		closer = closers[text[start-1]]
	}
	var round, square, curly int
	for i < len(text) {
		c := text[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRune(text[i:])
			if ends(r) && n > 1 {
				return i
			}
			i += n
			continue
		}
		ended := false
		switch c {
		case '<', '>', '"', '`', '\\', 0x7f:
			return i
		case '(':
			round++
		case '[':
			square++
		case '{':
			curly++
		case ')':
			round--
			ended = round < 0
		case ']':
			square--
			ended = square < 0
		case '}':
			curly--
			ended = curly < 0
		case '&':
			ended = isMarkup(text[i:])
		}
		if ended || c <= ' ' || c == closer && c != 0 {
			return i
		}
		i++
	}
	return i
}

// markup lists HTML entities, in the source of a page read as text, that stand for
// characters no URL has.
var markup = [...]string{"&lt;", "&gt;", "&quot;", "&#34;", "&#39;", "&apos;", "&nbsp;"}

func isMarkup(text []byte) bool {
	for _, m := range markup {
		if bytes.HasPrefix(text, []byte(m)) {
			return true
		}
	}
	return false
}

// ends reports whether a non-ASCII character ends a URL: white space, invisible
// characters, quotes, brackets, dashes of sentences, and the full stops and commas of
// Chinese and Japanese. Other punctuation occurs in the names of pages, such as "–".
func ends(c rune) bool {
	switch {
	case c == '\u200c' || c == '\u200d': // within words of Persian and Indian languages
		return false
	case unicode.In(c, unicode.Z, unicode.Cc, unicode.Cf, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf):
		return true
	case c == '\u2014', c == '\u2015', c == '\u2026':
		return true
	case 0x3000 <= c && c <= 0x303f, 0xfe10 <= c && c <= 0xfe6f, 0xff00 <= c && c <= 0xff65:
		return unicode.IsPunct(c)
	}
	return false
}

// trimEnd returns the length of a URL without the punctuation of the sentence around
// it: a full stop or comma, and trailing brackets.
func trimEnd(url []byte) int {
	n := len(url)
	for n > 0 && bytes.IndexByte([]byte(".,;:!?'*|([{"), url[n-1]) >= 0 {
		n--
	}
	return n
}
