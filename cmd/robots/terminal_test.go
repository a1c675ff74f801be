package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestPrintable(t *testing.T) {
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
		if got := printable(test.in); got != test.want {
			t.Errorf("%q: got %s, want %s", test.in, got, test.want)
		}
	}
}

func TestPrintableJSON(t *testing.T) {
	in := "/é\"\\\x1b\x7f\u009b\u202e\U000e0041\ufffd"
	quoted := printableJSON(appendJSON(nil, in))
	if want := `"/é\"\\\u001b\u007f\u009b\u202e\udb40\udc41\ufffd"`; string(quoted) != want {
		t.Errorf("got %s, want %s", quoted, want)
	}
	var out string
	if err := json.Unmarshal(quoted, &out); err != nil || out != in {
		t.Errorf("got %q back, %v, want %q", out, err, in)
	}
}

// Colours and wide cells do not move the columns of other rows.
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
