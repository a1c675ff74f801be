package crawl

import "math/bits"

// nearDigest returns a digest of the words of a page that is nearly the same for
// pages that are nearly the same (Charikar's simhash of all three words in a row),
// or 0 for a page of few words. It reads what stands outside of tags, scripts and
// styles, in one pass; it need not be exact, only the same for the same text.
func nearDigest(page []byte) uint64 {
	var weights [64]int32
	var word, last, before uint64
	words := 0
	in := 0 // a word
	end := func() {
		if in == 0 {
			return
		}
		words++
		shingle := mix(word ^ bits.RotateLeft64(last, 21) ^ bits.RotateLeft64(before, 42))
		for i := range weights {
			weights[i] += int32(shingle>>i&1)*2 - 1
		}
		last, before = word, last
		word, in = 0, 0
	}
	for i := 0; i < len(page); i++ {
		switch c := page[i]; {
		case c == '<':
			end()
			i += tagEnd(page[i:])
		case 'a' <= c && c <= 'z' || c >= 0x80 || '0' <= c && c <= '9':
			word = (word ^ uint64(c)) * 0x100000001b3
			in++
		case 'A' <= c && c <= 'Z':
			word = (word ^ uint64(c|0x20)) * 0x100000001b3
			in++
		default:
			end()
		}
	}
	end()
	if words < fewWords {
		return 0
	}
	var digest uint64
	for i, w := range weights {
		if w > 0 {
			digest |= 1 << i
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
