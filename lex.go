package robots

import (
	"iter"
	"math/bits"
	"strings"

	"github.com/robotsexclusion/robots/internal/ruleindex/byteclass"
	"github.com/robotsexclusion/robots/internal/ruleindex/word"
)

// Kind is the meaning of a line in a dialect.
type Kind uint8

// The kinds of lines.
const (
	Blank     Kind = iota // nothing but white space
	Comment               // nothing but a comment
	UserAgent             // one or more names of robots
	Allow                 // a rule of a group that allows
	Disallow              // a rule of a group that disallows
	Stray                 // a rule outside all groups, which is ignored
	Other                 // another field with a value: it does not change a verdict
	Malformed             // not of the form "field: value", or beyond the limit of Parse
)

var kinds = [...]string{"blank", "comment", "user-agent", "allow", "disallow", "stray", "other", "malformed"}

// String returns the kind's name in lower case.
func (k Kind) String() string {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return "unknown"
}

// googleLine is the number of bytes of a line that Google's parser uses.
const googleLine = 2083*8 - 1

// lineEnd returns the end of the line that starts at pos, and the start of the next line. Lines end
// with LF or CRLF, and if lone is set with CR too.
func lineEnd(text string, pos int, lone bool) (end, next int) {
	if lone {
		next = nextLine(text, pos)
		end = next
		if end > pos && text[end-1] == '\n' {
			end--
		}
		if end > pos && text[end-1] == '\r' {
			end--
		}
		return end, next
	}
	if pos < len(text) && text[pos] == '\n' {
		return pos, pos + 1
	}
	i := strings.IndexByte(text[pos:], '\n')
	if i < 0 {
		return len(text), len(text)
	}
	end = pos + i
	if i > 0 && text[end-1] == '\r' {
		return end - 1, end + 1
	}
	return end, end + 1
}

// startsFold reports whether s starts with prefix, in letters of any case. prefix must be in lower
// case.
func startsFold(s, prefix string) bool {
	return len(s) >= len(prefix) && equalFold(s[:len(prefix)], prefix)
}

