package marks

import (
	"encoding/binary"
	"math/bits"
)

// addWords adds the marks in a text, eight bytes at a time.
func (l *List) addWords(text []byte) {
	i := 0
	for ; i+8 <= len(text); i += 8 {
		word := binary.LittleEndian.Uint64(text[i:])
		found := zeros(word^'\n'*each) | zeros(word^'"'*each) | zeros(word^'\\'*each)
		for ; found != 0; found &= found - 1 {
			l.array[l.n] = uint16(i + bits.TrailingZeros64(found)/8)
			l.n++
		}
	}
	l.add(text[i:], i)
}

// each is a word of bytes with the value 1.
const each = 0x0101010101010101

// zeros returns a word with the highest bit of each byte that is zero in word.
func zeros(word uint64) uint64 {
	const low = 0x7f * each
	return ^(word&low + low | word | low)
}
