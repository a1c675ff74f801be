package robots

import (
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/robotsexclusion/robots/internal/ruleindex"
	"github.com/robotsexclusion/robots/internal/ruleindex/byteclass"
	"github.com/robotsexclusion/robots/internal/ruleindex/word"
)

// bomSize returns the length of the byte order mark at the start of text. Dialect Google skips a
// part of one too.
func bomSize(text string, r *dialectSpec) uint8 {
	const bom = "\uFEFF"
	n := 0
	for n < len(bom) && n < len(text) && text[n] == bom[n] {
		n++
	}
	if n < len(bom) && !r.google {
		n = 0
	}
	return uint8(n)
}

// A scanner finds the groups of a text. It keeps its memory from one text to the next, so that a
// policy gets slices of exactly the size it needs.
type scanner struct {
	spans  []span
	agents []agent
	plain  []ruleindex.Rule
	odd    []ruleindex.Rule
}

// A span is the place of a group: its bytes of the text from its first user-agent line on, the
// number of that line, and the range of its rules.
type span struct {
	start, end, line uint32
	plain, odd       uint32 // the indices of its first rules
}

var scanners = sync.Pool{New: func() any {
	return &scanner{plain: make([]ruleindex.Rule, 0, 1<<10), odd: make([]ruleindex.Rule, 0, 1<<8)}
}}

// wholeLines returns the number of bytes of text in lines that end within a limit, or the length of
// the text if the text is not longer. A line ends with LF, CR or CRLF: before text is read, it is
// unknown whether a CR alone ends lines in it.
func wholeLines(text string, limit int) int {
	if len(text) <= limit {
		return len(text)
	}
	if limit > 0 && text[limit-1] == '\r' && text[limit] == '\n' {
		limit-- // the line ends with the LF
	}
	return strings.LastIndexAny(text[:limit], "\r\n") + 1
}

// reset empties s.
func (s *scanner) reset() {
	s.spans, s.agents, s.plain, s.odd = s.spans[:0], s.agents[:0], s.plain[:0], s.odd[:0]
}

// scan finds the groups of text, from byte pos on. Unless lone is set, lines end only at LF, with
// or without a CR before it; if scan then finds a CR elsewhere, it gives up and returns false.
func (s *scanner) scan(text string, r *dialectSpec, pos int, lone bool) bool {
	s.reset()
	var g grouper
	for number := 1; pos < len(text); {
		if g.open && !lone {
			if next, lines := s.readRules(text, r, pos, number); lines > 0 {
				g.rule()
				if pos, number = next, number+lines; pos == len(text) {
					break
				}
			}
		}
		start, kind := pos, UserAgent
		value, next := usualAgent(text, pos)
		if next == 0 {
			skipped, lines, returns, others := r.skipLines(text, pos, &g, lone)
			if others {
				g.other()
			}
			if lines > 0 {
				if !lone && strings.Count(text[pos:skipped], "\r") > returns {
					return false
				}
				pos, number = skipped, number+lines
				continue
			}
			var end int
			end, next = lineEnd(text, pos, lone)
			line := text[pos:end]
			if !lone && strings.IndexByte(line, '\r') >= 0 {
				return false
			}
			kind, value = r.kindAndValue(line)
		}
		pos = next
		switch kind {
		case UserAgent:
			open := g.open
			if g.userAgent() {
				if open {
					s.close(start)
				}
				s.open(start, number)
			}
			s.addAgents(text, r, value)
		case Allow, Disallow:
			if g.rule() {
				s.addRule(text, r, kind, value, uint32(number))
			}
		case Blank:
			if r.records && g.blank() {
				s.close(start)
			}
		case Other, Malformed:
			g.other()
		}
		number++
	}
	if g.open {
		s.close(pos)
	}
	return true
}

// usualAgent returns the value of the line at byte pos, and the start of the next line, if the line
// is a user-agent line of the usual form: two words. Otherwise next is 0.
func usualAgent(text string, pos int) (value string, next int) {
	if pos+12 > len(text) || word.Load8(text[pos:pos+8])|smallLetters != userAgentWord ||
		text[pos+8]|0x20 != 'n' || text[pos+9]|0x20 != 't' || text[pos+10] != ':' || text[pos+4] != '-' {
		return "", 0
	}
	start := pos + 11
	if text[start] == ' ' {
		start++
	}
	end := plainEnd(text, start)
	if end < len(text) && text[end] == '*' {
		end++
	}
	if end-pos > googleLine {
		return "", 0 // in dialect Google its end may be dropped
	}
	return text[start:end], lineEndAt(text, end)
}

