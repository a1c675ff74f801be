package accesslog

import (
	"bytes"
	"testing"
)

// TestLineCursor compares a lineCursor with bytes.Lines, for all texts of up to seven of three
// bytes.
func TestLineCursor(t *testing.T) {
	const letters = "\n\\a"
	for length := range 8 {
		count := 1
		for range length {
			count *= len(letters)
		}
		for number := range count {
			text := make([]byte, length)
			for i := range text {
				text[i] = letters[number%len(letters)]
				number /= len(letters)
			}
			c := lineCursor{text: text, slash: -1}
			for want := range bytes.Lines(text) {
				want = bytes.TrimSuffix(want, newline)
				if !c.more() {
					t.Fatalf("%q: the line %q is missing", text, want)
				}
				if line := c.next(); !bytes.Equal(line, want) || c.bare == bytes.Contains(want, []byte(`\`)) {
					t.Fatalf("%q: the line is %q, without a backslash %v; want %q", text, line, c.bare, want)
				}
			}
			if c.more() {
				t.Fatalf("%q: the line %q follows the last", text, c.next())
			}
		}
	}
}
