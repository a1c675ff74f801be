package marks

import "bytes"

// addSearched adds the marks in a text by searches, which the standard library has in assembly for many processors.
func (l *List) addSearched(text []byte) {
	slash := next(text, 0, '\\')
	for at := 0; at < len(text); {
		end := next(text, at, '\n')
		if slash < end {
			l.add(text[at:end], at)
			slash = next(text, end, '\\')
		} else {
			for i := next(text[:end], at, '"'); i < end; i = next(text[:end], i+1, '"') {
				l.array[l.n] = uint16(i)
				l.n++
			}
		}
		if end < len(text) {
			l.array[l.n] = uint16(end)
			l.n++
		}
		at = end + 1
	}
}

// next returns the index of the next byte c in text, or the length of text.
func next(text []byte, from int, c byte) int {
	if i := bytes.IndexByte(text[from:], c); i >= 0 {
		return from + i
	}
	return len(text)
}
