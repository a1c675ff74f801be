// Package marks finds the bytes in the text of a log that end its lines and its quoted texts: line ends, quotes
// and backslashes. One pass over a block of lines finds all of them, so that reading a line needs no
// searches.
package marks

// MaxText is the maximum length of a text.
const MaxText = 1 << 16

// A List is the indices of the marks in a text, in order.
type List struct {
	n     int
	array [MaxText + slack]uint16
}

// slack is the number of places behind the last mark that are written without a meaning: marks are stored in
// groups of eight.
const slack = 8

// Of finds the marks in a text of at most MaxText bytes. The result is valid until the next call.
func (l *List) Of(text []byte) []uint16 {
	l.n = 0
	l.find(text[:len(text):len(text)])
	return l.array[:l.n]
}

// isMark reports whether c is a mark.
func isMark(c byte) bool { return c == '\n' || c == '"' || c == '\\' }

// add adds the marks in a text that begins at an index. It is the plain twin of the faster ways to find
// marks.
func (l *List) add(text []byte, index int) {
	for i, c := range text {
		if isMark(c) {
			l.array[l.n] = uint16(index + i)
			l.n++
		}
	}
}
