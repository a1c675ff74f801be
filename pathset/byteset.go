package pathset

// An byteSet is a set of bytes.
type byteSet [4]uint64

func (s *byteSet) add(c byte)      { s[c>>6] |= 1 << (c & 63) }
func (s *byteSet) has(c byte) bool { return s[c>>6]&(1<<(c&63)) != 0 }

func (s *byteSet) join(t *byteSet) {
	for i := range s {
		s[i] |= t[i]
	}
}

// readable has all bytes, those first that people like to read in a path: of
// the shortest examples, that with the earliest bytes is given.
var readable = func() (order [256]byte) {
	const liked = "abcdefghijklmnopqrstuvwxyz0123456789-/._?=&ABCDEFGHIJKLMNOPQRSTUVWXYZ~,;:@+!()'%[]|{}^\\`\"<>*$#"
	n := copy(order[:], liked)
	var seen byteSet
	for i := range liked {
		seen.add(liked[i])
	}
	// Then the rest: blanks, bytes above 127, control characters.
	for c := int(' '); c < ' '+256; c++ {
		if !seen.has(byte(c)) {
			order[n] = byte(c)
			n++
		}
	}
	return order
}()
