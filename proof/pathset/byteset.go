package pathset

// A byteSet is a set of bytes.
type byteSet [4]uint64

func (s *byteSet) add(c byte)      { s[c>>6] |= 1 << (c & 63) }
func (s *byteSet) has(c byte) bool { return s[c>>6]&(1<<(c&63)) != 0 }

func (s *byteSet) join(t *byteSet) {
	for i := range s {
		s[i] |= t[i]
	}
}

// readable has all bytes, starting with the most readable ones: among the shortest examples,
// the one with the earliest bytes is returned.
var readable = func() (order [256]byte) {
	const liked = "abcdefghijklmnopqrstuvwxyz0123456789-/._?=&ABCDEFGHIJKLMNOPQRSTUVWXYZ~,;:@+!()'%[]|{}^\\`\"<>*$#"
	n := copy(order[:], liked)
	var seen byteSet
	for i := range liked {
		seen.add(liked[i])
	}
	// The remaining bytes: blanks, bytes above 127, control characters.
	for c := int(' '); c < ' '+256; c++ {
		if !seen.has(byte(c)) {
			order[n] = byte(c)
			n++
		}
	}
	return order
}()
