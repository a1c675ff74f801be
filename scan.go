package robots

import (
	"iter"
	"strings"
	"sync"
)

// bomSize returns the length of the byte order mark that text starts with. In
// dialect Google a part of one is skipped too.
func bomSize(text string, r *reading) uint8 {
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

// A scanner finds the groups of a text. It keeps its memory from one text to
// the next, so that a policy gets slices of just the size it needs.
type scanner struct {
	spans  []span
	agents []agent
	plain  []plain
	odd    []plain
}

// A span is where a group is: bytes of the text from its first user-agent line
// on, the number of that line, and which rules are its own.
type span struct {
	start, end, line uint32
	plain, odd       uint32 // the first of its rules
}

var scanners = sync.Pool{New: func() any {
	return &scanner{plain: make([]plain, 0, 1<<10), odd: make([]plain, 0, 1<<8)}
}}

// wholeLines returns how many bytes of text are lines that end within a limit,
// and that is the whole text if it is not longer. A line ends with LF, CR or CRLF:
// before text is read nobody knows whether a CR alone ends lines in it.
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

// scan finds the groups of text, from byte pos on. Unless lone is set, lines
// end at LF only, with a CR before it or not; where scan then finds a CR
// elsewhere, it gives up and returns false.
func (s *scanner) scan(text string, r *reading, pos int, lone bool) bool {
	s.reset()
	returns := 0 // CRs that do not end a line, if not found later
	if !lone {
		returns = strings.Count(text, "\r")
	}
	var g grouper
	for number := 1; pos < len(text); number++ {
		if !lone {
			// Nearly all lines are of one of these two kinds.
			var lines, ends int
			if g.open {
				if pos, lines, ends = s.readRules(text, r, pos, number); lines > 0 {
					g.rule()
				}
			} else if !r.records {
				pos, lines, ends = skipLines(text, pos)
			}
			number, returns = number+lines, returns-ends
			if pos == len(text) {
				break
			}
		}
		start := pos
		end, next := lineEnd(text, pos, lone)
		returns -= (next - end) >> 1 // one, if the line ends with two bytes
		pos = next
		line := text[start:end]
		kind, value := r.glance(line)
		if value < 0 {
			kind, _, _ = r.lex(line)
		}
		switch kind {
		case UserAgent:
			open := g.open
			if g.userAgent() {
				if open {
					s.close(start)
				}
				s.open(start, number)
			}
			s.addAgents(text, r, r.value(line, value))
		case Allow, Disallow:
			if g.rule() {
				s.readRule(text, r, line, uint32(number))
			}
		case Blank:
			if r.records && g.blank() {
				s.close(start)
			}
		case Other, Malformed:
			g.other()
		}
	}
	if g.open {
		s.close(pos)
	}
	return lone || returns == 0
}

// readRule reads a rule that readRules did not: a line with a number.
func (s *scanner) readRule(text string, r *reading, line string, number uint32) {
	kind, value := r.rule(line)
	has := classesOf(value)
	rule := plain{line: number, weight: weight(len(value), kind == Allow)}
	if value == "" {
		if kind == Allow && r.emptyAllow {
			s.odd = append(s.odd, rule)
		}
		return // else it asks nothing
	}
	rule.at = valueOf(text, value).at
	switch {
	case r.lists, r.waits(value, has, kind == Allow):
		s.odd = append(s.odd, rule)
	case value[0] == '/': // else no path matches
		s.plain = append(s.plain, rule)
	}
}

// open starts a group at byte pos, which is on a line with a number.
func (s *scanner) open(pos, number int) {
	s.spans = append(s.spans, span{
		start: uint32(pos), line: uint32(number),
		plain: uint32(len(s.plain)), odd: uint32(len(s.odd)),
	})
}

// close ends the last group before byte pos.
func (s *scanner) close(pos int) { s.spans[len(s.spans)-1].end = uint32(pos) }

// skipLines skips lines from octet pos on that cannot be user-agent lines, as
// those of a page of HTML. It returns where the next line is, how many it
// skipped, and how many of them ended with CRLF.
func skipLines(text string, pos int) (next, lines, returns int) {
	for pos < len(text) {
		i := pos
		for i+8 <= len(text) && load8(text[i:]) == spaces {
			i += 8
		}
		for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
			i++
		}
		if i == len(text) {
			return i, lines + 1, returns
		}
		if c := text[i]; c|0x20 == 'u' || c < ' ' && c != '\n' && c != '\r' {
			break
		}
		end := strings.IndexByte(text[i:], '\n')
		if end < 0 {
			return len(text), lines + 1, returns
		}
		lines++
		pos = i + end + 1
		if pos > 1 && text[pos-2] == '\r' {
			returns++
		}
	}
	return pos, lines, returns
}

