package byteclass

import (
	"math/bits"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/url/percent"
)

// Each byte has one class, and those of the named classes are the bytes that their
// comments name.
func TestTable(t *testing.T) {
	for c, class := range Table {
		if bits.OnesCount64(uint64(class)) != 1 {
			t.Errorf("byte %#x has %d classes", c, bits.OnesCount64(uint64(class)))
		}
		want := Set(0)
		switch b := byte(c); {
		case b == 0:
			want = NUL
		case strings.IndexByte("#%*$", b) >= 0:
			want = map[byte]Set{'#': Hash, '%': Percent, '*': Star, '$': Dollar}[b]
		case b >= 0x80:
			want = High
		case !percent.Allowed(b):
			want = Foreign
		}
		if named := class & (Hash | Star | Encoded); named != want {
			t.Errorf("byte %#x is in the classes %#x of those with names, want %#x", c, named, want)
		}
	}
}

func TestOf(t *testing.T) {
	const s = "/caf\xc3\xa9?Q=1#\x00 "
	for start := range len(s) {
		for end := start; end <= len(s); end++ {
			want := Set(0)
			for _, c := range []byte(s[start:end]) {
				want |= Table[c]
			}
			if got := Of(s[start:end]); got != want {
				t.Errorf("Of(%q) is %#x, want %#x", s[start:end], got, want)
			}
		}
	}
}
