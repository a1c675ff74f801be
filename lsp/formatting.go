package lsp

import (
	"github.com/creachadair/jrpc2"
	"github.com/robotsexclusion/robots/format"
)

// formatting returns edits that format the document. There is only one format, so the client's
// options are ignored.
func (d *document) formatting(_ *client, _ documentParams) (any, error) {
	if d.trouble != noTrouble {
		return nil, jrpc2.Errorf(requestFailed, "%s", d.troubleText())
	}
	if len(d.text.content) > maxRewritten {
		return nil, jrpc2.Errorf(requestFailed, "the file is larger than %d KiB, which takes too long here: run robots fmt", maxRewritten>>10)
	}
	edits, ok := d.text.textEdits(difference(d.text.content, format.Source(d.text.content)))
	if !ok {
		return nil, jrpc2.Errorf(requestFailed, "the layout would move bytes that are not UTF-8, which cannot be sent: run robots fmt")
	}
	if edits == nil {
		edits = []textEdit{}
	}
	return edits, nil
}
