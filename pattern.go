package robots

import (
	"iter"
	"strings"
	"unsafe"

	"github.com/robotsexclusion/robots/internal/ruleindex"
	"github.com/robotsexclusion/robots/internal/ruleindex/byteclass"
	"github.com/robotsexclusion/robots/internal/ruleindex/word"
	"github.com/robotsexclusion/robots/internal/url/percent"
)

// A Pattern is the path of a rule, parsed for matching in a dialect. A path matches if it starts
// with the stem and the segments follow, each after the one before, with any bytes between them.
// All texts are in normal form, as are the paths that [Dialect.Path] returns. A Pattern is
// immutable.
//
// Most programs need no patterns: [Group.Match] matches them.
type Pattern struct {
	Stem     string // the start of each path that matches
	Anchored bool   // a path must end where the pattern does ("$")
	Bytes    int    // length of the normal form: in RFC 9309 and Google the longest rule wins

	parts ruleindex.Pattern
}

// pattern returns parts as a Pattern.
func pattern(parts ruleindex.Pattern) Pattern {
	return Pattern{parts.Text[:parts.Stem], parts.Anchored, parts.Bytes, parts}
}

// String returns the pattern in normal form, as it is compared: without a "*" that has no effect.
func (p Pattern) String() string {
	text := p.parts.Text[:p.parts.End]
	if p.Anchored {
		text += "$"
	}
	return text
}

// Segments returns the parts after the stem: the texts after each wildcard ("*"), none of them
// empty. There are no segments if anything may follow the stem, or, if the pattern is anchored, if
// nothing may.
func (p Pattern) Segments() iter.Seq[string] {
	if !p.parts.Wild {
		return func(func(string) bool) {}
	}
	return strings.SplitSeq(p.parts.Segments(), "*")
}

// Matches reports whether a path in normal form matches. It takes time linear in
// the path for each segment at most.
func (p Pattern) Matches(path string) bool { return p.parts.Matches(path) }

// Patterns returns the patterns of the rules of the group, in the order of the file. A rule has one
// pattern; but in dialect Google an Allow rule for an index file has a second one after it, for its
// directory.
func (g *Group) Patterns() iter.Seq2[Rule, Pattern] {
	return func(yield func(Rule, Pattern) bool) {
		if g.policy == nil {
			return
		}
		r := g.policy.dialect.spec()
		for rule := range g.Rules() {
			if !yield(rule, pattern(r.compile(rule.Pattern))) {
				return
			}
			if second, ok := r.ofDirectory(rule.Allow, rule.Pattern); ok && !yield(rule, pattern(second)) {
				return
			}
		}
	}
}

// Pattern parses the value of a rule, which is one path as written.
func (d Dialect) Pattern(value string) Pattern { return pattern(d.spec().compile(value)) }

// Path returns the part of a URL that is compared with patterns: its path with parameters and
// query, in normal form. The URL is absolute, or its path with the query.
func (d Dialect) Path(url string) string {
	return d.spec().pathOf(url)
}

// compile takes the value of a rule apart. It shares the memory of value if possible.
func (r *dialectSpec) compile(value string) ruleindex.Pattern {
	var p ruleindex.Pattern
	r.compileNormal(&p, r.pattern.of(value))
	return squeezed(p)
}

// compileNormal makes p the pattern of a value in normal form. The text of the pattern is text
// itself, with all its runs of "*".
func (r *dialectSpec) compileNormal(p *ruleindex.Pattern, text string) {
	p.Text, p.Stem, p.End, p.Wild, p.Anchored, p.Bytes = text, 0, len(text), false, false, len(text)
	if r.wildcards {
		if p.End > 0 && text[p.End-1] == '$' {
			p.Anchored = true
			p.End--
		}
		// A "*" at the end lets anything follow, as does a pattern without "$".
		for p.End > 0 && text[p.End-1] == '*' {
			p.Anchored = false
			p.End--
		}
		if i := strings.IndexByte(text[:p.End], '*'); i >= 0 {
			p.Stem, p.Wild = i, true
			return
		}
	}
	p.Stem = p.End
}