// kindAndValue returns the kind of a line, given without its end, and its value if it is a
// user-agent line or a rule.
func (r *dialectSpec) kindAndValue(line string) (kind Kind, value string) {
	kind, at := r.glance(line)
	switch {
	case at < 0:
		kind, _, value = r.lex(line)
	case kind == UserAgent || kind == Allow || kind == Disallow:
		value = r.value(line, at)
	}
	return kind, value
}

// addRule adds a rule that readRules did not read.
func (s *scanner) addRule(text string, r *dialectSpec, kind Kind, value string, number uint32) {
	rule := ruleindex.Rule{Line: number, Weight: ruleindex.Weight(len(value), kind == Allow)}
	if value == "" {
		if kind == Allow && r.emptyAllow {
			s.addOdd(rule)
		}
		return // otherwise the rule has no effect
	}
	rule.At = spanOf(text, value).At
	switch {
	case r.lists, r.waits(value, byteclass.Of(value), kind == Allow):
		s.addOdd(rule)
	case value[0] == '/': // otherwise no path matches
		s.plain = append(s.plain, rule)
	}
}

// addOdd adds a rule that Parse leaves for For to read. There may be very many such rules.
func (s *scanner) addOdd(rule ruleindex.Rule) {
	if len(s.odd) == cap(s.odd) {
		s.odd = slices.Grow(s.odd, len(s.odd)+1) // append grows large slices only a little
	}
	s.odd = append(s.odd, rule)
}

// open starts a group at byte pos, on the line with the given number.
func (s *scanner) open(pos, number int) {
	s.spans = append(s.spans, span{
		start: uint32(pos), line: uint32(number),
		plain: uint32(len(s.plain)), odd: uint32(len(s.odd)),
	})
}

// close ends the last group before byte pos.
func (s *scanner) close(pos int) { s.spans[len(s.spans)-1].end = uint32(pos) }

// skipLines skips lines from byte pos on that cannot be user-agent lines, nor, if a group is open,
// rules or blank lines that end a record. It decides by the first letters of a line: the caller
// then reads the next line in full. It returns the start of the next line, the number of skipped
// lines, how many of them ended with CRLF, and whether some of them are neither blank nor comments.
func (r *dialectSpec) skipLines(text string, pos int, g *grouper, lone bool) (next, lines, returns int, others bool) {
	open := g.open
	records := open && r.records
	blanks := !records || g.gap && !g.ruled // blank lines change nothing
	for pos < len(text) {
		i := pos
		if c := text[i]; blanks && (c == '\n' || c == '\r' && lone) {
			if pos++; c == '\r' && pos < len(text) && text[pos] == '\n' {
				pos++
			}
			lines++
			continue
		} else if c == ' ' || c == '\t' {
			if i = blankEnd(text, i); i == len(text) {
				if !blanks {
					break
				}
				return i, lines + 1, returns, others
			}
		}
		switch c := text[i]; {
		case c == '#':
		case c > ' ':
			if c |= 0x20; (c == 'u' || open && (c == 'd' || c == 'a')) && r.mayCount(text, i, open) {
				return pos, lines, returns, others
			}
			others, blanks = true, !records
		case c == '\n' || c == '\r' && (lone || i+1 < len(text) && text[i+1] == '\n'):
			if !blanks {
				return pos, lines, returns, others
			}
		case r.google && isSpace(c):
			// More bytes may be white space, as the caller will find.
			if j := cSpace(text, i); j < len(text) && text[j] > ' ' {
				if c := text[j] | 0x20; (c == 'u' || open && (c == 'd' || c == 'a')) && r.mayCount(text, j, open) {
					return pos, lines, returns, others
				}
			}
		default:
			others, blanks = true, !records
		}
		if lone {
			pos = nextLine(text, i)
			lines++
			continue
		}
		end := strings.IndexByte(text[i:], '\n')
		if end < 0 {
			return len(text), lines + 1, returns, others
		}
		lines++
		pos = i + end + 1
		if pos > 1 && text[pos-2] == '\r' {
			returns++
		}
	}
	return pos, lines, returns, others
}

