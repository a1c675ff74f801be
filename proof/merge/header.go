package merge

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
)

// The first and the last line of a header.
const (
	headerBegins = "Built by 'robots build', from:"
	headerEnds   = "Change these, and build it again."
)

// header adds a comment that names the fragments. The comment has no date: the same fragments
// give the same file.
func (w *writer) header(fragments []*fragment, wishes []Wish) {
	w.comment(headerBegins)
	for _, f := range fragments {
		w.comment("  " + printable.Text(f.name))
	}
	if len(wishes) > 0 {
		w.comment("with:")
		for _, wish := range wishes {
			w.comment("  " + wish.String())
		}
	}
	w.comment(headerEnds)
}

// inHeaders returns the numbers of the lines of headers. A file that was built may be a fragment of
// the next one, which has a header of its own.
func inHeaders(p *robots.Policy) map[int]bool {
	var lines map[int]bool
	var header []int // the lines since the last beginning, if only comments follow it
	for number, line := range p.Lines() {
		text := strings.TrimSpace(strings.TrimLeft(line.Text, "# \t\ufeff"))
		switch {
		case line.Kind != robots.Comment:
			header = nil
		case text == headerBegins:
			header = []int{number}
		case header == nil:
		default:
			header = append(header, number)
			if text != headerEnds {
				continue
			}
			if lines == nil {
				lines = make(map[int]bool)
			}
			for _, n := range header {
				lines[n] = true
			}
			header = nil
		}
	}
	return lines
}
