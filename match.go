package robots

import (
	"slices"
	"strconv"

	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/ruleindex"
	"github.com/robotsexclusion/robots/internal/ruleindex/byteclass"
	"github.com/robotsexclusion/robots/internal/url/urlcheck"
)

// Reason is why a URL is allowed or disallowed.
type Reason uint8

// The reasons.
const (
	NoGroup      Reason = iota // no group is for the robot, nor one for everyone
	NoRule                     // no rule of the group matches
	DecidingRule               // a rule decides
	RobotsFile                 // /robots.txt is always allowed (RFC 9309, section 2.2.2)
	Unavailable                // there is no robots.txt: 4xx (section 2.3.1.3)
	Unreachable                // robots.txt could not be fetched: 5xx, network (section 2.3.1.4)
)

var reasons = [...]string{"no-group", "no-rule", "rule", "robots-file", "unavailable", "unreachable"}

// String returns the reason's name: "rule", "no-rule", "no-group",
// "robots-file", "unavailable" or "unreachable".
func (r Reason) String() string {
	if int(r) < len(reasons) {
		return reasons[r]
	}
	return "unknown"
}

// A Match is the answer whether a robot may fetch a URL, and why.
type Match struct {
	Allowed bool
	Reason  Reason
	Rule    Rule // the deciding rule if Reason is DecidingRule; otherwise zero
}

// A Rule is one rule of a group.
type Rule struct {
	Allow   bool   // set for Allow, not set for Disallow
	Pattern string // as written, without the white space around it
	Line    int    // the number of its line, from 1 on
}

// String returns the rule in its usual form, such as "Disallow: /private/". Bytes that are unsafe
// for a terminal are escaped.
func (r Rule) String() string {
	if r.Allow {
		return "Allow: " + printable.Text(r.Pattern)
	}
	return "Disallow: " + printable.Text(r.Pattern)
}

// String returns the match as a sentence, such as "disallowed by line 3:
// Disallow: /private/".
func (m Match) String() string {
	verdict := "disallowed"
	if m.Allowed {
		verdict = "allowed"
	}
	switch m.Reason {
	case DecidingRule:
		return verdict + " by line " + strconv.Itoa(m.Rule.Line) + ": " + m.Rule.String()
	case NoRule:
		return verdict + ": no rule of the group matches"
	case NoGroup:
		return verdict + ": no group is for this robot"
	case RobotsFile:
		return verdict + ": /robots.txt itself always is"
	case Unavailable:
		return verdict + ": there is no robots.txt"
	case Unreachable:
		return verdict + ": robots.txt is unreachable"
	}
	return verdict
}

// MarshalJSON returns an object with "allowed", "reason", and if a rule decides "line" and "rule".
func (m Match) MarshalJSON() ([]byte, error) { return append(m.AppendFields([]byte{'{'}), '}'), nil }

// AppendFields appends the members of the object that [Match.MarshalJSON] returns, without its
// braces, so that a caller can add members.
func (m Match) AppendFields(b []byte) []byte {
	b = append(b, `"allowed":`...)
	b = strconv.AppendBool(b, m.Allowed)
	b = append(b, `,"reason":"`...)
	b = append(b, m.Reason.String()...)
	b = append(b, '"')
	if m.Reason == DecidingRule {
		b = append(b, `,"line":`...)
		b = strconv.AppendInt(b, int64(m.Rule.Line), 10)
		b = append(b, `,"rule":`...)
		b = appendRule(b, m.Rule)
	}
	return b
}

// appendRule appends the rule as a JSON string, with its pattern as written.
func appendRule(b []byte, r Rule) []byte {
	text := "Disallow: "
	if r.Allow {
		text = "Allow: "
	}
	for i := 0; i < len(r.Pattern); i++ {
		if c := r.Pattern[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return printable.AppendString(b, text+r.Pattern)
		}
	}
	b = append(b, '"')
	b = append(b, text...)
	b = append(b, r.Pattern...)
	return append(b, '"')
}

