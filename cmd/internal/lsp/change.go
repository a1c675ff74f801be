package lsp

import (
	"slices"
	"strings"
)

// A change is a change of a document by the client (TextDocumentContentChangeEvent).
type change struct {
	Range *span    `json:"range"` // the replaced range; nil for the whole text
	Text  verbatim `json:"text"`
}

// changed applies changes to a text, one after another.
func (t *text) changed(changes []change) *text {
	// Changes before one that replaces the whole text do not matter.
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

// A lineEditor edits a text: the lines with their ends, those before the last change, and those
// after it in reverse order. Only the last line has no end. So a change takes time linear in
// the number of lines between it and the previous change, and a client may send thousands of
// changes in one message.
type lineEditor struct {
	before, after []string
	encoding      encoding
}

// splitLines returns the lines of a text with their ends, and a last line without one.
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

// change replaces a range by a text. A position after the end of the text means the end of the
// text, and a position after the end of a line means the end of the line.
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
		joined = e.popBefore() + joined // CR and LF may have become one line end
	}
	lines := splitLines(joined)
	if len(e.after) > 0 {
		lines = lines[:len(lines)-1] // tail has the end of this line
	}
	e.before = append(e.before, lines...)
}

// clamp limits a position to the text. Its character may still be after the end of the line.
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