// cSpace returns the end of the white space, as C defines it, from byte i of text on, or the end of
// the line.
func cSpace(text string, i int) int {
	for i < len(text) && text[i] != '\n' && isSpace(text[i]) {
		i++
	}
	return i
}

// mayCount reports whether the line whose first letter is byte i of text may be a user-agent line,
// or a rule of the open group, judging by its first four letters.
func (r *dialectSpec) mayCount(text string, i int, open bool) bool {
	const (
		user = 'u' | 's'<<8 | 'e'<<16 | 'r'<<24
		disa = 'd' | 'i'<<8 | 's'<<16 | 'a'<<24
		diss = 'd' | 'i'<<8 | 's'<<16 | 's'<<24
		dias = 'd' | 'i'<<8 | 'a'<<16 | 's'<<24
		allo = 'a' | 'l'<<8 | 'l'<<16 | 'o'<<24
	)
	if i+4 > len(text) {
		return false
	}
	_ = text[i+3]
	switch (uint32(text[i]) | uint32(text[i+1])<<8 | uint32(text[i+2])<<16 | uint32(text[i+3])<<24) | smallLetters>>32 {
	case user:
		return true
	case disa:
		return open
	case diss, dias:
		return open && r.google
	case allo:
		return open && r.allow
	}
	return false
}

// readRules reads the lines from byte pos on that are rules of the usual form: two words, the first
// with a colon at its end, perhaps with a comment after them. number is the number of the first
// line. It returns the start of the next line, and the number of lines read.
func (s *scanner) readRules(text string, r *dialectSpec, pos, number int) (next, lines int) {
	plain := s.plain
	for ; pos+11 <= len(text); lines++ {
		start, allow := pos+9, false
		if v := word.Load8(text[pos:pos+8]) | smallLetters; v != disallowWord {
			if v<<24>>24 != allowWord || !r.allow {
				break
			}
			start, allow = pos+6, true
		}
		if text[start-1] != ':' {
			break
		}
		for start < len(text) && (text[start] == ' ' || text[start] == '\t') {
			start++
		}
		line := uint32(number + lines)
		var has byteclass.Set // without the classes of plain bytes
		end := plainEnd(text, start)
		after := lineEndAt(text, end)
		if after == 0 && text[end] == '*' && r.wildcards {
			if after = lineEndAt(text, end+1); after > 0 {
				line |= ruleindex.Starred
				end++
			}
		}
		if after == 0 {
			end, has = wordOf(text, end)
			if after = restEnd(text, end); after == 0 {
				break
			}
		}
		if r.google && end-pos > googleLine || start == end && r.emptyAllow {
			break
		}
		at, weight := uint32(start), ruleindex.Weight(end-start, allow)
		switch {
		case start == end: // the rule has no effect
		case (has != 0 || r.google) && r.waits(text[start:end], has, allow):
			s.addOdd(ruleindex.Rule{At: at, Line: line &^ ruleindex.Starred, Weight: weight})
		case text[start] == '/' || text[start] == '*' && r.wildcards: // otherwise no path matches
			plain = append(plain, ruleindex.Rule{At: at, Line: line, Weight: weight})
		}
		pos = after
	}
	s.plain = plain
	return pos, lines
}

// wordOf returns the end of the word that byte i of text is in, and the classes of its bytes from i
// on, but not those of all plain bytes.
func wordOf(text string, i int) (end int, has byteclass.Set) {
	for n := 0; i < len(text) && text[i] > ' ' && text[i] != '#'; n++ {
		has |= byteclass.Table[text[i]]
		if i++; n == 0 {
			i = plainEnd(text, i) // most words have one byte that is not plain
		}
	}
	return i, has
}

// restEnd returns the start of the next line if nothing but white space and a comment follows from
// byte i of text on, in a line that ends with LF or CRLF. Otherwise it returns 0.
func restEnd(text string, i int) (next int) {
	i = blankEnd(text, i)
	if next = lineEndAt(text, i); next > 0 || text[i] != '#' {
		return next
	}
	end, next := lineEnd(text, i, false)
	if strings.IndexByte(text[i:end], '\r') >= 0 {
		return 0 // a CR alone may end the line
	}
	return next
}

