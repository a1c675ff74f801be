package crawl

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// A sketch is the fingerprint of a page. It takes the words outside of tags, scripts and
// styles, in one pass. It has a scan of its own and not the tokenizer of internal/html/htmltoken,
// because the store keeps digests: the same page must have the same digest in each version
// of the program. The scan need not be exact.
type sketch struct {
	// digest is nearly the same for pages that are nearly the same (Charikar's
	// simhash of all three words in a row), or 0 for a page of few words.
	digest uint64
	// form is the same for pages whose words differ only in numbers, and 0 for a page of few
	// words. The digests of such pages are not near if the numbers are many.
	form uint64
	// brief is the form of a page of few words, together with its pictures, which may be all
	// of its content. It is 0 for other pages.
	brief uint64
	// text is the same for pages with the same words, and with the same pictures if the words
	// are few. It is 0 for a page without words and pictures.
	text uint64
	// phrases are hashes of all three words in a row, without the numbers.
	phrases []uint64
}

// draw computes the sketch of a page. It reuses the memory of the previous phrases.
func (s *sketch) draw(page []byte) {
	var votes votes
	var last, before uint64
	var lastWord, wordBefore, form, text uint64
	s.phrases = s.phrases[:0]
	for i := 0; i < len(page); {
		if c := page[i]; !wordBytes[c] {
			if c == '<' {
				i += tagEnd(page[i:])
			}
			i++
			continue
		}
		word, length, number := hashWord(page[i:])
		i += length
		votes.add(mix(word ^ bits.RotateLeft64(last, 21) ^ bits.RotateLeft64(before, 42)))
		text = (bits.RotateLeft64(text, 5) ^ word) * hashFactor
		if !number {
			form = (bits.RotateLeft64(form, 5) ^ word) * hashFactor
			if len(s.phrases) < maxPhrases {
				s.phrases = append(s.phrases, mix(word^bits.RotateLeft64(lastWord, 17)^bits.RotateLeft64(wordBefore,
					38)))
			}
			lastWord, wordBefore = word, lastWord
		}
		last, before = word, last
	}
	s.digest, s.form, s.brief, s.text = 0, 0, 0, mix(text)
	if votes.cast >= fewWords {
		s.digest, s.form = votes.most(), form
		return
	}
	pictures := pictures(page)
	if s.brief = mix(form^pictures) | 1; text|pictures == 0 {
		s.text = 0
	} else {
		s.text = mix(text ^ bits.RotateLeft64(pictures, 7))
	}
}

// maxPhrases is the maximum number of phrases that count for a page.
const maxPhrases = 1 << 14

// pictures returns a hash of the src attributes of a page: the URLs of its pictures, and of other
// elements with such an attribute.
func pictures(page []byte) (hash uint64) {
	for {
		i := bytes.IndexByte(page, '<')
		if i < 0 {
			return hash
		}
		page = page[i:]
		tag := page[:min(tagEnd(page)+1, len(page))]
		page = page[max(len(tag), 1):]
		if i = bytes.Index(tag, []byte("src=")); i < 0 {
			continue
		}
		src := tag[i+len("src="):]
		if end := bytes.IndexAny(src[min(1, len(src)):], "\"'> "); end >= 0 {
			src = src[:end+1]
		}
		for _, c := range src {
			hash = (bits.RotateLeft64(hash, 5) ^ uint64(c)) * hashFactor
		}
	}
}

// wordBytes are the bytes of words: letters, digits and all bytes that are not ASCII.
var wordBytes = func() (of [256]bool) {
	for c := range of {
		of[c] = 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c >= 0x80
	}
	return of
}()

// hashFactor is the odd number that the hashes of words are multiplied by.
const hashFactor = 0x9e3779b97f4a7c15

// hashWord returns a hash of the word at the start of text, the length of the word, and whether
// the word is a number. The hash does not depend on the case of letters. hashWord reads eight
// bytes at a time: a branch for each byte would be mispredicted at the end of each word.
func hashWord(text []byte) (hash uint64, length int, number bool) {
	const letters = 0xc0 * eachByte // the bits that digits lack
	var all uint64
	for {
		var chunk uint64
		if length+8 <= len(text) {
			chunk = binary.LittleEndian.Uint64(text[length:])
		} else {
			for i, c := range text[length:] {
				chunk |= uint64(c) << (8 * i)
			}
		}
		n := bits.TrailingZeros64(^wordBytesOf(chunk)&(0x80*eachByte)) / 8
		if n == 0 {
			break
		}
		mask := ^uint64(0) >> (64 - 8*n)
		chunk &= mask
		all |= chunk
		// The bit 0x20 makes letters lower case; digits have this bit too.
		hash = (bits.RotateLeft64(hash, 5) ^ (chunk | 0x20*eachByte&mask)) * hashFactor
		if length += n; n < 8 {
			break
		}
	}
	return hash, length, all&letters == 0
}

