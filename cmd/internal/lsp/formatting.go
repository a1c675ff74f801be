package lsp

import (
	"github.com/creachadair/jrpc2"
	"github.com/robotsexclusion/robots/lint"
	"github.com/robotsexclusion/robots/lint/format"
)

// formatting returns edits that format the document. There is only one format, so the client's
// options are ignored.
func (d *document) formatting(_ *client, _ documentParams) (any, error) {
	laid, err := laidOut(d)
	if err != nil {
		return nil, err
	}
	return d.text.layoutEdits(difference(d.text.content, laid))
}

// laidOut returns the formatted text, or why it is not formatted here.
func laidOut(d *document) (string, error) {
	if d.trouble != noTrouble {
		return "", jrpc2.Errorf(requestFailed, "%s", d.troubleText())
	}
	if len(d.text.content) > maxRewritten {
		return "", jrpc2.Errorf(requestFailed,
			"the file is larger than %d KiB, which takes too long here: run robots fmt", maxRewritten>>10)
	}
	return format.Source(d.text.content), nil
}

// rangeFormatting returns the edits of formatting that lie in the lines of a range. Some edits keep
// the meaning only together with others. So the text with these edits must still be formatted to
// the same text as the whole document: package format keeps the meaning of both.
func (d *document) rangeFormatting(_ *client, p rangeParams) (any, error) {
	laid, err := laidOut(d)
	if err != nil {
		return nil, err
	}
	s := d.text.content
	start, end := d.text.wholeLines(p.Range)
	part := []lint.Edit{}
	for _, e := range difference(s, laid) {
		if e.Start >= start && e.End <= end && (e.Start < end || end == len(s)) {
			part = append(part, e)
		}
	}
	fix := lint.Fix{Edits: part}
	if format.Source(fix.Apply(s)) != laid {
		return nil, jrpc2.Errorf(requestFailed,
			"the layout of these lines depends on other lines: format the whole file")
	}
	return d.text.layoutEdits(part)
}

// wholeLines returns the offsets of the lines of a range, with their line ends. A last line without
// any selected byte is left out.
func (t *text) wholeLines(r span) (start, end int) {
	last := r.End.Line
	if r.End.Character > 0 || last <= r.Start.Line {
		last++
	}
	return t.offset(position{Line: r.Start.Line}), t.offset(position{Line: last})
}

// layoutEdits returns edits in the form of the protocol.
func (t *text) layoutEdits(list []lint.Edit) (any, error) {
	edits, ok := t.textEdits(list)
	if !ok {
		return nil, jrpc2.Errorf(requestFailed,
			"the layout would move bytes that are not UTF-8, which cannot be sent: run robots fmt")
	}
	if edits == nil {
		edits = []textEdit{}
	}
	return edits, nil
}
