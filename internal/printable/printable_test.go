package printable

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

func TestText(t *testing.T) {
	for _, test := range []struct{ s, want string }{
		{"", ""},
		{"/private/?q=%20 é", "/private/?q=%20 é"},
		{"a\x1b[31mb", `a\x1b[31mb`},
		{"a\tb\nc\rd\x00\x7f", `a\tb\nc\rd\x00\x7f`},
		{"\u202egnp.exe", `\u202egnp.exe`},
		{"\u0085\u009b", `\u0085\u009b`},
		{"\xff\xc3", `\xff\xc3`},
		{"\xff\ufffd", `\xff` + "\ufffd"},
		{"\"\\\u2028", `"\\\u2028`},
	} {
		if got := Text(test.s); got != test.want {
			t.Errorf("Text(%q) is %s, want %s", test.s, got, test.want)
		}
	}
}

func TestClipped(t *testing.T) {
	for _, test := range []struct {
		s     string
		bytes int
		want  string
	}{
		{"abc", 3, "abc"},
		{"abcd", 3, "abc…"},
		{"aéé", 4, "aé…"},
		{"\x1b\x1b\x1b", 9, `\x1b\x1b\…`},
		{"", 0, ""},
	} {
		if got := Clipped(test.s, test.bytes); got != test.want {
			t.Errorf("Clipped(%q, %d) is %s, want %s", test.s, test.bytes, got, test.want)
		}
	}
}

func TestQuoted(t *testing.T) {
	for _, test := range []struct {
		s     string
		bytes int
		want  string
	}{
		{"a\"b", 3, `"a\"b"`},
		{"abcd", 3, `"abc"…`},
		{"\x1bé", 2, `"\x1b\xc3"…`},
	} {
		if got := Quoted(test.s, test.bytes); got != test.want {
			t.Errorf("Quoted(%q, %d) is %s, want %s", test.s, test.bytes, got, test.want)
		}
	}
}

func TestJSON(t *testing.T) {
	in := "/é\"\\\x1b\x7f\u009b\u202e\U000e0041\ufffd"
	marshaled, err := json.Marshal(in)
	fatal.If(t, err)
	got := string(JSON(marshaled))
	if want := `"/é\"\\\u001b\u007f\u009b\u202e\udb40\udc41\ufffd"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var back string
	if err := json.Unmarshal([]byte(got), &back); err != nil || back != in {
		t.Errorf("got %q back, %v, want %q", back, err, in)
	}
}

// TestAppendString compares strings with encoding/json: each byte alone, and between letters.
func TestAppendString(t *testing.T) {
	for c := range 256 {
		for _, s := range []string{string([]byte{byte(c)}), "a" + string(rune(c)) + "z", ""} {
			marshaled, err := json.Marshal(s)
			fatal.If(t, err)
			want := "x" + string(JSON(marshaled))
			if got := string(AppendString([]byte("x"), s)); got != want {
				t.Errorf("%q: got %s, want %s", s, got, want)
			}
		}
	}
	if n := testing.AllocsPerRun(100, func() {
		AppendString(make([]byte, 0, 64),
			"https://example.com/private?a=b")
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestAppendJSON(t *testing.T) {
	if got, want := string(AppendJSON([]byte("u: "), "/?a=1&b=<2>")), `u: "/?a=1&b=<2>"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// FuzzPrintable checks that results are printable, and that JSON keeps its meaning.
func FuzzPrintable(f *testing.F) {
	f.Add("a\x1b[31mb\u202e\u009b\xff\U000E0001")
	f.Fuzz(func(t *testing.T, s string) {
		safe := func(s string) bool {
			return strings.IndexFunc(s, func(c rune) bool { return c != ' ' && !unicode.IsGraphic(c) }) < 0
		}
		if got := Text(s); !safe(got) || !IsText(got) {
			t.Errorf("Text(%q) is %q", s, got)
		}
		marshaled, err := json.Marshal(s)
		fatal.If(t, err)
		got := AppendString([]byte("x"), s)[1:]
		var want, back string
		if json.Unmarshal(marshaled, &want) != nil || json.Unmarshal(got, &back) != nil || back != want ||
			!safe(string(got)) {
			t.Errorf("JSON of %q is %q, which says %q", marshaled, got, back)
		}
	})
}

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
		if got := Shown(test.in); got != test.want {
			t.Errorf("%q: got %s, want %s", test.in, got, test.want)
		}
	}
}