// waits reports whether a rule that is not empty, with bytes of the classes in has, is left for For
// to read, because the rule may be more than a stem in normal form. has may omit the classes of
// other plain bytes.
func (r *dialectSpec) waits(value string, has byteclass.Set, allow bool) bool {
	switch {
	case has&r.odd&(byteclass.Star|byteclass.Dollar) != 0,
		has&r.odd != 0 && r.pattern.prefix(value) < len(value):
		return true
	case r.google && allow:
		i := strings.LastIndexByte(value, '/')
		return i >= 0 && strings.HasPrefix(value[i:], indexFile)
	}
	return false
}

// addAgents adds the agents named by the value of a user-agent line to the last group.
func (s *scanner) addAgents(text string, r *dialectSpec, value string) {
	if r.lists {
		for word := range list(value) {
			s.addAgent(text, r, word)
		}
		return
	}
	s.addAgent(text, r, value)
}

func (s *scanner) addAgent(text string, r *dialectSpec, value string) {
	if token, ok := r.token(value); ok {
		a := agent{block: uint32(len(s.spans) - 1)}
		if token != "" {
			where := spanOf(text, token)
			a.at, a.size = where.At, where.Size
		}
		if len(s.agents) == cap(s.agents) {
			s.agents = slices.Grow(s.agents, len(s.agents)+1) // append grows large slices only a little
		}
		s.agents = append(s.agents, a)
	}
}

// words returns the patterns in the value of a rule. In dialects that allow several patterns on one
// line it returns each of them, in other dialects the value itself if the rule has an effect.
func (r *dialectSpec) words(kind Kind, value string) iter.Seq[string] {
	if r.lists {
		return list(value)
	}
	return func(yield func(string) bool) {
		if value != "" || kind == Allow && r.emptyAllow {
			yield(value)
		}
	}
}

// token returns the name that the value of a user-agent line means; it is "*" only for the group
// for everyone. ok is false if no robot can have the name.
func (r *dialectSpec) token(value string) (token string, ok bool) {
	if value == everyone {
		return value, true
	}
	switch {
	case r.google:
		if len(value) > 1 && value[0] == '*' && isSpace(value[1]) {
			return value[:1], true
		}
		// In this dialect even the empty token matches a robot: one without a name.
		return value[:letters(value)], true
	case r.substring:
		for i := range len(value) { // names are short
			if value[i] == '/' {
				value = trim(value[:i])
				break
			}
		}
	default:
		value = productToken(value)
	}
	return value, value != "" && value != everyone
}

// ProductToken returns the product token at the start of a User-Agent header or of a robot's name:
// the text before white space or before the "/" of a version. White space before the token is
// dropped. The result is empty if the text does not begin with a token.
func ProductToken(userAgent string) string { return productToken(strings.TrimLeft(userAgent, " \t")) }

// productToken cuts a name at white space or "/", where its version starts.
func productToken(name string) string {
	for i := 0; i < len(name); i++ {
		if c := name[i]; c == '/' || c == ' ' || c == '\t' {
			return name[:i]
		}
	}
	return name
}

// letters returns the number of bytes at the start of s that RFC 9309 and Google's parser allow in
// product tokens.
func letters(s string) int {
	for i := 0; i < len(s); i++ {
		if c := lower(s[i]); (c < 'a' || c > 'z') && c != '-' && c != '_' {
			return i
		}
	}
	return len(s)
}

// A grouper separates the groups of a text, line by line.
type grouper struct {
	open  bool // a group has started and not ended
	ruled bool // the group has a rule
	gap   bool // a blank line came after the group's user-agent lines
}

// userAgent reports whether a user-agent line starts a group.
func (g *grouper) userAgent() (starts bool) {
	starts = !g.open || g.ruled || g.gap
	*g = grouper{open: true, ruled: g.ruled && !starts}
	return starts
}

// rule reports whether a rule stands in a group.
func (g *grouper) rule() bool {
	g.ruled = g.open
	g.gap = false
	return g.open
}

// blank handles a blank line, in dialects where blank lines end records: the record ends at once if
// it has a rule, and otherwise if a user-agent line follows next. It reports whether the line ends
// a record.
func (g *grouper) blank() (ends bool) {
	ends = g.ruled
	*g = grouper{open: g.open && !ends, gap: g.open && !ends}
	return ends
}

// other handles a line that is not blank, not a comment, and has no meaning for groups.
func (g *grouper) other() { g.gap = false }