// squeezed returns p with each run of "*" squeezed to one "*".
func squeezed(p ruleindex.Pattern) ruleindex.Pattern {
	if !p.Wild || !strings.Contains(p.Text[p.Stem:p.End], "**") {
		return p
	}
	b := make([]byte, 0, p.End)
	for i := range p.End {
		if c := p.Text[i]; c != '*' || len(b) == 0 || b[len(b)-1] != '*' {
			b = append(b, c)
		}
	}
	p.Text, p.End = string(b), len(b)
	return p
}

// indexFile is the start of the last segment of an index file.
const indexFile = "/index.htm"

// ofDirectory returns the second pattern that an Allow rule for an index file has in dialect
// Google: a directory may be fetched if its index file may.
func (r *dialectSpec) ofDirectory(allow bool, value string) (second ruleindex.Pattern, ok bool) {
	if !r.google || !allow {
		return ruleindex.Pattern{}, false
	}
	text := r.pattern.of(value)
	if n := r.directory(allow, text); n > 0 {
		r.compileNormal(&second, text)
		toDirectory(&second, n)
		return squeezed(second), true
	}
	return ruleindex.Pattern{}, false
}

// directory returns the number of bytes of the directory in an Allow rule for an index file, in
// normal form, in dialect Google, and 0 otherwise.
func (r *dialectSpec) directory(allow bool, text string) int {
	if !r.google || !allow || len(text) < len(indexFile) {
		return 0
	}
	i := strings.LastIndexByte(text, '/')
	if i < 0 || !strings.HasPrefix(text[i:], indexFile) {
		return 0
	}
	return i + 1
}

// toDirectory makes p the pattern of a directory, whose name is the first n bytes of p.
func toDirectory(p *ruleindex.Pattern, n int) {
	p.Text, p.End, p.Anchored, p.Bytes = p.Text[:n], n, true, n+1
	if p.Stem >= n {
		p.Stem, p.Wild = n, false
	}
}

// maybeNever reports whether s may have bytes of byteclass.Never, or other bytes below least, which
// is "#" or above. It tests eight bytes at once, and mistakes some other bytes for them, such as
// "!" and "~".
func maybeNever(s string, least byte) bool {
	n := len(s)
	if n < 8 {
		return n > 0 && neverBytes(word.Load(s, 0)|^word.TailMasks[n]&(word.Ones*'a'), least)
	}
	for i := 0; i+8 < n; i += 8 {
		if neverBytes(word.Load8(s[i:i+8]), least) {
			return true
		}
	}
	return neverBytes(word.Load8(s[n-8:]), least)
}

// neverBytes is maybeNever for the bytes of v.
func neverBytes(v uint64, least byte) bool {
	w := v &^ (word.Ones * 2) // makes "<" of ">", and "\\" of "^"
	angle, slash, grave := w^word.Ones*'<', w^word.Ones*'\\', v^word.Ones*'`'
	odd := (angle-word.Ones)&^angle | (slash-word.Ones)&^slash | (grave-word.Ones)&^grave |
		(v - word.Ones*uint64(least)) | (v + word.Ones*(0x80-'{')) | v
	return odd&word.High != 0
}

// mayRewrite reports whether the normal form of a pattern may differ from s in some dialect. It
// mistakes some other bytes for those that are rewritten: see maybeNever.
func mayRewrite(s string) bool {
	s = strings.TrimSuffix(s, "$") // a last "$" stays in all dialects
	return maybeNever(s, '%'+1)    // true also for "$", "%" and bytes above 127
}

// maybeRough reports whether text has bytes above "+" that a URL may only have encoded. It tests
// many rules, and the text between them, at once: that is faster than testing one rule after
// another.
func maybeRough(text string) bool {
	const block = 16 << 10 // stays in the fastest cache
	for ; text != ""; text = text[min(len(text), block):] {
		part := text[:min(len(text), block)]
		for _, c := range []byte("<>\\^`{|}\x7f") {
			if strings.IndexByte(part, c) >= 0 {
				return true
			}
		}
	}
	return false
}

// A form is a way of writing bytes in which equal paths are equal text. SPEC differs between
// dialects, and within one dialect between patterns and paths, because "*" and "$" are special only
// in patterns.
type form uint8

