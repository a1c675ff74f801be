package urlquery

import (
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/transform"
	"golang.org/x/text/width"
)

// The states of an ISO-2022-JP encoder are the escape sequences that select them.
const (
	jpASCII   = "\x1b(B"
	jpRoman   = "\x1b(J"
	jpJIS0208 = "\x1b$B"
)

// appendISO2022JP appends a query in ISO-2022-JP, percent-encoded: the encoder of the
// Encoding Standard, section 12.2.2. The encoder of package japanese has no Roman
// state.
func appendISO2022JP(dst []byte, query string) []byte {
	state := jpASCII
	encoder := japanese.EUCJP.NewEncoder().Transformer
	enter := func(next string) {
		if state != next {
			dst = appendPercent(dst, next)
			state = next
		}
	}
	for _, r := range query {
		if r == 0x0e || r == 0x0f || r == 0x1b {
			r = '\uFFFD'
		}
		switch {
		case r < 0x80:
			if state != jpRoman || r == '\\' || r == '~' {
				enter(jpASCII)
			}
			dst = appendPercent(dst, string(r))
			continue
		case r == '¥' || r == '‾':
			enter(jpRoman)
			dst = appendPercent(dst, map[rune]string{'¥': "\\", '‾': "~"}[r])
			continue
		}
		if data, ok := jis0208(r, encoder); ok {
			enter(jpJIS0208)
			dst = appendPercent(dst, string(data[:]))
			continue
		}
		if state == jpJIS0208 {
			enter(jpASCII)
		}
		dst = appendReference(dst, r)
	}
	enter(jpASCII)
	return dst
}

// jis0208 returns the two bytes of a character in JIS X 0208. Half-width katakana
// become full-width there. The transformer is an EUC-JP encoder, which gives the same
// bytes with the highest bits set.
func jis0208(r rune, encoder transform.Transformer) (data [2]byte, ok bool) {
	switch {
	case r == 0x2212:
		r = 0xff0d
	case r == 0xff9e:
		r = 0x309b
	case r == 0xff9f:
		r = 0x309c
	case 0xff61 <= r && r <= 0xff9d:
		for _, r = range width.Widen.String(string(r)) {
		}
	}
	var in [utf8.UTFMax]byte
	var out [4]byte
	n, _, err := encoder.Transform(out[:], in[:utf8.EncodeRune(in[:], r)], true)
	if err != nil || n != 2 || out[0] < 0xa1 {
		return data, false
	}
	return [2]byte{out[0] & 0x7f, out[1] & 0x7f}, true
}
