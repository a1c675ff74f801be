package lint

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// A source returns the lines of a file by number.
type source struct {
	text    string
	starts  []int // offsets of the lines up to the last requested one
	numbers []int
}

// sourceOf records the offsets of the lines in a report. It records only these, so that the
// memory does not depend on the size of the file.
func sourceOf(r *Report) *source {
	s := &source{text: r.Policy.String()}
	next := 0
	for number, l := range r.Policy.Lines() {
		for next < len(r.Diagnostics) && r.Diagnostics[next].Line < number {
			next++
		}
		if next == len(r.Diagnostics) {
			break
		}
		if r.Diagnostics[next].Line == number {
			s.numbers = append(s.numbers, number)
			s.starts = append(s.starts, l.Offset, l.Offset+len(l.Text))
		}
	}
	return s
}

// line returns a line without byte order mark and line end, or "" if no diagnostic is about the
// line.
func (s *source) line(number int) string {
	i := sort.SearchInts(s.numbers, number)
	if i == len(s.numbers) || s.numbers[i] != number {
		return ""
	}
	body := s.text[s.starts[2*i]:s.starts[2*i+1]]
	if s.starts[2*i] == 0 {
		body = strings.TrimPrefix(body, byteOrderMark)
	}
	return strings.TrimRight(body, "\r\n")
}

// characters converts the columns of a diagnostic from bytes to characters.
func (s *source) characters(d *Diagnostic) (column, end int) {
	body := s.line(d.Line)
	count := func(bytes int) int {
		return 1 + utf8.RuneCountInString(body[:min(max(bytes-1, 0), len(body))])
	}
	return count(d.Column), count(d.EndColumn)
}
