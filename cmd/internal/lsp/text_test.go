package lsp

import (
	"slices"
	"testing"

	"github.com/robotsexclusion/robots"
)

var allEncodings = []encoding{utf16Units, utf8Bytes, utf32Characters}

// hardTexts have everything that makes positions hard: line ends of each kind and mixed,
// characters of one to four bytes, a byte order mark, bytes that are not UTF-8.
var hardTexts = []string{
	"",
	"a",
	"a\nb\n",
	"a\r\nb\rc\n\n\r\r\n\n\rd",
	"\n\r\n\r",
	"\uFEFFUser-agent: *\r\nDisallow: /caf\u00e9/\U0001F916/x\rDisallow: /\u8def",
	"\U0001F916\U0001F916\n\u00e9\r\n",
	"\xff\xfe\n/\xe9\xe9\r\xf0\x9f\xa4\nx\x80\x80\xe2\x82\n",
	"\uFFFD\xef\xbf\n\xbd",
	"a\u2028b\u0085c\vd\fe\n", // line ends elsewhere, not here
	"\x00\x00\n\x00",
}

// Section "Text Documents" of the specification: positions in the three encodings, and
// positions outside the text.
func TestPosition(t *testing.T) {
	const text = "ab\r\n\U0001F916\u00e9x\rz\n"
	for _, test := range []struct {
		encoding   encoding
		line, char int
		want       int    // the offset
		clamped    [2]int // the position of that offset
	}{
		{utf16Units, 0, 0, 0, [2]int{0, 0}},
		{utf16Units, 0, 2, 2, [2]int{0, 2}},
		{utf16Units, 0, 3, 2, [2]int{0, 2}}, // "defaults back to the line length"
		{utf16Units, 0, 1 << 30, 2, [2]int{0, 2}},
		{utf16Units, 1, 1, 4, [2]int{1, 0}}, // between surrogates
		{utf16Units, 1, 2, 8, [2]int{1, 2}},
		{utf16Units, 1, 3, 10, [2]int{1, 3}},
		{utf16Units, 2, 0, 12, [2]int{2, 0}},
		{utf16Units, 3, 0, 14, [2]int{3, 0}}, // the empty last line
		{utf16Units, 9, 9, 14, [2]int{3, 0}},
		{utf16Units, -1, 5, 0, [2]int{0, 0}},
		{utf16Units, 2, -7, 12, [2]int{2, 0}},
		{utf8Bytes, 1, 1, 4, [2]int{1, 0}},
		{utf8Bytes, 1, 4, 8, [2]int{1, 4}},
		{utf8Bytes, 1, 5, 8, [2]int{1, 4}}, // within é
		{utf8Bytes, 1, 7, 11, [2]int{1, 7}},
		{utf8Bytes, 1, -7, 4, [2]int{1, 0}},
		{utf32Characters, 1, 1, 8, [2]int{1, 1}},
		{utf32Characters, 1, 3, 11, [2]int{1, 3}},
		{utf32Characters, 1, 4, 11, [2]int{1, 3}},
	} {
		text := newText(text, test.encoding)
		got := text.offset(position{test.line, test.char})
		if got != test.want {
			t.Errorf("%v %d:%d: offset %d, want %d", test.encoding, test.line, test.char, got, test.want)
		}
		if p := text.position(got); p != (position{test.clamped[0], test.clamped[1]}) {
			t.Errorf("%v offset %d: position %v, want %v", test.encoding, got, p, test.clamped)
		}
	}
}

func TestChooseEncoding(t *testing.T) {
	for _, test := range []struct {
		names []string
		want  encoding
	}{
		{nil, utf16Units},
		{[]string{"utf-8", "utf-16"}, utf8Bytes},
		{[]string{"utf-7", "utf-32", "utf-8"}, utf32Characters},
		{[]string{"utf-7"}, utf16Units},
	} {
		if got := chooseEncoding(test.names); got != test.want {
			t.Errorf("%q: got %v, want %v", test.names, got, test.want)
		}
	}
}

// Lines are those of package robots, except for an empty last line.
func FuzzText(f *testing.F) {
	for _, s := range hardTexts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 300 {
			t.Skip("the twin is slow")
		}
		n := 0
		for number, l := range robots.Parse([]byte(s)).Lines() {
			if start, _ := newText(s, utf8Bytes).line(number - 1); start != l.Offset {
				t.Fatalf("%q: line %d starts at %d, and of the policy at %d", s, number, start, l.Offset)
			}
			n = number
		}
		for _, e := range allEncodings {
			text, twin := newText(s, e), newSlowText(s, e)
			if got := text.lines(); got != len(twin.lines) || got != n && got != n+1 {
				t.Fatalf("%q: %d lines, and %d or %d", s, got, len(twin.lines), n)
			}
			positions, offsets := twin.positions()
			at := cursor{text: text}
			for i, p := range positions {
				if got := text.offset(p); got != offsets[i] {
					t.Fatalf("%v %q: %v is offset %d, want %d", e, s, p, got, offsets[i])
				}
				if got := text.position(offsets[i]); got != p {
					t.Fatalf("%v %q: offset %d is %v, want %v", e, s, offsets[i], got, p)
				}
				if got := at.position(offsets[i]); got != p {
					t.Fatalf("%v %q: to the cursor offset %d is %v, want %v", e, s, offsets[i], got, p)
				}
			}
			// Offsets without a position are before the line end or character.
			for offset := range len(s) + 1 {
				i, found := slices.BinarySearch(offsets, offset)
				if !found {
					i--
				}
				if got := text.position(offset); got != positions[i] {
					t.Fatalf("%v %q: offset %d is %v, want %v", e, s, offset, got, positions[i])
				}
			}
			for line := -1; line < len(twin.lines)+2; line++ {
				for character := -1; character < 20; character++ {
					p := position{line, character}
					if got, want := text.offset(p), twin.offset(p); got != want {
						t.Fatalf("%v %q: %v is offset %d, want %d", e, s, p, got, want)
					}
				}
			}
		}
	})
}
