package robots

import (
	"iter"
	"math/bits"
	"strings"

	"github.com/robotsexclusion/robots/internal/byteclass"
	"github.com/robotsexclusion/robots/internal/word"
)

// Kind tells what a line is in a dialect.
type Kind uint8

// The kinds of lines.
const (
	Blank     Kind = iota // nothing but white space
	Comment               // nothing but a comment
	UserAgent             // a name, or names, of robots
	Allow                 // a rule that allows, of a group
	Disallow              // a rule that disallows, of a group
	Stray                 // a rule that stands in no group and is ignored
	Other                 // another field with a value: it changes no verdict
	Malformed             // not of the form "field: value", or after what Parse reads at most
)

var kinds = [...]string{"blank", "comment", "user-agent", "allow", "disallow", "stray", "other", "malformed"}

// String returns the kind's name in lower case.
func (k Kind) String() string {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return "unknown"
}

// googleLine is how many bytes of a line Google's parser uses.
const googleLine = 2083*8 - 1

// lineEnd returns where the line that starts at pos ends, and where the next
// one starts. Lines end with LF or CRLF, and where lone is set with CR too.
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

// startsFold reports whether s starts with prefix, which is in lower case,
// in letters of any case.
func startsFold(s, prefix string) bool {
	return len(s) >= len(prefix) && equalFold(s[:len(prefix)], prefix)
}

// equalFold reports whether a and b are equal but for the case of ASCII
// letters. [strings.EqualFold] knows more letters than a product token has.
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

// containsFold reports whether part stands in s, in letters of any case.
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

// glance returns the kind of a line, given without its end, by its first
// bytes, if it is written as nearly everybody does, and where its value
// starts. Otherwise start is -1. Rules are Allow or Disallow, never Stray. A
// line that is nothing to groups is Other, though [reading.lex] may call it
// Malformed.
func (r *reading) glance(line string) (kind Kind, start int) {
	if r.google && len(line) > googleLine {
		return 0, -1 // what it starts with may be white space, and the rest be dropped
	}
	i := 0
	for i+8 <= len(line) && word.Load8(line[i:]) == spaces {
		i += 8
	}
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	if i == len(line) {
		return Blank, i
	}
	line = line[i:]
	switch c := line[0]; {
	case c == '#':
		return Comment, i
	case c|0x20 == 'd':
		if len(line) > 8 && line[8] == ':' && word.Load8(line)|smallLetters == disallowOctets {
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
		if len(line) > 10 && line[10] == ':' && line[4] == '-' && word.Load8(line)|smallLetters == userAgentOctets &&
			lower(line[8]) == 'n' && lower(line[9]) == 't' {
			return UserAgent, i + 11
		}
	case c > ' ':
		return Other, i
	}
	return 0, -1
}

// plainEnd returns where from byte i of s on the plain bytes end: ASCII above
// "+", and so neither white space nor anything special in a line or a pattern
// of any dialect.
func plainEnd(s string, i int) int {
	// Most values are shorter than 32 bytes. To look at so many at once,
	// without a branch, spares the processor a wrong guess where they end.
	for ; i+32 <= len(s); i += 32 {
		part := s[i : i+32]
		odd := oddOctets(word.Load8(part)) | oddOctets(word.Load8(part[8:]))<<8 |
			oddOctets(word.Load8(part[16:]))<<16 | oddOctets(word.Load8(part[24:]))<<24
		if odd != 0 {
			return i + bits.TrailingZeros64(odd)
		}
	}
	for i < len(s) && s[i] >= ',' && s[i] < 0x80 {
		i++
	}
	return i
}

// nextLine returns where the line after the one that byte i is in starts, where
// lines end with CR, LF or CRLF.
func nextLine(text string, i int) int {
	for ; i+8 <= len(text); i += 8 {
		v := word.Load8(text[i:])
		lf, cr := v^word.Ones*'\n', v^word.Ones*'\r'
		// The lowest high bit of each is that of the first byte that is 0.
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

// oddOctets returns eight bits for the eight bytes of v, of which the lowest
// that is set is for the first byte that is not plain.
func oddOctets(v uint64) uint64 {
	odd := (v - word.Ones*',' | v) & word.High
	return odd >> 7 * 0x0102040810204080 >> 56
}

// lineEndAt returns where the next line starts if one ends at pos, where lines
// end with LF or CRLF. Otherwise it returns 0.
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
	spaces          = 0x2020202020202020
	smallLetters    = spaces // or'ed to letters makes them small
	disallowOctets  = 'd' | 'i'<<8 | 's'<<16 | 'a'<<24 | 'l'<<32 | 'l'<<40 | 'o'<<48 | 'w'<<56
	allowOctets     = 'a' | 'l'<<8 | 'l'<<16 | 'o'<<24 | 'w'<<32
	userAgentOctets = 'u' | 's'<<8 | 'e'<<16 | 'r'<<24 | '-'<<32 | 'a'<<40 | 'g'<<48 | 'e'<<56
)

// value returns the value of a line, which starts where glance says.
func (r *reading) value(line string, start int) string {
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

// rule returns the kind and the value of a line that may be a rule. The kind of other
// lines may be wrong, but is never that of a rule.
func (r *reading) rule(line string) (kind Kind, value string) {
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

// lex returns the kind of a line, given without its end, with its field name
// and value. Both are parts of line; they are empty where the kind is Blank,
// Comment or Malformed. Rules are Allow or Disallow, never Stray.
func (r *reading) lex(line string) (kind Kind, name, value string) {
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

// lexGoogle is lex as Google's parser does it: on C strings, with a limit, and
// lenient.
func lexGoogle(line string) (kind Kind, name, value string) {
	if len(line) > googleLine {
		line = line[:googleLine]
	}
	has, commented := byteclass.Of(line), false
	if has&(byteclass.NUL|byteclass.Hash) != 0 {
		// In a C string nothing follows a NUL.
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
		// A missing colon is accepted when the line is two words.
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

// wordEnd returns where from byte i of s on the first SP or TAB is, or len(s).
func wordEnd(s string, i int) int {
	for i < len(s) && s[i] != ' ' && s[i] != '\t' {
		i++
	}
	return i
}

// googleKind returns the kind of a line by the start of its field name, with
// the misspellings that Google's parser knows.
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

// list returns the words of a list: what stands between white space, which is SP
// and TAB, as everywhere in the file but in dialect Google.
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

// trimSpace drops the white space around s that C knows.
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
