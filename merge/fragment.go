package merge

import (
	"strings"

	"github.com/robotsexclusion/robots"
)

// A fragment is one that was read.
type fragment struct {
	name   string
	policy *robots.Policy
	lines  []robots.Line // by number, from 1 on
	names  []string      // the product tokens that it names, without "*"

	exempted map[string][]exemption // by token in lower case: robots that are exempt from some of it
	added    []addedLine            // what it says to these
	origins  map[int]int            // by the numbers of lines that were added: the lines that say so

	lead   map[int][]place // the comments before a group, by the line at which it starts
	before map[int][]place // the comments before another line
	tail   []place         // the comments after the last record
	told   map[int]bool    // the lines of comments that are in the file already
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
	var comments []place
	for number, line := range f.policy.Lines() {
		f.lines = append(f.lines, line)
		switch {
		case line.Kind == robots.Blank:
		case line.Kind != robots.Other && line.Kind != robots.UserAgent && line.Kind != robots.Comment && line.Value == "":
			// A rule without a path is not written again; what is said of it stays.
		case line.Kind == robots.Comment:
			comments = append(comments, place{f, number})
		case starts[number]:
			f.lead[number] = comments
			comments = nil
		case line.Kind == robots.UserAgent:
			// What is said between user-agent lines is said of the group.
		default:
			f.before[number] = comments
			comments = nil
		}
	}
	f.tail = comments
	f.names = namedIn(f.policy)
	return f
}

// namedIn returns the product tokens that a policy names, without "*".
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

// ofFile returns the lines of records that hold for the whole file: those that
// stand in no group, or in one, where only some fields do.
func (f *fragment) ofFile(inGroups bool) (numbers []int) {
	for number, line := range f.lines {
		r := robots.Record{Field: line.Field, Value: line.Value, Line: number}
		if line.Kind == robots.Other && line.Group >= 0 == inGroups && (r.OfFile() || !inGroups) {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// white are the bytes around a line that are no part of it. Other white space, as
// a no-break space, may be the end of a pattern.
const white = " \t\r\n"

// body returns a line without its comment and the white space around it.
func (f *fragment) body(number int) string {
	text, _, _ := strings.Cut(f.whole(number), "#")
	return strings.Trim(text, white)
}

// whole returns a line without the white space around it.
func (f *fragment) whole(number int) string {
	return strings.Trim(strings.TrimPrefix(f.lines[number].Text, "\ufeff"), white)
}

// comments returns those of places that are not in the file yet.
func (f *fragment) comments(at []place) (lines []outputLine) {
	for _, p := range at {
		if !f.told[p.line] {
			f.told[p.line] = true
			lines = append(lines, outputLine{f.whole(p.line), p})
		}
	}
	return lines
}