// readRules reads the lines from byte pos on that are rules as nearly all are
// written: of two words, without a comment. The first has a number. It returns
// where the next line is, how many it read, and how many of them ended with
// CRLF.
func (s *scanner) readRules(text string, r *reading, pos, number int) (next, lines, returns int) {
	for ; pos+11 <= len(text); lines++ {
		rule := plain{line: uint32(number + lines)}
		start := pos
		switch v := load8(text[pos:]) | smallLetters; {
		case v == disallowOctets && text[pos+8] == ':':
			start += 9
		case v<<24>>24 == allowOctets && text[pos+5] == ':' && r.allow:
			start += 6
			rule.weight = 1
		default:
			return pos, lines, returns
		}
		if text[start] == ' ' {
			start++
		}
		end := plainEnd(text, start)
		var has classes // but those of plain bytes
		if r.wildcards && end < len(text) && text[end] == '*' {
			rule.line |= starred
			end++
		}
		after := lineEndAt(text, end)
		if after == 0 {
			rule.line &^= starred
			if end > start && text[end-1] == '*' {
				end--
			}
			for end < len(text) && text[end] > ' ' && text[end] != '#' {
				has |= classOf[text[end]]
				end++
			}
			if after = lineEndAt(text, end); after == 0 {
				return pos, lines, returns
			}
		}
		if r.google && end-pos > googleLine || start == end && r.emptyAllow {
			return pos, lines, returns
		}
		rule.at = uint32(start)
		rule.weight |= uint32(end-start) << 1
		switch {
		case start == end: // it asks nothing
		case (has != 0 || r.google) && r.waits(text[start:end], has, rule.weight&1 != 0):
			rule.line &^= starred
			s.odd = append(s.odd, rule)
		case text[start] == '/' || text[start] == '*': // else no path matches
			s.plain = append(s.plain, rule)
		}
		if after > end+1 {
			returns++
		}
		pos = after
	}
	return pos, lines, returns
}

// waits reports whether a rule that is not empty, with bytes of the classes in
// has, waits for For: it may be more than a stem in normal form. No other plain
// bytes need be in has.
func (r *reading) waits(value string, has classes, allow bool) bool {
	switch {
	case has&r.odd&(classStar|classDollar) != 0,
		has&r.odd != 0 && r.pattern.prefix(value) < len(value):
		return true
	case r.google && allow:
		i := strings.LastIndexByte(value, '/')
		return i >= 0 && strings.HasPrefix(value[i:], indexFile)
	}
	return false
}

// addAgents adds the agents that a user-agent line with this value names to
// the last group.
func (s *scanner) addAgents(text string, r *reading, value string) {
	if r.lists {
		for word := range list(value) {
			s.addAgent(text, r, word)
		}
		return
	}
	s.addAgent(text, r, value)
}

func (s *scanner) addAgent(text string, r *reading, value string) {
	if token, ok := r.token(value); ok {
		a := agent{block: uint32(len(s.spans) - 1)}
		if token != "" {
			where := valueOf(text, token)
			a.at, a.size = where.at, where.size
		}
		s.agents = append(s.agents, a)
	}
}

// words returns the patterns in the value of a rule: in dialects that put
// several on one line each of them, and else the value, if it asks anything.
func (r *reading) words(kind Kind, value string) iter.Seq[string] {
	if r.lists {
		return list(value)
	}
	return func(yield func(string) bool) {
		if value != "" || kind == Allow && r.emptyAllow {
			yield(value)
		}
	}
}

// token returns the name that the value of a user-agent line stands for:
// "*" for everyone, and only then. It is not ok where no robot can have it.
func (r *reading) token(value string) (token string, ok bool) {
	if value == everyone {
		return value, true
	}
	switch {
	case r.google:
		if len(value) > 1 && value[0] == '*' && isSpace(value[1]) {
			return value[:1], true
		}
		// Even the empty token has a robot there: one without a name.
		return value[:letters(value)], true
	case r.substring:
		if i := strings.IndexByte(value, '/'); i >= 0 {
			value = trim(value[:i])
		}
	default:
		value = productToken(value)
	}
	return value, value != "" && value != everyone
}

// productToken cuts a name at white space or "/", where its version starts.
func productToken(name string) string {
	for i := 0; i < len(name); i++ {
		if c := name[i]; c == '/' || c == ' ' || c == '\t' {
			return name[:i]
		}
	}
	return name
}

// letters returns how many bytes at the start of s are of the product tokens
// that RFC 9309 and Google's parser know.
func letters(s string) int {
	for i := 0; i < len(s); i++ {
		if c := lower(s[i]); (c < 'a' || c > 'z') && c != '-' && c != '_' {
			return i
		}
	}
	return len(s)
}

// A grouper tells the groups of a text apart, line by line.
type grouper struct {
	open  bool // a group has started and not ended
	ruled bool // it has a rule
	gap   bool // a blank line came after its user-agent lines
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

// blank is told of blank lines, in dialects where they end records: at once
// where the record has a rule, and else if a user-agent line follows next. It
// reports whether the line ends one.
func (g *grouper) blank() (ends bool) {
	ends = g.ruled
	*g = grouper{open: g.open && !ends, gap: g.open && !ends}
	return ends
}

// other is told of lines that are neither blank nor comments nor mean
// anything to groups.
func (g *grouper) other() { g.gap = false }
