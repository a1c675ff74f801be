package main

import "testing"

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