const (
	// givenPath is the path as it is.
	givenPath form = iota
	// givenPattern is Google's form: bytes above 127 encoded, hex digits in upper case, all other
	// bytes as they are.
	givenPattern
	// encodedPath is the normal form of RFC 9309, section 2.2.2: bytes above 127 and other bytes
	// that a URL may only have encoded are encoded, encoded unreserved bytes decoded, the hex
	// digits of all others in upper case, and "*" and "$" encoded. A percent sign that encodes
	// nothing stays.
	encodedPath
	// encodedPattern is encodedPath for a pattern: "*" and a last "$" are not bytes of the path and
	// stay.
	encodedPattern
	// decoded is the form of the documents before RFC 9309: every encoded byte is decoded except
	// "%2F", which is not "/". To avoid ambiguity, a percent sign itself is written "%25".
	decoded
)

const upperHex = "0123456789ABCDEF"

// escape returns the byte that s[i:i+3] encodes, where s[i] is "%".
func escape(s string, i int) (c byte, ok bool) {
	if i+2 >= len(s) {
		return 0, false
	}
	high, ok1 := percent.Unhex(s[i+1])
	low, ok2 := percent.Unhex(s[i+2])
	return high<<4 | low, ok1 && ok2
}

// of returns s in form f. If s is in that form already, of returns s itself, without a copy.
func (f form) of(s string) string {
	i := f.prefix(s)
	if i == len(s) {
		return s
	}
	return f.after(s[:i], s[i:])
}

// after returns head, which is in form f already, followed by s in form f.
func (f form) after(head, s string) string {
	grow := 3 // a byte becomes at most three
	if f == givenPath {
		grow = 1
	}
	b := make([]byte, 0, len(head)+grow*len(s))
	b = append(b, head...)
	b = f.append(b, s)
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// prefix returns the number of bytes at the start of s that are in form f already.
func (f form) prefix(s string) int {
	if f == givenPath {
		return len(s)
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		has := byteclass.Table[c]
		if has&(byteclass.Encoded|byteclass.Star) == 0 {
			continue
		}
		switch {
		case c == '%':
			char, ok := escape(s, i)
			switch {
			case f == decoded:
				// Only "%2F" and "%25" are left.
				if !ok || s[i+1] != '2' || s[i+2] != 'F' && s[i+2] != '5' {
					return i
				}
			case !ok:
				continue
			case s[i+1] >= 'a' || s[i+2] >= 'a' || f != givenPattern && percent.Unreserved(char):
				return i
			}
			i += 2
		case c >= 0x80:
			if f != decoded {
				return i
			}
		case c == '*':
			if f == encodedPath {
				return i
			}
		case c == '$':
			if f == encodedPath || f == encodedPattern && i+1 < len(s) {
				return i
			}
		case has&byteclass.Never != 0:
			if f == encodedPath || f == encodedPattern {
				return i
			}
		}
	}
	return len(s)
}

// append appends s, the rest of a path or pattern, in form f.
func (f form) append(b []byte, s string) []byte {
	if f == givenPath {
		return append(b, s...)
	}
	for i := 0; i < len(s); i++ {
		from := i
		for i < len(s) && byteclass.Table[s[i]]&(byteclass.Encoded|byteclass.Star) == 0 {
			i++
		}
		if b = append(b, s[from:i]...); i == len(s) {
			break
		}
		c := s[i]
		switch {
		case c == '%':
			char, ok := escape(s, i)
			switch {
			case f == decoded && !ok:
				b = append(b, "%25"...)
				continue
			case !ok:
				b = append(b, '%')
				continue
			case f == decoded && char == '/':
				b = append(b, "%2F"...)
			case f == decoded && char == '%':
				b = append(b, "%25"...)
			case f == decoded, f != givenPattern && percent.Unreserved(char):
				b = append(b, char)
			default:
				b = appendEscape(b, char)
			}
			i += 2
		case c >= 0x80 && f != decoded,
			byteclass.Table[c]&byteclass.Never != 0 && (f == encodedPath || f == encodedPattern),
			c == '*' && f == encodedPath,
			c == '$' && (f == encodedPath || f == encodedPattern && i+1 < len(s)):
			b = appendEscape(b, c)
		default:
			b = append(b, c)
		}
	}
	return b
}

func appendEscape(b []byte, c byte) []byte {
	return append(b, '%', upperHex[c>>4], upperHex[c&15])
}
