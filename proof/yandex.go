package proof

import (
	"strings"

	"github.com/robotsexclusion/robots"
)

// yandex is the reading of Yandex, according to its help for webmasters, and where that is
// silent, to its published parser (github.com/ydb-platform/ydb, library/cpp/robots_txt). Where
// the two contradict each other, RFC 9309 applies.
var yandex = quirks{policy: yandexPolicy, weight: yandexWeight}

// yandexSize is the maximum size of a file in bytes. A larger file has no rules.
const yandexSize = 500 << 10

// yandexPolicy returns a policy that RFC 9309 groups as Yandex groups p:
//
//   - A blank line, a comment line, or a line with another field, between user-agent lines,
//     ends the group before it, which then has no rules.
//   - A Disallow without a path allows everything, as "Allow: /" does: a rule that wins against
//     "Disallow: /".
//
// Such lines are replaced, so that all other lines keep their numbers.
func yandexPolicy(p *robots.Policy) *robots.Policy {
	switch {
	case len(p.String()) > yandexSize:
		return robots.Parse(nil)
	case p.String() == "":
		return p.In(robots.RFC9309) // the policy may be unreachable
	}
	policy := p.In(robots.RFC9309)
	text := policy.String()
	var b strings.Builder
	copied := 0 // bytes of text that are already in b
	replace := func(line robots.Line, by string) {
		content := strings.TrimRight(line.Text, "\r\n")
		b.WriteString(text[copied:line.Offset])
		b.WriteString(by)
		copied = line.Offset + len(content)
	}
	naming := false         // the last line with a field is a user-agent line
	var between robots.Line // the first line after it that would end its group, if any
	for _, line := range policy.Lines() {
		switch line.Kind {
		case robots.UserAgent:
			if naming && between.Number > 0 {
				replace(between, "Disallow:")
			}
			naming, between = true, robots.Line{}
		case robots.Allow, robots.Disallow, robots.Stray:
			naming, between = false, robots.Line{}
			if line.Kind == robots.Disallow && line.Value == "" {
				replace(line, "Allow: /")
			}
		default:
			if naming && between.Number == 0 && endsNames(line) {
				between = line
			}
		}
	}
	if copied == 0 {
		return policy
	}
	b.WriteString(text[copied:])
	return robots.Parse([]byte(b.String()))
}

// endsNames reports whether a line after a user-agent line, which is neither a user-agent line
// nor a rule, separates it from the next user-agent line. Yandex reads a blank line after a
// bare CR in an odd way; such lines are ignored.
func endsNames(line robots.Line) bool {
	if line.Kind == robots.Blank || line.Kind == robots.Comment {
		return strings.HasSuffix(line.Text, "\n")
	}
	content, _, _ := strings.Cut(line.Text, "#")
	return strings.Contains(content, ":")
}

// yandexWeight is the length of the path of a rule without "*" and a final "$": "/page" and
// "/*.htm" have the same length, and "Allow: /page" wins.
func yandexWeight(_ robots.Rule, p robots.Pattern) int {
	bytes := len(p.Stem)
	for segment := range p.Segments() {
		bytes += len(segment)
	}
	return max(bytes, 1) // "*" is read as "/*"
}
