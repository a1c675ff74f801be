package main

import (
	"strings"
	"testing"
)

func TestShown(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"/a?b=c", "/a?b=c"},
		{"", `""`},
		{"/é 日本 \u00a0", "/é 日本 \u00a0"},
		{`/\x "q"`, `/\x "q"`},
		{"\x1b[31m", `\x1b[31m`},
		{"\"\x00\n\r\t\x7f", `"\x00\n\r\t\x7f`},
		{"\u009b\u202e\u2066\u200b\ufeff", `\u009b\u202e\u2066\u200b\ufeff`},
		{"\xff\ufffd", `\xff` + "\ufffd"},
		{"\U000e0041", `\U000e0041`},
	} {
		if got := shown(test.in); got != test.want {
			t.Errorf("%q: got %s, want %s", test.in, got, test.want)
		}
	}
}

// Colours and wide cells do not shift the columns of other rows.
func TestTable(t *testing.T) {
	for _, color := range []bool{false, true} {
		var b strings.Builder
		table := &table{w: &b, color: color}
		table.add([]cell{{"allowed", green}, {text: "/é"}, {text: "x"}})
		table.add([]cell{{"disallowed", red}, {text: "/abc"}, {text: "y"}}, "  beneath")
		table.add([]cell{{text: "allowed"}, {text: strings.Repeat("w", widest+1)}, {text: "z"}})
		table.flush()
		want := "allowed     /é    x\n" +
			"disallowed  /abc  y\n" +
			"  beneath\n" +
			"allowed     " + strings.Repeat("w", widest+1) + "  z\n"
		if color {
			want = strings.Replace(want, "allowed", "\x1b[32mallowed\x1b[0m", 1)
			want = strings.Replace(want, "disallowed", "\x1b[31mdisallowed\x1b[0m", 1)
		}
		if got := b.String(); got != want {
			t.Errorf("color=%v\ngot\n%swant\n%s", color, got, want)
		}
	}
}
