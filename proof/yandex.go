package proof

import (
	"strings"

	"github.com/robotsexclusion/robots"
)

// yandex is how Yandex reads robots.txt: as its help for webmasters says, and, where
// that says nothing, its published parser (github.com/ydb-platform/ydb,
// library/cpp/robots_txt). What the two contradict each other in is left as RFC 9309
// has it.
var yandex = quirks{policy: yandexPolicy, weight: yandexWeight}

// yandexSize is how many bytes a file may have: in one of more, nothing is asked.
const yandexSize = 500 << 10

// yandexPolicy returns a policy that RFC 9309 groups as Yandex does the given one:
//
//   - A blank line, one with nothing but a comment, or one of another field, between
//     user-agent lines, ends the group before it, which has no rules then.
//   - A Disallow without a path allows everything, as "Allow: /" does: a rule that
//     wins against "Disallow: /".
//
// Such lines are replaced, so that all others keep their numbers.
func yandexPolicy(p *robots.Policy) *robots.Policy {
	switch {
	case len(p.String()) > yandexSize:
		return robots.Parse(nil)
	case p.String() == "":
		return p.In(robots.RFC9309) // it may be unreachable
	}
	policy := p.In(robots.RFC9309)
	text := policy.String()
	var b strings.Builder
	copied := 0 // bytes of text that are in b
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

// endsNames reports whether a line after a user-agent line, which is neither one nor
// a rule, parts it from the next one. A blank line after a bare CR is read in an odd
// way there, so nothing is said of these.
func endsNames(line robots.Line) bool {
	if line.Kind == robots.Blank || line.Kind == robots.Comment {
		return strings.HasSuffix(line.Text, "\n")
	}
	content, _, _ := strings.Cut(line.Text, "#")
	return strings.Contains(content, ":")
}

// yandexWeight is the length of the path of a rule without "*" and a last "$": so
// "/page" is as long as "/*.htm", and "Allow: /page" wins.
func yandexWeight(_ robots.Rule, p robots.Pattern) int {
	bytes := len(p.Stem)
	for segment := range p.Segments() {
		bytes += len(segment)
	}
	return max(bytes, 1) // "*" is read as "/*"
}
