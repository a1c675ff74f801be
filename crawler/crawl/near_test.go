package crawl

import (
	"bytes"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// nearDigest returns the digest and the form of a page.
func nearDigest(page []byte) (digest, form uint64) {
	var s sketch
	s.draw(page)
	return s.digest, s.form
}

func TestNear(t *testing.T) {
	words := strings.Fields("the quick brown fox jumps over the lazy dog while seven wizards boil a large pot of soup for all the people of the village who came to see the races on the green near the old stone bridge")
	text := func(change func(int, string) string) []byte {
		var b bytes.Buffer
		b.WriteString("<html><script>var x = 'noise noise noise';</script><p class=x>")
		for i := range 400 {
			b.WriteString(change(i, words[i*7%len(words)]) + " ")
		}
		return b.Bytes()
	}
	same := func(_ int, w string) string { return w }
	a, _ := nearDigest(text(same))
	if b, _ := nearDigest(bytes.Replace(text(same), []byte("class=x"), []byte("class=other id=more"), 1)); a != b {
		t.Error("tags count")
	}
	if b, _ := nearDigest(text(func(i int, w string) string {
		if i == 200 {
			return "42"
		}
		return w
	})); !near64(a, b) {
		t.Errorf("one word of 400 makes another page: %064b, %064b", a, b)
	}
	if b, _ := nearDigest(text(func(i int, w string) string { return fmt.Sprint(i*i, w) })); near64(a, b) {
		t.Error("other words are nearly the same")
	}
	for _, few := range []string{"<p>few words here", "", "<script>", "<"} {
		if digest, form := nearDigest([]byte(few)); digest != 0 || form != 0 {
			t.Errorf("%q has a digest", few)
		}
	}
	number := func(n int) func(int, string) string {
		return func(i int, w string) string {
			if i%2 == 0 {
				return fmt.Sprint(i * n)
			}
			return w
		}
	}
	a, form := nearDigest(text(number(17)))
	if b, other := nearDigest(text(number(18))); near64(a, b) || form != other {
		t.Error("pages that differ in their numbers are not of one form, or nearly the same")
	}
	if _, other := nearDigest(text(same)); form == other {
		t.Error("pages with other words are of one form")
	}
}

// BenchmarkNearDigest draws a page of 10 KB, with words of random length.
func BenchmarkNearDigest(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	var page bytes.Buffer
	for i := 0; page.Len() < 10_000; i++ {
		fmt.Fprintf(&page, "<p class=text>")
		for range 12 {
			page.WriteString("abcdefghijklmno"[:1+random.IntN(12)] + " ")
		}
		fmt.Fprintf(&page, "<a class=link href=/page/%d>and %d</a></p>\n", i, i)
	}
	b.SetBytes(int64(page.Len()))
	var s sketch
	for b.Loop() {
		s.draw(page.Bytes())
	}
}

// TestVotes compares bit-sliced counters with counting one by one.
func TestVotes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, cast := range []int{0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 100, 5000} {
		var v votes
		var plain [64]int
		for range cast {
			n := random.Uint64() & random.Uint64() // few bits, so that some have no majority
			if random.IntN(3) > 0 {
				n |= 0xff << 20
			}
			v.add(n)
			for i := range plain {
				plain[i] += int(n >> i & 1)
			}
		}
		want := uint64(0)
		for i, n := range plain {
			if 2*n > cast {
				want |= 1 << i
			}
		}
		if got := v.most(); got != want {
			t.Errorf("%d numbers: got %x, want %x", cast, got, want)
		}
	}
}

// plainDigest is the slow twin of draw: it reads one byte at a time, lists the words, and counts
// each bit.
func plainDigest(page []byte) (digest, form uint64, phrases []uint64) {
	isWord := func(c byte) bool {
		return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c >= 0x80
	}
	var words [][]byte
	for i := 0; i < len(page); i++ {
		switch c := page[i]; {
		case c == '<':
			i += tagEnd(page[i:])
		case isWord(c):
			start := i
			for i < len(page) && isWord(page[i]) {
				i++
			}
			words = append(words, page[start:i])
			i--
		}
	}
	var hashes, named [2]uint64
	var counts [64]int
	for _, word := range words {
		var hash uint64
		number := true
		for rest := word; len(rest) > 0; rest = rest[min(len(rest), 8):] {
			var chunk uint64
			for i, c := range rest[:min(len(rest), 8)] {
				number = number && c < 0x40
				chunk |= uint64(c|0x20) << (8 * i)
			}
			hash = (bits.RotateLeft64(hash, 5) ^ chunk) * 0x9e3779b97f4a7c15
		}
		vote := mix(hash ^ bits.RotateLeft64(hashes[0], 21) ^ bits.RotateLeft64(hashes[1], 42))
		for i := range counts {
			counts[i] += int(vote >> i & 1)
		}
		if !number {
			form = (bits.RotateLeft64(form, 5) ^ hash) * 0x9e3779b97f4a7c15
			phrases = append(phrases, mix(hash^bits.RotateLeft64(named[0], 17)^bits.RotateLeft64(named[1], 38)))
			named = [2]uint64{hash, named[0]}
		}
		hashes = [2]uint64{hash, hashes[0]}
	}
	phrases = phrases[:min(len(phrases), maxPhrases)]
	if len(words) < fewWords {
		return 0, 0, phrases
	}
	for i, n := range counts {
		if 2*n > len(words) {
			digest |= 1 << i
		}
	}
	return digest, form, phrases
}

// FuzzNearDigest compares the digests of a page with those of plainDigest.
func FuzzNearDigest(f *testing.F) {
	var all []byte
	for c := range 256 {
		all = append(all, 'a', byte(c), 'b', '7', byte(c))
	}
	f.Add(all, 1)
	f.Add([]byte("<p class=x>eightchr sixteencharacter 12345678 1234567z \x80\xff words</p>"), 9)
	f.Add([]byte("<script>if (a < b) words</script><style>x</STYLE> a<"), 40)
	f.Fuzz(func(t *testing.T, page []byte, times int) {
		page = bytes.Repeat(page, max(min(times, 64), 0))
		if len(page) > 1<<13 {
			return // longer pages take time, and find no more
		}
		var s sketch
		s.draw(page)
		digest, form, phrases := plainDigest(page)
		if s.digest != digest || s.form != form || !slices.Equal(s.phrases, phrases) || s.brief != 0 && digest != 0 {
			t.Errorf("%q: got %+v, want %x, %x and %x", page, s, digest, form, phrases)
		}
	})
}
