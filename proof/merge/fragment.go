package merge

import (
	"strings"

	"github.com/robotsexclusion/robots"
)

// A fragment is a Fragment that was read.
type fragment struct {
	name   string
	policy *robots.Policy
	lines  []robots.Line // by number, starting at 1
	names  []string      // the product tokens in the fragment, without "*"

	exempted map[string][]exemption // by token in lower case: robots that are exempt from some rules
	added    []addedLine            // the lines for these robots
	origins  map[int]int            // by the numbers of added lines: the lines with the same meaning

	lead   map[int][]place // the comments before a group, by the first line of the group
	before map[int][]place // the comments before another line
	tail   []place         // the comments after the last record
	told   map[int]bool    // the comment lines that are already in the file
}

func newFragment(of Fragment) *fragment {
	f := &fragment{
		name: of.Name, policy: robots.Parse(of.Text), lines: make([]robots.Line, 1),
		lead: make(map[int][]place), before: make(map[int][]place), told: make(map[int]bool),
	}
	starts := make(map[int]bool)
	for _, g := range f.policy.Groups() {
		starts[g.Line()] = true
	}
	headers := inHeaders(f.policy)
	var comments []place
	for number, line := range f.policy.Lines() {
		f.lines = append(f.lines, line)
		switch {
		case headers[number]:
		case line.Kind == robots.Blank:
		case line.Kind != robots.Other && line.Kind != robots.UserAgent && line.Kind != robots.Comment &&
			line.Value == "":
			// A rule without a path is not written again, but its comment is kept.
		case line.Kind == robots.Comment:
			comments = append(comments, place{f, number})
		case starts[number]:
			f.lead[number] = comments
			comments = nil
		case line.Kind == robots.UserAgent:
			// A comment between user-agent lines is about the group.
		default:
			f.before[number] = comments
			comments = nil
		}
	}
	f.tail = comments
	f.names = namedIn(f.policy)
	return f
}

// namedIn returns the product tokens in a policy, without "*".
func namedIn(p *robots.Policy) (tokens []string) {
	seen := map[string]bool{"*": true}
	for _, g := range p.Groups() {
		for _, token := range g.Agents() {
			if lower := strings.ToLower(token); !seen[lower] {
				seen[lower] = true
				tokens = append(tokens, token)
			}
		}
	}
	return tokens
}

// ofFile returns the lines of records that apply to the whole file: records outside of groups,
// and records of some fields inside of groups.
func (f *fragment) ofFile(inGroups bool) (numbers []int) {
	for number, line := range f.lines {
		r := robots.Record{Field: line.Field, Value: line.Value, Line: number}
		if line.Kind == robots.Other && line.Group >= 0 == inGroups && (r.OfFile() || !inGroups) {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// white has the bytes of insignificant white space around a line. Other white space, such as a
// no-break space, may be the end of a pattern.
const white = " \t\r\n"

// body returns a line without its comment and surrounding white space.
func (f *fragment) body(number int) string {
	text, _, _ := strings.Cut(f.whole(number), "#")
	return strings.Trim(text, white)
}

// whole returns a line without surrounding white space.
func (f *fragment) whole(number int) string {
	return strings.Trim(strings.TrimPrefix(f.lines[number].Text, "\ufeff"), white)
}

// comments returns the comments that are not yet in the file.
func (f *fragment) comments(at []place) (lines []outputLine) {
	for _, p := range at {
		if !f.told[p.line] {
			f.told[p.line] = true
			lines = append(lines, outputLine{f.whole(p.line), p})
		}
	}
	return lines
}
