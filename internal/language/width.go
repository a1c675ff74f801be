package language

import "unicode"

// Width returns the number of terminal columns of a text: two for a wide character,
// none for a combining mark.
func Width(s string) (columns int) {
	for _, c := range s {
		switch {
		case unicode.In(c, unicode.Mn, unicode.Me):
		case unicode.Is(wide, c):
			columns += 2
		default:
			columns++
		}
	}
	return columns
}

// wide lists the blocks whose characters take two columns: most of the blocks that Unicode Standard
// Annex #11 calls wide or fullwidth.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115F, 1}, // Hangul Jamo, the leading consonants
		{0x2E80, 0x303E, 1}, // radicals, CJK punctuation
		{0x3041, 0xA4CF, 1}, // Kana, CJK, Yi
		{0xA960, 0xA97F, 1}, // Hangul Jamo Extended-A
		{0xAC00, 0xD7A3, 1}, // Hangul syllables
		{0xF900, 0xFAFF, 1}, // CJK compatibility
		{0xFE30, 0xFE6F, 1}, // CJK compatibility forms
		{0xFF01, 0xFF60, 1}, // fullwidth forms
		{0xFFE0, 0xFFE6, 1}, // fullwidth signs
	},
	R32: []unicode.Range32{
		{0x1F300, 0x1F64F, 1}, // pictographs and emoticons
		{0x1F680, 0x1F6FF, 1}, // transport
		{0x1F900, 0x1F9FF, 1}, // more pictographs
		{0x20000, 0x3FFFD, 1}, // CJK extensions
	},
}
