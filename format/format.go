// Package format lays robots.txt out in one way, without another meaning.
//
//	text = format.Source(text)
//
// Field names are written as their documents write them, with one blank after the
// colon and none at the end of a line; lines end with LF; one blank line stands
// between groups, and never two. Comments, the order of lines and everything that
// is not understood stay.
//
// Whoever reads the result reads the same: it is compared with the text line by
// line and group by group in every dialect, and what would be read otherwise in
// one of them is left as it was.
package format

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
)

// Source returns a text laid out. It is idempotent: what it returns, it leaves as
// it is.
func Source(text string) string {
	// What is laid out may be read otherwise itself: a line that has come to be
	// the first one may start with another byte order mark.
	for range 8 {
		laid := source(text)
		if laid == text {
			break
		}
		text = laid
	}
	return text
}

func source(text string) string {
	lines := split(text)
	whole := strings.Join(lines, "\n")
	laid := make([]string, len(lines))
	for i, line := range robots.Parse([]byte(whole)).Lines() {
		laid[i-1] = layOut(line)
	}
	keep(lines, laid)
	if !same(text, joined(laid)) {
		return text // the line ends matter, as in a text of which a dialect reads only a part
	}
	for _, change := range []func([]string) []string{squeezed, parted} {
		if changed := change(laid); same(text, joined(changed)) {
			laid = changed
		}
	}
	return joined(laid)
}

// split returns the lines of a text without their ends, and without a byte order
// mark.
func split(text string) (lines []string) {
	for _, line := range robots.Parse([]byte(strings.TrimPrefix(text, "\ufeff"))).Lines() {
		lines = append(lines, strings.TrimRight(line.Text, "\r\n"))
	}
	return lines
}

// joined returns lines as a text.
func joined(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// layOut returns a line laid out.
func layOut(line robots.Line) string {
	text := strings.TrimRight(line.Text, "\r\n")
	switch line.Kind {
	case robots.Blank:
		return ""
	case robots.Comment:
		return strings.Trim(text, " \t")
	case robots.Malformed:
		return text
	}
	field := line.Field
	if f, ok := robots.FieldNamed(field); ok {
		field = f.Name
	}
	laid := field + ":"
	if line.Value != "" {
		laid += " " + line.Value
	}
	if i := strings.IndexByte(text, '#'); i >= 0 {
		laid += " " + strings.TrimRight(text[i:], " \t")
	}
	return laid
}

// keep takes back what was done to lines that a dialect reads otherwise now.
func keep(lines, laid []string) {
	for _, d := range robots.Dialects() {
		was := slices.Collect(values(d.Parse([]byte(joined(lines)))))
		is := slices.Collect(values(d.Parse([]byte(joined(laid)))))
		for i := range laid {
			if i < len(was) && i < len(is) && (was[i].Kind != is[i].Kind || was[i].Value != is[i].Value || !strings.EqualFold(was[i].Field, is[i].Field)) {
				laid[i] = lines[i]
			}
		}
	}
}

func values(p *robots.Policy) func(func(robots.Line) bool) {
	return func(yield func(robots.Line) bool) {
		for _, line := range p.Lines() {
			if !yield(line) {
				return
			}
		}
	}
}

// squeezed returns lines with one blank line where there were several, and none
// at the start and the end.
func squeezed(lines []string) (out []string) {
	for i, line := range lines {
		if line == "" && (len(out) == 0 || lines[i-1] == "") {
			continue
		}
		out = append(out, line)
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}

// parted returns lines with a blank line before each group, and before the
// comments that belong to it.
func parted(lines []string) (out []string) {
	starts := make(map[int]bool)
	policy := robots.Parse([]byte(joined(lines)))
	for _, g := range policy.Groups() {
		start := g.Line() - 1
		for start > 0 && strings.HasPrefix(lines[start-1], "#") {
			start--
		}
		starts[start] = true
	}
	for i, line := range lines {
		if starts[i] && i > 0 && lines[i-1] != "" {
			out = append(out, "")
		}
		out = append(out, line)
	}
	return out
}

// same reports whether all dialects read two texts in the same way: the same
// records in the same groups.
func same(a, b string) bool {
	for _, d := range robots.Dialects() {
		if !slices.Equal(meaning(d.Parse([]byte(a))), meaning(d.Parse([]byte(b)))) {
			return false
		}
	}
	return true
}

// A record is what counts of a line: what it is, what it says, and of which group.
type record struct {
	kind         robots.Kind
	field, value string
	group        int
}

func meaning(p *robots.Policy) (records []record) {
	for _, line := range p.Lines() {
		if line.Kind != robots.Blank && line.Kind != robots.Comment {
			records = append(records, record{line.Kind, strings.ToLower(line.Field), line.Value, line.Group})
		}
	}
	return records
}
