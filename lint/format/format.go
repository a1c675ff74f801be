// Package format formats robots.txt without changing its meaning.
//
//	text = format.Source(text)
//
// Field names are spelled as in their documents, with one blank after the colon and none at the end
// of a line; lines end with LF; one blank line separates groups, and two blank lines never follow
// each other. Comments, the order of lines and all lines that are not understood stay.
//
// The result has the same meaning for every reader: Source compares it with the input line by line
// and group by group in every dialect, and leaves a line as it was if a dialect would read it
// differently.
package format

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
)

// Source returns a text formatted. It is idempotent: it returns its own output unchanged.
func Source(text string) string {
	// Formatted text may itself read differently: a line that became the first may start with
	// another byte order mark.
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
		return text // the line ends matter, as in a text that a dialect reads only in part
	}
	for _, change := range []func([]string) []string{squeezed, parted} {
		if changed := change(laid); same(text, joined(changed)) {
			laid = changed
		}
	}
	return joined(laid)
}

// split returns the lines of a text without line ends and without a byte order mark.
func split(text string) (lines []string) {
	for _, line := range robots.Parse([]byte(strings.TrimPrefix(text, "\ufeff"))).Lines() {
		lines = append(lines, strings.TrimRight(line.Text, "\r\n"))
	}
	return lines
}

// joined returns lines as one text.
func joined(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// layOut returns a line formatted.
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

// keep restores the lines that a dialect now reads differently.
func keep(lines, laid []string) {
	for _, d := range robots.Dialects() {
		was := slices.Collect(values(d.Parse([]byte(joined(lines)))))
		is := slices.Collect(values(d.Parse([]byte(joined(laid)))))
		for i := range laid {
			if i < len(was) && i < len(is) && (was[i].Kind != is[i].Kind || was[i].Value != is[i].Value ||
				!strings.EqualFold(was[i].Field, is[i].Field)) {
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

// squeezed returns lines with each run of blank lines reduced to one, and none at the start and the
// end.
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

// parted returns lines with a blank line before each group, including the comments that belong to
// the group.
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

// A record is the meaning of a line: its kind, its content, and its group.
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
