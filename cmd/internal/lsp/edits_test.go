package lsp

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/lint"
)

// held makes edits as a client does, and compares the result with the expected text.
func held(t *testing.T, s string, edits []lint.Edit, want string) {
	t.Helper()
	fix := lint.Fix{Edits: edits}
	if got := fix.Apply(s); got != want {
		t.Fatalf("%q: edits %v come to %q, want %q", s, edits, got, want)
	}
	for _, e := range allEncodings {
		sent, ok := newText(s, e).textEdits(edits)
		if !ok {
			for _, e := range edits {
				if !utf8.ValidString(e.New) {
					return
				}
			}
			if utf8.ValidString(s) {
				return // an edit of a part of a character
			}
			continue
		}
		last := position{}
		for _, edit := range sent {
			if edit.Range.Start.before(last) || edit.Range.End.before(edit.Range.Start) {
				t.Fatalf("%v %q: edits %v overlap", e, s, sent)
			}
			last = edit.Range.End
		}
		if got := slowApply(s, e, sent); got != want {
			t.Fatalf("%v %q: edits %v come to %q, want %q", e, s, sent, got, want)
		}
	}
}

func TestDifference(t *testing.T) {
	for _, test := range []struct {
		name, before, after string
		edits               int
	}{
		{"nothing", "a\nb\n", "a\nb\n", 0},
		{"a letter", "a\ndisallow: /x\nb\n", "a\nDisallow: /x\nb\n", 1},
		{"line ends", "a\r\nb\r\nc", "a\nb\nc\n", 3},
		{"a line less", "a\nb\nc\n", "a\nc\n", 1},
		{"a line more", "a\nc\n", "a\nb\nc\n", 1},
		{"far apart", "x: 1\na\nb\nc\ny: 1\n", "x: 2\na\nb\nc\ny: 2\n", 2},
		{"lines that repeat", "a\n\n\nb\n\n\nc\n", "a\n\nb\n\nc\n", 2},
		{"two lines change places", "a\nb\nc\nd\n", "a\nc\nb\nd\n", 2},
		{"all", "a\n", "b\nc\n", 1},
		{"from nothing", "", "a\n", 1},
		{"to nothing", "a\nb\n", "", 1},
		{"a character of several content", "/\u00e9\n", "/\u00e8\n", 1},
		{"a byte order mark", "\uFEFFa\n", "a\n", 1},
	} {
		edits := difference(test.before, test.after)
		if len(edits) != test.edits {
			t.Errorf("%s: %d edits, want %d: %v", test.name, len(edits), test.edits, edits)
		}
		held(t, test.before, edits, test.after)
	}
}

func edit(start, end int, text string) lint.Edit { return lint.Edit{Start: start, End: end, New: text} }

// Positions cannot be inside a line end or a character; byte offsets of edits can.
func TestWidened(t *testing.T) {
	for _, test := range []struct {
		name, text string
		edits      []lint.Edit
		want       string
	}{
		{"CR", "a\r\nb", []lint.Edit{edit(1, 2, "")}, "a\nb"},
		{"LF", "a\r\nb", []lint.Edit{edit(2, 3, "")}, "a\rb"},
		{"between", "a\r\nb", []lint.Edit{edit(2, 2, "x")}, "a\rx\nb"},
		{"both", "a\r\nb", []lint.Edit{edit(1, 2, "x"), edit(2, 3, "y")}, "axyb"},
		{"around", "a\r\nb", []lint.Edit{edit(0, 2, "x"), edit(2, 4, "y")}, "xy"},
		{"two in one character", "\U0001F916", []lint.Edit{edit(1, 1, "a"), edit(2, 3, "b")}, "\xf0a\x9fb\x96"},
		{"next to each other", "abc", []lint.Edit{edit(0, 1, "x"), edit(1, 1, "y"), edit(1, 2, "z")}, "xyzc"},
	} {
		t.Run(test.name, func(t *testing.T) { held(t, test.text, test.edits, test.want) })
	}
}

func FuzzDifference(f *testing.F) {
	for i, s := range hardTexts {
		f.Add(s, hardTexts[(i+1)%len(hardTexts)])
	}
	f.Add("a\n\n\nb\n\n\nc\n", "a\n\nb\nx\n\nc\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		if len(before)+len(after) > 400 {
			t.Skip("the twin is slow")
		}
		held(t, before, difference(before, after), after)
	})
}

// Very many edits are sent as one.
func TestManyEdits(t *testing.T) {
	const n = maxEdits + 1
	s := strings.Repeat("\u00e9a\r\n", n)
	want := strings.Repeat("\u00e9a\n", n)
	edits, ok := newText(s, utf16Units).textEdits(difference(s, want))
	if !ok || len(edits) != 1 || slowApply(s, utf16Units, edits) != want {
		t.Errorf("got %d edits, or others", len(edits))
	}
}

// Edits of texts with many lines that all differ take no quadratic time.
func TestManyDifferences(t *testing.T) {
	const n = 200_000
	before := strings.Repeat("a\nb\n", n)
	after := strings.Repeat("b\na\nc\n", n)
	fix := lint.Fix{Edits: difference(before, after)}
	if fix.Apply(before) != after {
		t.Error("the edits come to something else")
	}
}
