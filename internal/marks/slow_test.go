package marks

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// lists are those that a test uses again and again, since they are large.
type lists struct{ fast, slow List }

// check compares the fast way to find marks with the plain one.
func (l *lists) check(t *testing.T, text []byte) {
	t.Helper()
	l.slow.n = 0
	l.slow.add(text, 0)
	want := l.slow.array[:l.slow.n]
	if got := l.fast.Of(text); !slices.Equal(got, want) {
		t.Fatalf("the marks of %.200q are %d, want %d", text, got, want)
	}
}

// TestBytes checks each byte at each place of three vectors, before and behind bytes of one kind.
func TestBytes(t *testing.T) {
	var l lists
	for _, other := range []byte{0, 'a', '"', 0xff} {
		for c := range 256 {
			for _, i := range []int{0, 1, 7, 8, 31, 32, 63, 64, 127, 128, 190} {
				text := bytes.Repeat([]byte{other}, 191)
				text[i] = byte(c)
				l.check(t, text)
			}
		}
	}
}

// TestCounts checks texts of all lengths up to three vectors with any number of marks.
func TestCounts(t *testing.T) {
	var l lists
	random := rand.New(rand.NewPCG(1, 2))
	for length := range 200 {
		for _, among := range []string{"a", `a"`, "aaa\n", "\"\\\n", strings.Repeat("a", 40) + `"`} {
			text := make([]byte, length)
			for i := range text {
				text[i] = among[random.IntN(len(among))]
			}
			l.check(t, text)
		}
	}
}

// TestLargest checks the longest text without marks and with nothing else, and that a list forgets the text before.
func TestLargest(t *testing.T) {
	var l lists
	for _, c := range []string{`"`, "a", "\n"} {
		l.check(t, bytes.Repeat([]byte(c), MaxText))
	}
}

// FuzzMarks compares the ways to find marks.
func FuzzMarks(f *testing.F) {
	f.Add([]byte("1.2.3.4 - - [01/May/2026:00:00:00 +0000] \"GET / HTTP/1.1\" 200 1 \"-\" \"a\\\"b\"\n"))
	f.Add(bytes.Repeat([]byte("\x8a\xa2\xdc\n\"\\\x0b#]"), 30))
	var l lists
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) <= MaxText {
			l.check(t, text)
		}
	})
}

// BenchmarkOf measures the marks of usual lines.
func BenchmarkOf(b *testing.B) {
	line := `182.240.226.144 - - [01/May/2026:00:00:00 +0000] "GET /articles/8852/comments?page=3&sort=date HTTP/1.1" 200 73736 "https://www.example.com/tags/736/index.html" "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/537.36"` + "\n"
	text := []byte(strings.Repeat(line, MaxText/len(line)))
	var list List
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		list.Of(text)
	}
}
