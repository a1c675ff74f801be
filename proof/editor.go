package proof

import (
	"maps"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
)

// text returns the remaining text with some groups joined, and the reasons for omitting other
// lines. Of the blank lines around omitted lines, only one is kept.
func (e *editor) text(joins []groupJoin) *shrinkResult {
	s := &shrinkResult{drop: e.drop}
	if len(joins) > 0 {
		s.drop = maps.Clone(e.drop)
	}
	m := e.moves(joins, s)
	w := &lineWriter{end: "\n"}
	blank, dropped := true, false // properties of the previous line, and of the lines between
	for _, line := range e.lines[1:] {
		number := line.Number
		if _, ok := s.drop[number]; ok {
			dropped = true
			if text, ok := commentOf(line); ok && !m.moved[number] {
				w.add(number, text)
				blank, dropped = false, false
			}
			continue
		}
		if line.Kind == robots.Blank && blank && dropped {
			continue
		}
		text := line.Text
		if len(m.before[number]) > 0 {
			if rest, ok := strings.CutPrefix(text, byteOrderMark); ok {
				w.b.WriteString(byteOrderMark)
				text = rest
			}
			for _, of := range m.before[number] {
				comment, _ := commentOf(e.lines[of])
				w.add(of, comment)
			}
		}
		w.add(number, text)
		for _, of := range m.after[number] {
			w.add(of, e.lines[of].Text)
		}
		blank, dropped = line.Kind == robots.Blank, false
	}
	s.text, s.origins = w.b.String(), w.origins
	return s
}

// A moves has the moves of lines to other lines.
type moves struct {
	before, after map[int][]int // lines that move to a line
	moved         map[int]bool  // the lines that move
}

// moves returns the moves for joined groups. It drops the lines from their places in s.
func (e *editor) moves(joins []groupJoin, s *shrinkResult) *moves {
	m := &moves{make(map[int][]int), make(map[int][]int), make(map[int]bool)}
	for _, j := range joins {
		for _, number := range slices.Concat(j.group.names, j.group.others) {
			s.drop[number] = j.why
		}
		if j.target == nil {
			continue
		}
		first, last, move := j.target.names[0], j.target.names[len(j.target.names)-1], j.group.names
		if j.rules {
			last, move = j.target.last(), j.group.others
		}
		m.after[last] = append(m.after[last], move...)
		for _, number := range move {
			m.moved[number] = true
		}
		for _, number := range e.comments(j.group) {
			if j.rules && m.moved[number] {
				continue // the comment of a rule moves with it
			}
			m.before[first] = append(m.before[first], number)
			m.moved[number] = true
			if e.lines[number].Kind == robots.Comment {
				s.drop[number] = reason{textGoesWithGroup, first}
			}
		}
	}
	return m
}

// last returns the last line of the group that stays.
func (g *block) last() int { return max(slices.Max(g.names), slices.Max(append(g.others, 0))) }

const byteOrderMark = "\ufeff"

// comments returns the comment lines of a group, in order: those directly above its lines, those at
// the end of its rules, and those directly below its last line, unless they could describe a line
// after them. They are put before a group and not among its user-agent lines, because Yandex ends a
// group at a comment.
func (e *editor) comments(g *block) (numbers []int) {
	own := slices.Sorted(slices.Values(slices.Concat(g.names, g.others, g.gone)))
	for _, number := range own {
		n := number
		for n > 1 && e.lines[n-1].Kind == robots.Comment {
			n--
		}
		for ; n < number; n++ {
			numbers = append(numbers, n)
		}
		if _, ok := commentOf(e.lines[number]); ok && e.lines[number].Kind != robots.UserAgent {
			numbers = append(numbers, number)
		}
	}
	last := own[len(own)-1]
	n := last + 1
	for n < len(e.lines) && e.lines[n].Kind == robots.Comment {
		n++
	}
	if n == len(e.lines) || e.lines[n].Kind == robots.Blank {
		for below := last + 1; below < n; below++ {
			numbers = append(numbers, below)
		}
	}
	return numbers
}

// commentOf returns the comment of a line, with its line end.
func commentOf(line robots.Line) (text string, ok bool) {
	at := strings.IndexByte(line.Text, '#')
	if at < 0 {
		return "", false
	}
	return line.Text[at:], true
}

// A lineWriter joins lines to a text. Each line but the last has a line end.
type lineWriter struct {
	b       strings.Builder
	origins []int
	end     string // the last line end that was read
	open    bool   // the previous line has no line end
}

func (w *lineWriter) add(number int, text string) {
	if w.open {
		w.b.WriteString(w.end)
	}
	w.b.WriteString(text)
	w.origins = append(w.origins, number)
	content := strings.TrimRight(text, "\r\n")
	if w.open = content == text; !w.open {
		w.end = text[len(content):]
	}
}
