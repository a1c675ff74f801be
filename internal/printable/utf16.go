package printable

import "strings"

// UTF16Order recognises texts in UTF-16, which have no printable line, and in which robots find no
// rules. It returns 'L' for a text in little-endian UTF-16, 'B' in big-endian UTF-16, and
// otherwise 0. Without a byte order mark, every second byte at the start must be NUL.
func UTF16Order(text string) byte {
	switch {
	case strings.HasPrefix(text, "\xFF\xFE"):
		return 'L'
	case strings.HasPrefix(text, "\xFE\xFF"):
		return 'B'
	case len(text) < 8:
		return 0
	}
	var nuls [2]int
	head := text[:min(len(text), 64)&^1]
	for i := range len(head) {
		if head[i] == 0 {
			nuls[i&1]++
		}
	}
	half := len(head) / 2
	switch {
	case nuls[1]*10 >= half*9 && nuls[0] == 0:
		return 'L'
	case nuls[0]*10 >= half*9 && nuls[1] == 0:
		return 'B'
	}
	return 0
}
