package lsp

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/lint"
	"github.com/robotsexclusion/robots/lint/format"
)

// askRange formats from each line to the end of the next, and compares the lines outside of the
// range and the format of the result.
func askRange(t *testing.T, d *document, c *client, line int) {
	t.Helper()
	s := d.text.content
	r := span{position{Line: line}, position{line + 1, 1}}
	result, err := d.rangeFormatting(c, rangeParams{Range: r})
	if err != nil {
		return // the whole file must be formatted, or bytes cannot be sent
	}
	edits := result.([]textEdit)
	for _, e := range edits {
		if e.Range.Start.Line < line || e.Range.End.Line > line+2 || e.Range.End.Line == line+2 &&
			e.Range.End.Character > 0 {
			t.Fatalf("%q: the edit %v is not in %v", s, e, r)
		}
	}
	if got := format.Source(slowApply(s, c.encoding, edits)); got != format.Source(s) {
		t.Fatalf("%q: after the edits in %v the format is %q", s, r, got)
	}
}

func TestRangeFormatting(t *testing.T) {
	const text = "user-agent:a\ndisallow:/\U0001F916\r\n\n\n\nUSER-AGENT:b\ndisallow:/b"
	for _, test := range []struct {
		r    span
		want string
	}{
		{span{position{0, 0}, position{1, 0}},
			"User-agent: a\ndisallow:/\U0001F916\r\n\n\n\nUSER-AGENT:b\ndisallow:/b"},
		{span{position{1, 3}, position{1, 3}}, "user-agent:a\nDisallow: /\U0001F916\n\n\n\nUSER-AGENT:b\ndisallow:/b"},
		{span{position{5, 0}, position{6, 1}},
			"user-agent:a\ndisallow:/\U0001F916\r\n\n\n\nUser-agent: b\nDisallow: /b\n"},
		{span{position{7, 0}, position{99, 0}}, text},
		{span{position{-1, -1}, position{99, 99}}, format.Source(text)},
		{span{position{6, 0}, position{0, 0}}, text}, // the end is before the start
	} {
		d := testDocument(text, utf16Units, lint.Options{})
		edits := answer[[]textEdit](t, d.rangeFormatting, testClient(utf16Units), rangeParams{Range: test.r})
		if got := slowApply(text, utf16Units, edits); got != test.want {
			t.Errorf("%v: got %q, want %q", test.r, got, test.want)
		}
	}
	large := testDocument(strings.Repeat("\n", maxRewritten+1), utf16Units, lint.Options{})
	if _, err := large.rangeFormatting(nil, rangeParams{}); err == nil ||
		!strings.Contains(err.Error(), "larger than 512 KiB") {
		t.Errorf("got error %v", err)
	}
}
