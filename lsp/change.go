package lsp

import (
	"slices"
	"strings"
)

// A change is one of those that a client tells of a document
// (TextDocumentContentChangeEvent).
type change struct {
	Range *span    `json:"range"` // what is replaced; nil if it is all
	Text  verbatim `json:"text"`
}

// changed returns the text with changes made to it, one after another.
func (t *text) changed(changes []change) *text {
	// What comes before a text that replaces all does not matter.
	content := t.content
	for i, c := range slices.Backward(changes) {
		if c.Range == nil {
			content, changes = string(c.Text), changes[i+1:]
			break
		}
	}
	if len(changes) > 0 {
		e := lineEditor{after: splitLines(content), encoding: t.encoding}
		slices.Reverse(e.after)
		for _, c := range changes {
			e.change(*c.Range, string(c.Text))
		}
		content = e.join()
	}
	return newText(content, t.encoding)
}

// A lineEditor changes a text: its lines with their ends, those
// before the last change, and from the end backwards those after it. The last
// line, and no other, has no end. So a change takes time linear in the lines
// between it and the change before, and a client may make thousands of them in
// one message.
type lineEditor struct {
	before, after []string
	encoding      encoding
}

// splitLines returns the lines of a text with their ends, and a last one without.
func splitLines(s string) []string {
	lines := make([]string, 0, 1+strings.Count(s, "\n"))
	for i := 0; i < len(s); {
		end := lineEnd(s, i)
		if end == len(s) && !endsLine(s) {
			return append(lines, s[i:])
		}
		lines = append(lines, s[i:end])
		i = end
	}
	return append(lines, "")
}

// change puts a text in the place of another. Positions outside of the text are
// at its end, and those behind a line at the end of the line.
func (e *lineEditor) change(at span, text string) {
	if at.End.before(at.Start) {
		at.End = at.Start
	}
	start, end := e.clamp(at.Start), e.clamp(at.End)
	for len(e.before) > start.Line {
		e.after = append(e.after, e.popBefore())
	}
	for len(e.before) < start.Line {
		e.before = append(e.before, e.popAfter())
	}
	first := e.popAfter()
	last := first
	for range end.Line - start.Line {
		last = e.popAfter()
	}
	head := first[:e.encoding.bytes(body(first), start.Character)]
	tail := last[e.encoding.bytes(body(last), end.Character):]
	joined := head + text + tail
	if n := len(e.before); n > 0 && strings.HasPrefix(joined, "\n") && strings.HasSuffix(e.before[n-1], "\r") {
		joined = e.popBefore() + joined // CR and LF have come together
	}
	lines := splitLines(joined)
	if len(e.after) > 0 {
		lines = lines[:len(lines)-1] // tail has the end of its line
	}
	e.before = append(e.before, lines...)
}

// clamp returns a position that is in the text, but for its character, which may
// be behind the line.
func (e *lineEditor) clamp(p position) position {
	last := len(e.before) + len(e.after) - 1
	switch {
	case p.Line < 0:
		return position{}
	case p.Line <= last:
		return p
	case len(e.after) > 0:
		return position{last, len(e.after[0])}
	}
	return position{last, len(e.before[last])}
}

func (e *lineEditor) popBefore() (line string) {
	n := len(e.before) - 1
	line, e.before = e.before[n], e.before[:n]
	return line
}

func (e *lineEditor) popAfter() (line string) {
	n := len(e.after) - 1
	line, e.after = e.after[n], e.after[:n]
	return line
}

func (e *lineEditor) join() string {
	slices.Reverse(e.after)
	return strings.Join(e.before, "") + strings.Join(e.after, "")
}
