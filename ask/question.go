package ask

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"unicode/utf8"
)

// A question is a line of the ask protocol in its common form: one object whose members, except
// the text, are strings without escapes. The fields are slices of the line.
type question struct {
	id                  []byte // as written, or nil
	agent, url, dialect []byte

	// member is the name of the member with the text, or "", and literal is its string as
	// written, with quotes. If same is set, the text is the known text, and literal is empty.
	member  string
	literal []byte
	same    bool
}

var anyone = []byte("*")

// The members of a question.
const (
	memberID = 1 << iota
	memberAgent
	memberURL
	memberDialect
	memberText
)

// scan parses a line, in one pass and without allocating. ok is false if the line is not in the
// common form; [conformance.ParseQuestion] then parses the line. Where ok is true,
// ParseQuestion gives the same result.
func (q *question) scan(line []byte, known *currentText) (ok bool) {
	*q = question{agent: anyone}
	s := lineScanner{line: line}
	if !s.next('{') {
		return false
	}
	seen := 0
	for {
		name, ok := s.plainString()
		if !ok || !s.next(':') {
			return false
		}
		member := 0
		switch string(name) {
		case "id":
			member = memberID
			q.id, ok = s.scalar()
		case "agent":
			member = memberAgent
			q.agent, ok = s.plainString()
		case "url":
			member = memberURL
			q.url, ok = s.plainString()
		case "dialect":
			member = memberDialect
			q.dialect, ok = s.plainString()
		case "robots":
			member = memberText
			ok = q.scanText(&s, "robots", known)
		case "robots_base64":
			member = memberText
			ok = q.scanText(&s, "robots_base64", known)
		default:
			_, ok = s.scalar()
		}
		if !ok || seen&member != 0 {
			return false
		}
		seen |= member
		if s.next(',') {
			continue
		}
		return s.next('}') && s.end() && seen&memberURL != 0
	}
}

// scanText parses the string with the text.
func (q *question) scanText(s *lineScanner, member string, known *currentText) (ok bool) {
	q.member = member
	if member == known.member && s.skipLiteral(known.literal) {
		q.same = true
		return true
	}
	s.skipSpace()
	start := s.pos
	if member == "robots" {
		ok = s.skipAnyString()
	} else {
		_, ok = s.plainString()
	}
	if ok {
		q.literal = s.line[start:s.pos]
	}
	return ok
}

// text decodes the text of q into memory of its own.
func (q *question) text() ([]byte, bool) {
	if q.member == "robots_base64" {
		text, err := base64.StdEncoding.AppendDecode(nil, q.literal[1:len(q.literal)-1])
		return text, err == nil
	}
	var text string
	if !utf8.Valid(q.literal) || json.Unmarshal(q.literal, &text) != nil {
		return nil, false
	}
	return []byte(text), true
}

// A lineScanner reads the tokens of a line of JSON.
type lineScanner struct {
	line []byte
	pos  int
}

// skipSpace skips white space.
func (s *lineScanner) skipSpace() {
	for s.pos < len(s.line) {
		switch s.line[s.pos] {
		case ' ', '\t', '\r', '\n':
			s.pos++
		default:
			return
		}
	}
}

// next skips white space, and c if c follows.
func (s *lineScanner) next(c byte) bool {
	s.skipSpace()
	if s.pos < len(s.line) && s.line[s.pos] == c {
		s.pos++
		return true
	}
	return false
}

// end reports whether only white space is left.
func (s *lineScanner) end() bool {
	s.skipSpace()
	return s.pos == len(s.line)
}

// notPlain has the bytes that end a string or are not plain ASCII.
var notPlain = func() (table [256]bool) {
	for c := range table {
		table[c] = c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf
	}
	return table
}()

// plainString parses a string of ASCII without escapes, and returns the part between its
// quotes.
func (s *lineScanner) plainString() ([]byte, bool) {
	if !s.next('"') {
		return nil, false
	}
	start := s.pos
	for i, c := range s.line[start:] {
		if notPlain[c] {
			s.pos = start + i + 1
			return s.line[start : start+i : start+i], c == '"'
		}
	}
	return nil, false
}

// skipAnyString skips a string without checking the part between its quotes.
func (s *lineScanner) skipAnyString() bool {
	if !s.next('"') {
		return false
	}
	for s.pos < len(s.line) {
		c := s.line[s.pos]
		s.pos++
		switch c {
		case '\\':
			s.pos++
		case '"':
			return true
		}
	}
	return false
}

// skipLiteral skips a string that is written exactly like literal, with its quotes.
func (s *lineScanner) skipLiteral(literal []byte) bool {
	s.skipSpace()
	if !bytes.HasPrefix(s.line[s.pos:], literal) {
		return false
	}
	s.pos += len(literal)
	return true
}

// scalar parses a plain string, a whole number, true, false or null, and returns it as written.
func (s *lineScanner) scalar() ([]byte, bool) {
	s.skipSpace()
	start := s.pos
	if start == len(s.line) {
		return nil, false
	}
	switch c := s.line[start]; {
	case c == '"':
		if _, ok := s.plainString(); !ok {
			return nil, false
		}
	case c == '-' || '0' <= c && c <= '9':
		if !s.number() {
			return nil, false
		}
	case c == 't':
		return s.word("true")
	case c == 'f':
		return s.word("false")
	case c == 'n':
		return s.word("null")
	default:
		return nil, false
	}
	return s.line[start:s.pos], true
}

// number skips a whole number. The caller notices an invalid byte after the number.
func (s *lineScanner) number() bool {
	i := s.pos
	if s.line[i] == '-' {
		i++
	}
	start := i
	for i < len(s.line) && '0' <= s.line[i] && s.line[i] <= '9' {
		i++
	}
	s.pos = i
	return i == start+1 || i > start+1 && s.line[start] != '0'
}

func (s *lineScanner) word(word string) ([]byte, bool) {
	start := s.pos
	if len(s.line)-start < len(word) || string(s.line[start:start+len(word)]) != word {
		return nil, false
	}
	s.pos += len(word)
	return s.line[start:s.pos], true
}
