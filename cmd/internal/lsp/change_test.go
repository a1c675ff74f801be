package lsp

import (
	"fmt"
	"strings"
	"testing"
)

// FuzzChange makes random changes, all in one message or one in each message, and compares the
// text with that of a client that has the whole text. Each change takes five bytes: its start,
// its end, and the text that it inserts.
func FuzzChange(f *testing.F) {
	for i, s := range hardTexts {
		f.Add(s, []byte{0, 0, 1, 3, byte(i), 1, 0, 1, 0, 2, 0, 1, 9, 9, 3, 0, 0, 0, 1, 4, 2, 7, 0, 0, 5})
	}
	f.Add("a\rb", []byte{1, 0, 1, 0, 3}) // CR and LF come together
	f.Add("a\r\nb", []byte{0, 0, 1, 0, 0, 1, 0, 1, 0, 3})
	inserts := []string{"", "x", "Disallow: /\u00e9\n", "\n", "\r", "\r\n", "\U0001F916", "a\rb\r\nc\n", "\xe9",
		"\x9f\xa4"}
	f.Fuzz(func(t *testing.T, s string, program []byte) {
		if len(s) > 300 || len(program) > 100 {
			t.Skip("the twin is slow")
		}
		var changes []change
		for ; len(program) >= 5; program = program[5:] {
			c := change{Text: verbatim(inserts[int(program[4])%len(inserts)])}
			if program[4] < 250 {
				c.Range = &span{position{int(int8(program[0])), int(int8(program[1]))},
					position{int(int8(program[2])), int(int8(program[3]))}}
			}
			changes = append(changes, c)
		}
		for _, e := range allEncodings {
			want := s
			step := newText(s, e)
			for _, c := range changes {
				want = slowChange(want, e, c)
				step = step.changed([]change{c})
			}
			if step.content != want {
				t.Fatalf("%v %q: one by one\ngot  %q\nwant %q", e, s, step.content, want)
			}
			got := newText(s, e).changed(changes)
			if got.content != want {
				t.Fatalf("%v %q: together\ngot  %q\nwant %q", e, s, got.content, want)
			}
			if fresh := newText(want, e); fmt.Sprint(got.starts) != fmt.Sprint(fresh.starts) {
				t.Fatalf("%v %q: lines start at %v, want %v", e, want, got.starts, fresh.starts)
			}
		}
	})
}

// An editor that replaces all occurrences sends a change for each in one message, from the
// start or from the end of the text.
func TestManyChanges(t *testing.T) {
	const n = 50_000
	text := newText(strings.Repeat("disallow: /x\n", n), utf16Units)
	var up, down []change
	for i := range n {
		up = append(up, change{&span{position{i, 0}, position{i, 1}}, "D"})
		down = append(down, change{&span{position{n - 1 - i, 0}, position{n - 1 - i, 1}}, "D"})
	}
	want := strings.Repeat("Disallow: /x\n", n)
	for _, changes := range [][]change{up, down} {
		if got := text.changed(changes).content; got != want {
			t.Errorf("got %.100q, want %.100q", got, want)
		}
	}
}

func TestChangeOrder(t *testing.T) {
	for _, test := range []struct {
		name, text string
		changes    []change
		want       string
	}{
		{"none", "a", nil, "a"},
		{"the last whole text counts", "a", []change{{nil, "b"}, {nil, "c"}, {&span{position{0, 1}, position{0, 1}},
			"d"}}, "cd"},
		{"the end before the start", "abc", []change{{&span{position{0, 2}, position{0, 1}}, "x"}}, "abxc"},
		{"positions are those after the change before", "ab",
			[]change{{&span{}, "x\n"}, {&span{position{1, 1}, position{1, 2}}, "y"}}, "x\nay"},
		{"far behind the end", "a\nb", []change{{&span{position{7, 7}, position{9, 9}}, "x"}}, "a\nbx"},
	} {
		if got := newText(test.text, utf16Units).changed(test.changes).content; got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
