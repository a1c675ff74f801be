package lsp

import (
	"sort"
	"strings"
)

// A position is a place between two characters: a line, and the number of characters before it
// in the line, both starting at 0. The encoding says what a character is.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// before reports whether p comes before q.
func (p position) before(q position) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Character < q.Character
}

// A span is the text between two positions (Range).
type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// A text is a document with the offsets of its lines. Lines end with LF, CR or CRLF, as in
// robots.txt, so lines are those of package robots, except for an empty last line. A text is
// immutable.
type text struct {
	content  string
	starts   []int32 // offsets of the lines; the first is 0
	encoding encoding
}

func newText(content string, e encoding) *text {
	t := &text{content: content, encoding: e, starts: make([]int32, 1, 2+strings.Count(content, "\n"))}
	for i := 0; i < len(content); {
		i = lineEnd(content, i)
		if i == len(content) && !endsLine(content) {
			break
		}
		t.starts = append(t.starts, int32(i))
	}
	return t
}

// lineEnd returns the end of the line that contains byte i.
func lineEnd(s string, i int) int {
	end := strings.IndexAny(s[i:], "\r\n")
	switch {
	case end < 0:
		return len(s)
	case strings.HasPrefix(s[i+end:], "\r\n"):
		return i + end + 2
	}
	return i + end + 1
}

// endsLine reports whether a text ends with a line end.
func endsLine(s string) bool { return strings.HasSuffix(s, "\n") || strings.HasSuffix(s, "\r") }

// body returns a line without its line end.
func body(line string) string {
	if s, ok := strings.CutSuffix(line, "\n"); ok {
		return strings.TrimSuffix(s, "\r")
	}
	return strings.TrimSuffix(line, "\r")
}

// lines returns the number of lines, at least one.
func (t *text) lines() int { return len(t.starts) }

// line returns the start and the end of a line, without its line end.
func (t *text) line(number int) (start, end int) {
	start, end = int(t.starts[number]), len(t.content)
	if number+1 < len(t.starts) {
		end = int(t.starts[number+1])
	}
	return start, start + len(body(t.content[start:end]))
}

// ending returns the line end of the first line.
func (t *text) ending() string {
	if len(t.starts) == 1 {
		return "\n"
	}
	_, end := t.line(0)
	return t.content[end:t.starts[1]]
}

// offset returns the offset of a position. A position after the end of a line, or of the text,
// means that end.
func (t *text) offset(p position) int {
	switch {
	case p.Line < 0:
		return 0
	case p.Line >= len(t.starts):
		return len(t.content)
	}
	start, end := t.line(p.Line)
	return start + t.encoding.bytes(t.content[start:end], p.Character)
}

// position returns the position of an offset. An offset within a line end or a character has
// the position before it.
func (t *text) position(offset int) position {
	c := cursor{text: t}
	return c.position(offset)
}

// span returns the positions of two offsets.
func (t *text) span(from, to int) span { return span{t.position(from), t.position(to)} }

// lineSpan returns the span of a line, without its line end.
func (t *text) lineSpan(number int) span { return t.span(t.line(number)) }

// A cursor finds the positions of increasing offsets, in time linear in the text, even with
// very long lines.
type cursor struct {
	text *text
	line int
	at   int // the last offset, in line
	char int // the character of at
}

func (c *cursor) position(offset int) position {
	t := c.text
	line := c.line
	if offset < c.at || line+1 < len(t.starts) && offset >= int(t.starts[line+1]) {
		line = sort.Search(len(t.starts), func(i int) bool { return int(t.starts[i]) > offset }) - 1
	}
	start, end := t.line(line)
	if line != c.line || offset < c.at {
		c.line, c.at, c.char = line, start, 0
	}
	if offset = min(offset, end); offset < end {
		offset = max(charStart(t.content[start:end], offset-start)+start, c.at)
	}
	c.char += t.encoding.units(t.content[c.at:offset])
	c.at = offset
	return position{line, c.char}
}