// Allowed reports whether the robot may fetch a URL: absolute, or its path with the query. It is
// Match(url).Allowed for a URL. A text that is not a URL is never allowed: [CheckURL] returns the
// mistake.
func (g *Group) Allowed(url string) bool {
	// A path is the usual question, and needs no call.
	return (isPath(url) || urlcheck.Check(url) == nil) && g.Match(url).Allowed
}

// isPath reports whether url is a path, which starts with one slash.
func isPath(url string) bool {
	return len(url) > 0 && url[0] == '/' && (len(url) == 1 || url[1] != '/')
}

// Match returns whether the robot may fetch a URL, and why. The URL is absolute, or its path with
// the query; its scheme, host and fragment do not matter. Match tries few rules, each in time
// linear in the length of the URL. It allocates nothing for a URL in normal form, nor for a short
// one in another form.
//
// Match answers for every text. For a text that is not a URL, the answer is that of Google's
// parser: "private/x" is the path /x of a host named private, and "" and "mailto:x@example.com"
// have no path. Call [CheckURL] first if a text may not be a URL, or use [Group.Allowed].
//
// Match compares dot segments as they stand: servers and most clients read /a/../private as
// /private, and a rule for /private does not match it. Resolve them first, as net/url does.
func (g *Group) Match(url string) (m Match) {
	p := g.policy
	if p == nil {
		return Match{Allowed: true, Reason: NoGroup}
	}
	r := p.dialect.spec()
	path, has, ok := r.target(url)
	if ok {
		g.match(&m, r, path, has)
	} else {
		g.matchRewritten(&m, r, path)
	}
	return m
}

// matchRewritten is match for a path that is not in normal form yet. A path of up to 170 bytes
// takes no memory of the heap.
func (g *Group) matchRewritten(m *Match, r *dialectSpec, path string) {
	var space [512]byte
	path = inPlace(r.normal(slices.Grow(space[:0], 1+3*len(path)), path))
	g.match(m, r, path, byteclass.Of(path))
}

// match makes m the answer for a path in normal form, with bytes of the classes in has.
func (g *Group) match(m *Match, r *dialectSpec, path string, has byteclass.Set) {
	p := g.policy
	if r.robotsFile && path == "/robots.txt" {
		m.Allowed, m.Reason = true, RobotsFile
		return
	}
	if p.fixed != 0 {
		m.Allowed, m.Reason = p.fixed == Unavailable, p.fixed
		return
	}
	if len(g.blocks) == 0 {
		m.Allowed, m.Reason = true, NoGroup
		return
	}
	var best ruleindex.Decision
	var decides *ruleindex.Index
	for i := range g.slots() {
		slot, blocks := g.slot(i)
		x := slot.Load()
		if x == nil || has&byteclass.Percent != 0 && x.Rough() {
			x = p.ready(slot, blocks, x, has)
		}
		if d, x, ok := x.Match(slot, p.text, path, has); ok && (decides == nil || d.Weight > best.Weight) {
			best, decides = d, x
		}
	}
	if decides == nil {
		m.Allowed, m.Reason = true, NoRule
		return
	}
	m.Allowed, m.Reason = best.Allow(), DecidingRule
	m.Rule.Allow, m.Rule.Line = m.Allowed, best.Line()
	m.Rule.Pattern = decides.Value(best, p.text)
}

// slots returns the number of indexes of g: one for all its blocks, or one for each.
func (g *Group) slots() int {
	if g.joined != nil {
		return 1
	}
	return len(g.blocks)
}

// slot returns the slot of index number i, and the blocks that the index is for.
func (g *Group) slot(i int) (*indexSlot, []uint32) {
	if g.joined != nil {
		return &g.joined.rules, g.joined.blocks
	}
	return &g.policy.blocks[g.blocks[i]].rules, g.blocks[i : i+1]
}
