package printable

import (
	"strings"
	"testing"
)

// wide returns a text of ASCII in UTF-16.
func wide(text string, order byte) string {
	var b strings.Builder
	for i := range len(text) {
		if order == 'L' {
			b.WriteString(text[i:i+1] + "\x00")
		} else {
			b.WriteString("\x00" + text[i:i+1])
		}
	}
	return b.String()
}

func TestUTF16Order(t *testing.T) {
	const text = "User-agent: *\nDisallow: /\n"
	for _, test := range []struct {
		name, text string
		want       byte
	}{
		{"nothing", "", 0},
		{"UTF-8", text, 0},
		{"UTF-8 with a byte order mark", "\xEF\xBB\xBF" + text, 0},
		{"a few NULs", text + "\x00\x00\x00\x00", 0},
		{"NULs alone", strings.Repeat("\x00", 64), 0},
		{"the mark alone", "\xFF\xFE", 'L'},
		{"little-endian with the mark", "\xFF\xFE" + wide(text, 'L'), 'L'},
		{"big-endian with the mark", "\xFE\xFF" + wide(text, 'B'), 'B'},
		{"little-endian", wide(text, 'L'), 'L'},
		{"big-endian", wide(text, 'B'), 'B'},
		{"big-endian and cut within a letter", wide(text, 'B') + "\x00", 'B'},
		{"too short to say", wide("abc", 'L'), 0},
	} {
		if got := UTF16Order(test.text); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
