package zstd

import "math/bits"

// An entry is a state of a finite state machine of entropy coding (FSE, section 4.1).
type entry struct {
	base   uint32 // the symbol, or the value that the symbol stands for
	next   uint16 // the next state, before bits are added
	bits   uint8  // how many bits are added to next
	extras uint8  // how many bits are added to base
}

// A table has the states of a machine; their number is a power of two. A table of one state has read
// no bits.
type table struct {
	entries []entry
	log     uint8
}

// readTable reads the description of a table (section 4.1.1): the probability of each symbol. It returns
// how many bytes the description has.
func (t *table) readTable(data []byte, maxLog, symbols int, value func(symbol int) (base uint32, extras uint8)) (n int, err error) {
	in := forward{data: data}
	log := in.read(4) + 5
	if log > maxLog {
		return 0, errBroken
	}
	var counts [256]int16
	left, symbol := 1<<log, 0
	for left > 0 {
		if symbol >= symbols || in.at > 8*len(data) {
			return 0, errBroken
		}
		// A count is at most left, and -1 is possible: values from 0 to left+1, the small ones with a bit less.
		width := bits.Len(uint(left + 1))
		small := 1<<width - 1 - (left + 1)
		v := in.peek(width)
		if low := v & (1<<(width-1) - 1); low < small {
			v, width = low, width-1
		} else if v >= 1<<(width-1) {
			v -= small
		}
		in.at += width
		count := v - 1
		counts[symbol] = int16(count)
		symbol++
		left -= max(count, -count)
		if count != 0 {
			continue
		}
		for repeat := 3; repeat == 3; symbol += repeat { // more symbols without a count
			repeat = in.read(2)
			if symbol+repeat > symbols {
				return 0, errBroken
			}
		}
	}
	n = (in.at + 7) / 8
	if left < 0 || n > len(data) {
		return 0, errBroken
	}
	return n, t.build(counts[:symbol], uint8(log), value)
}

// build makes the states from the counts of symbols: -1 is a probability of less than one state.
func (t *table) build(counts []int16, log uint8, value func(symbol int) (base uint32, extras uint8)) error {
	size := 1 << log
	if cap(t.entries) < size {
		t.entries = make([]entry, size)
	}
	t.entries, t.log = t.entries[:size], log
	var symbols [512]uint8 // by state
	var states [256]uint16 // of each symbol, so far
	high := size
	for s, count := range counts {
		if states[s] = uint16(max(count, 1)); count == -1 {
			high--
			symbols[high] = uint8(s)
		}
	}
	at, step := 0, size>>1+size>>3+3
	for s, count := range counts {
		for range max(count, 0) {
			symbols[at] = uint8(s)
			for at = (at + step) & (size - 1); at >= high; at = (at + step) & (size - 1) {
			}
		}
	}
	if at != 0 {
		return errBroken
	}
	for i := range t.entries {
		s := symbols[i]
		next := states[s]
		states[s]++
		width := log - uint8(bits.Len16(next)-1)
		base, extras := value(int(s))
		t.entries[i] = entry{base: base, next: next<<width - uint16(size), bits: width, extras: extras}
	}
	return nil
}

// only makes a table of one state.
func (t *table) only(base uint32, extras uint8) {
	t.entries, t.log = append(t.entries[:0], entry{base: base, extras: extras}), 0
}
