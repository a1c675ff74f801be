package word

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// TestLoad holds Load and Load8 to reading one byte at a time.
func TestLoad(t *testing.T) {
	const s = "abcdefgh\x80\xffijkl"
	for end := range len(s) + 1 {
		for i := range max(end, 1) {
			want := uint64(0)
			for k := min(i+8, end) - 1; k >= i; k-- {
				want = want<<8 | uint64(s[k])
			}
			if got := Load(s[:end], i); got != want {
				t.Errorf("Load(%q, %d) is %#x, want %#x", s[:end], i, got, want)
			}
			if i+8 <= end && Load8(s[i:end]) != want {
				t.Errorf("Load8(%q) is %#x, want %#x", s[i:end], Load8(s[i:end]), want)
			}
		}
	}
}

// TestEqual holds Equal to comparing one byte at a time.
func TestEqual(t *testing.T) {
	r := rand.New(rand.NewPCG(9309, 8))
	for range 10000 {
		v, c := r.Uint64(), byte(r.Uint32())
		for k := range 8 { // make some bytes equal, and some differ by one bit
			switch r.IntN(4) {
			case 0:
				v = v&^(0xff<<(8*k)) | uint64(c)<<(8*k)
			case 1:
				v = v&^(0xff<<(8*k)) | uint64(c^1<<r.IntN(8))<<(8*k)
			}
		}
		want := uint64(0)
		for k := range 8 {
			if byte(v>>(8*k)) == c {
				want |= 0x80 << (8 * k)
			}
		}
		if got := Equal(v, c); got != want {
			t.Fatalf("Equal(%#x, %#x) is %#x, want %#x", v, c, got, want)
		}
	}
}

func TestTailMasks(t *testing.T) {
	for n, mask := range TailMasks {
		if bits.TrailingZeros64(^mask) != 8*n || bits.OnesCount64(mask) != 8*n {
			t.Errorf("the mask of %d bytes is %#x", n, mask)
		}
	}
}
