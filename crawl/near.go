package crawl

import "math/bits"

// nearDigest returns a digest of the words of a page that is nearly the same for
// pages that are nearly the same (Charikar's simhash of all three words in a row),
// or 0 for a page of few words. It reads what stands outside of tags, scripts and
// styles, in one pass; it need not be exact, only the same for the same text.
//
// Form is the same for pages whose words are the same but for numbers, and 0 for a
// page of few words. Where the numbers are many, or the words few, their digests are
// not near.
func nearDigest(page []byte) (digest, form uint64) {
	var votes votes
	var word, last, before uint64
	words := 0
	in := 0      // a word
	var any byte // all bits of its octets
	for i := 0; i <= len(page); i++ {
		c := byte('<') // the end of a page ends a word
		if i < len(page) {
			c = page[i]
		}
		if folded := wordOctets[c]; folded != 0 {
			word = (word ^ uint64(folded)) * 0x100000001b3
			any |= folded
			in++
			continue
		}
		if in > 0 {
			words++
			votes.add(mix(word ^ bits.RotateLeft64(last, 21) ^ bits.RotateLeft64(before, 42)))
			if any >= 0x40 { // no octet of a number has a bit that stands for so much
				form = mix(form ^ word)
			}
			last, before = word, last
			word, in, any = 0, 0, 0
		}
		if c == '<' && i < len(page) {
			i += tagEnd(page[i:])
		}
	}
	if words < fewWords {
		return 0, 0
	}
	return votes.most(), form
}

// wordOctets has, for each octet of a word, what stands for it, and 0 for others.
var wordOctets = func() (of [256]byte) {
	for c := range of {
		switch {
		case 'a' <= c && c <= 'z' || c >= 0x80 || '0' <= c && c <= '9':
			of[c] = byte(c)
		case 'A' <= c && c <= 'Z':
			of[c] = byte(c | 0x20)
		}
	}
	return of
}()

// Votes count, for each of 64 bits, the numbers that have it set. The counters stand
// upright: plane k has bit k of all of them, so that a number is added to all at once.
type votes struct {
	planes [32]uint64
	cast   uint64 // numbers
}

func (v *votes) add(n uint64) {
	v.cast++
	for i := 0; n != 0 && i < len(v.planes); i++ {
		n, v.planes[i] = n&v.planes[i], n^v.planes[i]
	}
}

// most returns the bits that more than half of the numbers have.
func (v *votes) most() (digest uint64) {
	// A counter is compared with half of the numbers, from its highest bit on.
	half := v.cast / 2
	equal := ^uint64(0)
	for i := len(v.planes) - 1; i >= 0; i-- {
		if half>>i&1 == 0 {
			digest |= equal & v.planes[i]
			equal &^= v.planes[i]
		} else {
			equal &= v.planes[i]
		}
	}
	return digest
}

// fewWords is how many a page has that says too little to be compared.
const fewWords = 30

// nearBits is in how many bits of 64 the digests of near duplicates differ at most.
const nearBits = 3

func near(a, b uint64) bool { return a != 0 && b != 0 && bits.OnesCount64(a^b) <= nearBits }

// mix spreads a number over all bits (the end of MurmurHash3).
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// tagEnd returns where the tag at the start of text ends: before which octet there
// is text again, less one. What is within a script or a style belongs to its tag.
func tagEnd(text []byte) int {
	for _, name := range []string{"script", "style"} {
		if len(text) > len(name)+1 && equalFold(text[1:1+len(name)], name) {
			for i := len(name); i+len(name)+2 < len(text); i++ {
				if text[i] == '<' && text[i+1] == '/' && equalFold(text[i+2:i+2+len(name)], name) {
					return i + len(name) + 1
				}
			}
			return len(text) - 1
		}
	}
	for i, c := range text {
		if c == '>' {
			return i
		}
	}
	return len(text) - 1
}

func equalFold(b []byte, lower string) bool {
	for i := range len(lower) {
		if b[i]|0x20 != lower[i] {
			return false
		}
	}
	return true
}
