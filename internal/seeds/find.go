package seeds

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// A finder finds the URLs in a text as a person sees them: up to white space, a quote, a
// bracket that was not opened in them, or the end of a sentence.
type finder struct {
	// found takes a URL, which may begin with www. instead of a scheme, and how many
	// lines before the last one it began. The URL is valid until found returns.
	found func(url []byte, back int)

	cut   []byte // a URL in angle brackets that ends with its line, as far as it goes
	lines int    // that it has
	quote bool   // its first line was that of a quotation, in mail
}

// maxCut is how many lines a URL in angle brackets may have.
const maxCut = 8

// line finds the URLs in a line, without its end.
func (f *finder) line(text []byte) {
	i := 0
	if len(f.cut) > 0 {
		i = f.goOn(text)
		if len(f.cut) > 0 {
			return
		}
	}
	colon, w := -1, -1 // where the next of each may be, from i on
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

// index returns where c is in text, from i on, or its length.
func index(text []byte, i int, c byte) int {
	if n := bytes.IndexByte(text[i:], c); n >= 0 {
		return i + n
	}
	return len(text)
}

// indexWWW returns where a name that begins with www. is in text, from i on, or its
// length. It is no part of another word, nor of an address of mail.
func indexWWW(text []byte, i int) int {
	for ; ; i++ {
		if i = index(text, i, '.'); i == len(text) {
			return i
		}
		start := i - len("www")
		if start < 0 || !bytes.EqualFold(text[start:i], []byte("www")) {
			continue
		}
		if start > 0 && (isWord(text[start-1]) || bytes.IndexByte([]byte("@./-_%=&?:#~"), text[start-1]) >= 0) && !afterURL(text, start) {
			continue
		}
		return start
	}
}

// afterURL reports whether what comes before start is the "URL:" that RFC 3986,
// appendix C has.
func afterURL(text []byte, start int) bool {
	return start >= 4 && bytes.EqualFold(text[start-4:start], []byte("URL:"))
}

func isWord(c byte) bool { return isDigit(c) || isLetter(c) }

// schemeStart returns where http or https begins that ends before a colon, not before
// from; less than 0 if there is none. A letter may stand before it, in a text that has
// lost its blanks.
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

// closers are what ends a URL if it stands directly after an opening one.
var closers = map[byte]byte{'\'': '\'', '|': '|'}

// at takes the URL that begins at start, whose host begins at host, if it is one. It
// returns where to go on.
func (f *finder) at(text []byte, start, host int, www bool) int {
	if www && bytes.Count(text[start:start+nameEnd(text[start:])], []byte{'.'}) < 2 {
		return start + len("www.")
	}
	end := urlEnd(text, start, host)
	if end == host && !www {
		return host
	}
	if opened, quoted := openedBefore(text, start); end == len(text) && opened && bytes.IndexByte(text[start:], '>') < 0 {
		f.cut, f.lines, f.quote = append(f.cut[:0], text[start:]...), 1, quoted
		return len(text)
	}
	url := text[start : start+trimEnd(text[start:end])]
	if last := len(url) - 1; start > 0 && last > 0 && url[last] == text[start-1] && bytes.IndexByte([]byte("_~"), url[last]) >= 0 {
		url = url[:last] // _http://example.com/_ is emphasis
	}
	f.found(url, 0)
	return end
}

// openedBefore reports whether a < comes before a URL, or <URL: and white space (RFC
// 3986, appendix C), and whether the line is one of a quotation.
func openedBefore(text []byte, start int) (opened, quoted bool) {
	before := bytes.TrimRight(text[:start], " \t")
	if n := len(before) - len("URL:"); n >= 0 && bytes.EqualFold(before[n:], []byte("URL:")) {
		before = before[:n]
	} else if len(before) < start {
		return false, false
	}
	return bytes.HasSuffix(before, []byte("<")), bytes.HasPrefix(bytes.TrimLeft(text, " \t"), []byte(">"))
}

// goOn takes a line for the URL in angle brackets that the lines before it began. It
// returns where in the line it ends. If it does not go on here, what there was of it is
// a URL.
func (f *finder) goOn(text []byte) int {
	i := 0
	if f.quote { // the marks of a quotation
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
		f.finish(f.lines)
		return 0
	}
	f.cut = append(f.cut, rest[:end]...)
	if f.lines++; closed {
		f.found(f.cut, f.lines-1)
		f.cut = f.cut[:0]
		return i + end
	}
	return len(text)
}

// finish takes what there is of a URL in angle brackets that are not closed, which
// began so many lines before the last one.
func (f *finder) finish(back int) {
	if len(f.cut) > 0 {
		f.found(f.cut[:trimEnd(f.cut)], back)
		f.cut = f.cut[:0]
	}
}

// urlEnd returns where the URL ends that begins at start, before the end of a sentence
// is cut off; host if it is none.
func urlEnd(text []byte, start, host int) int {
	i := host
	if end := bytes.IndexAny(text[i:min(len(text), i+256)], "/?#@ <>\"\t"); end >= 0 && text[i+end] == '@' {
		i += end + 1 // behind the name of a user
	}
	n := hostEnd(text[i:])
	if name := text[i : i+n]; n == 0 || bytes.EqualFold(name, []byte("http")) || bytes.EqualFold(name, []byte("https")) {
		return host
	}
	if i += n; i < len(text) && text[i] == '.' {
		i++ // of the root, or the end of a sentence
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

// markup are entities of HTML, in a text that is a page as it is written, that are what
// no URL has in it.
var markup = [...]string{"&lt;", "&gt;", "&quot;", "&#34;", "&#39;", "&apos;", "&nbsp;"}

func isMarkup(text []byte) bool {
	for _, m := range markup {
		if bytes.HasPrefix(text, []byte(m)) {
			return true
		}
	}
	return false
}

// ends reports whether a character that is not of ASCII ends a URL: white space, what
// cannot be seen, quotes, brackets, dashes of sentences, and the full stops and commas
// of Chinese and Japanese. Other punctuation is in the names of pages, such as "–".
func ends(c rune) bool {
	switch {
	case c == '\u200c' || c == '\u200d': // within words of Persian and of India
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

// trimEnd returns the length of a URL without what belongs to the sentence around it:
// its full stop or comma, and brackets that nothing follows.
func trimEnd(url []byte) int {
	n := len(url)
	for n > 0 && bytes.IndexByte([]byte(".,;:!?'*|([{"), url[n-1]) >= 0 {
		n--
	}
	return n
}