// eachByte times a byte is that byte eight times.
const eachByte = 0x0101010101010101

// wordBytesOf returns the eight bytes of chunk with the highest bit set for those that are
// wordBytes. The other bits have no meaning.
func wordBytesOf(chunk uint64) uint64 {
	const high = 0x80 * eachByte
	digit := chunk &^ high
	letter := digit | 0x20*eachByte
	// The sums carry into the highest bit of a byte from a limit on, and no further.
	letters := (letter + (0x80-'a')*eachByte) &^ (letter + (0x80-'z'-1)*eachByte)
	digits := (digit + (0x80-'0')*eachByte) &^ (digit + (0x80-'9'-1)*eachByte)
	return chunk | letters | digits
}

// Votes count, for each of 64 bits, the numbers with that bit set. The counters are bit-sliced:
// plane k has bit k of all counters, so that one addition updates all of them. Numbers are added
// eight at a time, with separate carries (Harley and Seal).
type votes struct {
	planes  [32]uint64
	waiting [8]uint64
	cast    uint64 // numbers added; the last cast % 8 of them are in waiting
}

func (v *votes) add(n uint64) {
	v.waiting[v.cast%8] = n
	if v.cast++; v.cast%8 == 0 {
		v.addEight()
	}
}

// addEight adds the eight numbers that wait.
func (v *votes) addEight() {
	w := &v.waiting
	ones, twosA := sum3(v.planes[0], w[0], w[1])
	ones, twosB := sum3(ones, w[2], w[3])
	twos, foursA := sum3(v.planes[1], twosA, twosB)
	ones, twosA = sum3(ones, w[4], w[5])
	v.planes[0], twosB = sum3(ones, w[6], w[7])
	var foursB, eights uint64
	v.planes[1], foursB = sum3(twos, twosA, twosB)
	v.planes[2], eights = sum3(v.planes[2], foursA, foursB)
	v.carry(eights, 3)
}

// sum3 adds three numbers bit by bit.
func sum3(a, b, c uint64) (sum, carry uint64) {
	half := a ^ b
	return half ^ c, a&b | half&c
}

// carry adds bits to a plane, and the carries to the planes above.
func (v *votes) carry(n uint64, plane int) {
	for ; n != 0 && plane < len(v.planes); plane++ {
		n, v.planes[plane] = n&v.planes[plane], n^v.planes[plane]
	}
}

// most returns the bits that are set in more than half of the numbers.
func (v votes) most() (digest uint64) {
	for _, n := range v.waiting[:v.cast%8] {
		v.carry(n, 0)
	}
	// Compare all counters with half of the numbers, from the highest bit down.
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

// fewWords is the minimum number of words of a page with a digest: shorter pages say too little.
const fewWords = 30

// nearBits is the maximum number of the 64 bits in which the digests of near duplicates differ.
const nearBits = 3

func near64(a, b uint64) bool { return a != 0 && b != 0 && bits.OnesCount64(a^b) <= nearBits }

// mix spreads a number over all bits (the finalizer of MurmurHash3).
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// tagEnd returns the index of the last byte of the tag at the start of text. The content of a
// script or a style belongs to its tag, up to the name of the end tag.
func tagEnd(text []byte) int {
	for _, name := range [...]string{"script", "style"} {
		if len(text) > len(name)+1 && text[1]|0x20 == 's' && equalFold(text[1:1+len(name)], name) {
			for i := len(name); i+len(name)+2 < len(text); i++ {
				if text[i] == '<' && text[i+1] == '/' && equalFold(text[i+2:i+2+len(name)], name) {
					return i + len(name) + 1
				}
			}
			return len(text) - 1
		}
	}
	if i := bytes.IndexByte(text, '>'); i >= 0 {
		return i
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
