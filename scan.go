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

// A span is where a group is: octets of the text from its first user-agent line
// on, the number of that line, and which rules are its own.
type span struct {
	start, end, line uint32
	plain, odd       uint32 // the first of its rules
}

var scanners = sync.Pool{New: func() any {
	return &scanner{plain: make([]plain, 0, 1<<10), odd: make([]plain, 0, 1<<8)}
}}

// reset empties s.
func (s *scanner) reset() {
	s.spans, s.agents, s.plain, s.odd = s.spans[:0], s.agents[:0], s.plain[:0], s.odd[:0]
}

// scan finds the groups of text, from octet pos on. Unless lone is set, lines
// end at LF only, with a CR before it or not; where scan then finds a CR
// elsewhere, it gives up and returns false.
func (s *scanner) scan(text string, r *reading, pos int, lone bool) bool {
	s.reset()
	if len(text) > maxText {
		text = text[:maxText]
	}
	returns := 0 // CRs that do not end a line, if not found later
	if !lone {
		returns = strings.Count(text, "\r")
	}
	var g grouper
	for number := 1; pos < len(text); number++ {
		start := pos
		if g.open && !lone {
			if end, next := s.readPlain(text, r, pos, uint32(number)); next > 0 {
				returns -= (next - end) >> 1 // one, if the line ends with two octets
				g.rule()
				pos = next
				continue
			}
		}
		end, next := lineEnd(text, pos, lone)
		returns -= (next - end) >> 1
		pos = next
		if start < end && !g.open && !r.records {
			// Only a user-agent line could matter here.
			if c := text[start]; c > ' ' && c|0x20 != 'u' {
				continue
			}
		}
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

// readRule reads a rule that readPlain did not: a line with a number. If it is a
// stem in normal form all the same, it need not wait.
func (s *scanner) readRule(text string, r *reading, line string, number uint32) {
	kind, value, has := r.rule(line)
	rule := plain{line: number, weight: weight(len(value), kind == Allow)}
	if value == "" {
		if kind == Allow && r.emptyAllow {
			s.odd = append(s.odd, rule)
		}
		return // else it asks nothing
	}
	rule.at = valueOf(text, value).at
	switch {
	case r.lists, r.google && kind == Allow,
		has&r.odd&(classStar|classDollar) != 0,
		has&r.odd != 0 && r.pattern.prefix(value) < len(value):
		s.odd = append(s.odd, rule)
	case value[0] == '/': // else no path matches
		s.plain = append(s.plain, rule)
	}
}

// open starts a group at octet pos, which is on a line with a number.
func (s *scanner) open(pos, number int) {
	s.spans = append(s.spans, span{
		start: uint32(pos), line: uint32(number),
		plain: uint32(len(s.plain)), odd: uint32(len(s.odd)),
	})
}

// close ends the last group before octet pos.
func (s *scanner) close(pos int) { s.spans[len(s.spans)-1].end = uint32(pos) }

// readPlain reads the line at pos if it is as nearly all rules are: one of two
// words, a stem in normal form, perhaps a "*". It returns where the line ends
// and the next one starts, or 0 if the line is of another kind.
func (s *scanner) readPlain(text string, r *reading, pos int, line uint32) (end, next int) {
	if len(text)-pos < 11 {
		return 0, 0
	}
	allow := false
	start := pos
	switch v := load8(text[pos:]) | smallLetters; {
	case v == disallowOctets && text[pos+8] == ':':
		start += 9
	case v<<24>>24 == allowOctets && text[pos+5] == ':' && r.allow && !r.google:
		start += 6
		allow = true
	default:
		return 0, 0
	}
	if text[start] == ' ' {
		start++
	}
	end = start + plainOctets(text[start:])
	if r.wildcards && end < len(text) && text[end] == '*' {
		line |= starred
		end++
	}
	next = lineEndAt(text, end)
	switch {
	case next == 0, r.google && end-pos > googleLine:
		return 0, 0
	case start == end:
		if r.emptyAllow {
			return 0, 0
		}
	case text[start] == '/' || text[start] == '*': // else no path matches
		s.plain = append(s.plain, plain{uint32(start), line, weight(end-start, allow)})
	}
	return end, next
}

// addAgents adds the agents that a user-agent line with this value names to
// the last group.
func (s *scanner) addAgents(text string, r *reading, value string) {
	if r.lists {
		for word := range strings.FieldsSeq(value) {
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
		return strings.FieldsSeq(value)
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

// letters returns how many octets at the start of s are of the product tokens
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