// equalFold reports whether a and b are equal, ignoring the case of ASCII letters.
// [strings.EqualFold] folds more letters than a product token has.
func equalFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i++ {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

// containsFold reports whether s contains part, in letters of any case.
func containsFold(s, part string) bool {
	for i := 0; i+len(part) <= len(s); i++ {
		if equalFold(s[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

// lowered returns s with ASCII letters in lower case.
func lowered(s string) string {
	for i := 0; i < len(s); i++ {
		if lower(s[i]) != s[i] {
			b := []byte(s)
			for ; i < len(b); i++ {
				b[i] = lower(b[i])
			}
			return string(b)
		}
	}
	return s
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c |= 0x20
	}
	return c
}

// glance returns the kind of a line, given without its end, and the start of its value, judging by
// the first bytes of the line. If the line is not written in the usual way, start is -1. Rules are
// Allow or Disallow, never Stray. A line without meaning for groups is Other, although
// [dialectSpec.lex] may call it Malformed.
func (r *dialectSpec) glance(line string) (kind Kind, start int) {
	if r.google && len(line) > googleLine {
		return 0, -1 // the line may start with white space, and its end may be dropped
	}
	i := blankEnd(line, 0)
	if i == len(line) {
		return Blank, i
	}
	line = line[i:]
	switch c := line[0]; {
	case c == '#':
		return Comment, i
	case c|0x20 == 'd':
		if len(line) > 8 && line[8] == ':' && word.Load8(line)|smallLetters == disallowWord {
			return Disallow, i + 9
		}
	case c|0x20 == 'a':
		if len(line) > 5 && line[5] == ':' && startsFold(line, "allow") {
			if r.allow {
				return Allow, i + 6
			}
			return Other, i + 6
		}
	case c|0x20 == 'u':
		if len(line) > 10 && line[10] == ':' && line[4] == '-' && word.Load8(line)|smallLetters == userAgentWord &&
			lower(line[8]) == 'n' && lower(line[9]) == 't' {
			return UserAgent, i + 11
		}
	case c > ' ':
		return Other, i
	}
	return 0, -1
}

// blankEnd returns the end of the SP and TAB from byte i of s on.
func blankEnd(s string, i int) int {
	for i+8 <= len(s) {
		others := word.Load8(s[i:i+8]) ^ spaces
		if others != 0 {
			i += bits.TrailingZeros64(others) >> 3
			break
		}
		i += 8
	}
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return i
}

// plainEnd returns the end of the plain bytes from byte i of s on: ASCII above "+", and therefore
// neither white space nor special in a line or a pattern of any dialect.
func plainEnd(s string, i int) int {
	// Most values are shorter than 32 bytes. Testing 32 bytes at once avoids a branch misprediction
	// at their end: the compiler makes no branches for the choice of the first odd bytes.
	for ; i+32 <= len(s); i += 32 {
		part := s[i : i+32]
		odd0, odd1, odd2, odd3 := oddBytes(word.Load8(part)), oddBytes(word.Load8(part[8:])),
			oddBytes(word.Load8(part[16:])), oddBytes(word.Load8(part[24:]))
		odd, at := odd3, 24*8
		if odd2 != 0 {
			odd, at = odd2, 16*8
		}
		if odd1 != 0 {
			odd, at = odd1, 8*8
		}
		if odd0 != 0 {
			odd, at = odd0, 0
		}
		if odd != 0 {
			return i + (at+bits.TrailingZeros64(odd))>>3
		}
	}
	for i < len(s) && s[i] >= ',' && s[i] < 0x80 {
		i++
	}
	return i
}

// nextLine returns the start of the line after the line that contains byte i, where lines end with
// CR, LF or CRLF.
func nextLine(text string, i int) int {
	for ; i+8 <= len(text); i += 8 {
		v := word.Load8(text[i:])
		lf, cr := v^word.Ones*'\n', v^word.Ones*'\r'
		// The lowest high bit of each term is that of its first zero byte.
		if found := ((lf-word.Ones)&^lf | (cr-word.Ones)&^cr) & word.High; found != 0 {
			i += bits.TrailingZeros64(found) >> 3
			break
		}
	}
	for i < len(text) && text[i] != '\n' && text[i] != '\r' {
		i++
	}
	if i+1 < len(text) && text[i] == '\r' && text[i+1] == '\n' {
		i++
	}
	return min(i+1, len(text))
}

// oddBytes returns the highest bits of the bytes of v that are not plain. Only the lowest of them
// is certain: it is that of the first such byte.
func oddBytes(v uint64) uint64 {
	return (v - word.Ones*',' | v) & word.High
}

// lineEndAt returns the start of the next line if a line ends at pos, where lines end with LF or
// CRLF. Otherwise it returns 0.
func lineEndAt(text string, pos int) (next int) {
	switch {
	case pos == len(text):
		return pos
	case text[pos] == '\n':
		return pos + 1
	case text[pos] == '\r' && pos+1 < len(text) && text[pos+1] == '\n':
		return pos + 2
	}
	return 0
}

// Field names, and white space, as load8 returns them.
const (
	spaces        = 0x2020202020202020
	smallLetters  = spaces // or'ed to letters it makes them lower case
	disallowWord  = 'd' | 'i'<<8 | 's'<<16 | 'a'<<24 | 'l'<<32 | 'l'<<40 | 'o'<<48 | 'w'<<56
	allowWord     = 'a' | 'l'<<8 | 'l'<<16 | 'o'<<24 | 'w'<<32
	userAgentWord = 'u' | 's'<<8 | 'e'<<16 | 'r'<<24 | '-'<<32 | 'a'<<40 | 'g'<<48 | 'e'<<56
)

// value returns the value of a line, where start is the result of glance.
func (r *dialectSpec) value(line string, start int) string {
	value := line[start:]
	if i := strings.IndexByte(value, '#'); i >= 0 {
		value = value[:i]
	}
	if !r.google {
		return trim(value)
	}
	if i := strings.IndexByte(value, 0); i >= 0 {
		value = value[:i]
	}
	return trimSpace(value)
}

// rule returns the kind and the value of a line that may be a rule. The kind of another line may be
// wrong, but is never the kind of a rule.
func (r *dialectSpec) rule(line string) (kind Kind, value string) {
	kind, start := r.glance(line)
	switch {
	case start < 0:
		kind, _, value = r.lex(line)
	case kind == Disallow || kind == Allow:
		value = r.value(line, start)
	default:
		kind = Other
	}
	return kind, value
}

// lex returns the kind of a line, given without its end, with its field name and value. Both are
// parts of line; they are empty if the kind is Blank, Comment or Malformed. Rules are Allow or
// Disallow, never Stray.
func (r *dialectSpec) lex(line string) (kind Kind, name, value string) {
	if r.google {
		return lexGoogle(line)
	}
	commented := false
	if i := strings.IndexByte(line, '#'); i >= 0 {
		line, commented = line[:i], true
	}
	line = trim(line)
	if line == "" {
		if commented {
			return Comment, "", ""
		}
		return Blank, "", ""
	}
	i := strings.IndexByte(line, ':')
	if i < 0 {
		return Malformed, "", ""
	}
	name, value = trim(line[:i]), trim(line[i+1:])
	switch {
	case name == "":
		return Malformed, "", ""
	case equalFold(name, "user-agent"):
		kind = UserAgent
	case equalFold(name, "disallow"):
		kind = Disallow
	case equalFold(name, "allow") && r.allow:
		kind = Allow
	default:
		kind = Other
	}
	return kind, name, value
}

// trim drops the white space around s: SP and TAB (RFC 9309, section 2.2).
func trim(s string) string {
	for len(s) > 0 && (s[0] == ' ' || s[0] == '\t') {
		s = s[1:]
	}
	for len(s) > 0 && (s[len(s)-1] == ' ' || s[len(s)-1] == '\t') {
		s = s[:len(s)-1]
	}
	return s
}

// lexGoogle is lex as in Google's parser: on C strings, with a limit, and lenient.
func lexGoogle(line string) (kind Kind, name, value string) {
	if len(line) > googleLine {
		line = line[:googleLine]
	}
	has, commented := byteclass.Of(line), false
	if has&(byteclass.NUL|byteclass.Hash) != 0 {
		// A C string ends at a NUL.
		i := strings.IndexAny(line, "\x00#")
		line, commented = line[:i], line[i] == '#'
	}
	colon := -1
	if has&byteclass.Table[':'] != 0 {
		colon = strings.IndexByte(line, ':')
	}
	trimmed := trimSpace(line)
	if trimmed == "" {
		if commented {
			return Comment, "", ""
		}
		return Blank, "", ""
	}
	if colon >= 0 {
		name, value = trimSpace(line[:colon]), trimSpace(line[colon+1:])
	} else {
		// A missing colon is accepted if the line is two words.
		i := wordEnd(trimmed, 0)
		start := i
		for start < len(trimmed) && (trimmed[start] == ' ' || trimmed[start] == '\t') {
			start++
		}
		if start == i || wordEnd(trimmed, start) < len(trimmed) {
			return Malformed, "", ""
		}
		name, value = trimSpace(trimmed[:i]), trimSpace(trimmed[i+1:])
	}
	if name == "" {
		return Malformed, "", ""
	}
	return googleKind(name), name, value
}

// wordEnd returns the index of the first SP or TAB from byte i of s on, or len(s).
func wordEnd(s string, i int) int {
	for i < len(s) && s[i] != ' ' && s[i] != '\t' {
		i++
	}
	return i
}

// googleKind returns the kind of a line by the start of its field name, including the misspellings
// that Google's parser accepts.
func googleKind(name string) Kind {
	switch name[0] | 0x20 {
	case 'u':
		if startsFold(name, "user-agent") || startsFold(name, "useragent") || startsFold(name, "user agent") {
			return UserAgent
		}
	case 'a':
		if startsFold(name, "allow") {
			return Allow
		}
	case 'd':
		if len(name) < 7 {
			break
		}
		switch word.Load(name, 0)&word.TailMasks[7] | smallLetters>>8 {
		case 'd' | 'i'<<8 | 's'<<16 | 'a'<<24 | 'l'<<32 | 'o'<<40 | 'w'<<48: // disalow
			return Disallow
		case 'd' | 'i'<<8 | 's'<<16 | 'a'<<24 | 'l'<<32 | 'l'<<40 | 'o'<<48,
			'd' | 'i'<<8 | 's'<<16 | 's'<<24 | 'a'<<32 | 'l'<<40 | 'l'<<48,
			'd' | 'i'<<8 | 's'<<16 | 's'<<24 | 'a'<<32 | 'l'<<40 | 'o'<<48,
			'd' | 'i'<<8 | 'a'<<16 | 's'<<24 | 'l'<<32 | 'l'<<40 | 'o'<<48,
			'd' | 'i'<<8 | 's'<<16 | 'a'<<24 | 'l'<<32 | 'l'<<40 | 'a'<<48:
			if startsFold(name, "disallow") || startsFold(name, "dissallow") || startsFold(name, "dissalow") ||
				startsFold(name, "diasllow") || startsFold(name, "disallaw") {
				return Disallow
			}
		}
	}
	return Other
}

// list returns the words of a list, which are separated by white space: SP and TAB, as everywhere
// in the file except in dialect Google.
func list(value string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := 0; i < len(value); {
			end := wordEnd(value, i)
			if end > i && !yield(value[i:end]) {
				return
			}
			i = end + 1
		}
	}
}

// trimSpace drops the white space around s, as C defines it.
func trimSpace(s string) string {
	for len(s) > 0 && isSpace(s[0]) {
		s = s[1:]
	}
	for len(s) > 0 && isSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
