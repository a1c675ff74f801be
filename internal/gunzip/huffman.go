package gunzip

import "math/bits"

// What an entry of a table stands for.
const (
	invalid  = iota << 5 // no code
	literal              // a byte
	copyBack             // the length or the distance of a copy
	long                 // codes that are longer than the table knows: a second table
	endBlock
	kindMask = 7 << 5
)

// An entry says what the next bits stand for: how many bits the code has (bits 0 to 4), a kind, how many bits follow
// the code (bits 8 to 12), or index a second table, and a value (from bit 16 on).
type entry uint32

func (e entry) kind() entry  { return e & kindMask }
func (e entry) length() uint { return uint(e & 31) }
func (e entry) extra() uint  { return uint(e >> 8 & 31) }
func (e entry) value() int   { return int(e >> 16) }

const (
	literalBits  = 11 // of the first table of literals and lengths
	distanceBits = 9
	codeBits     = 7 // of the table of lengths of codes, which has no second tables
	maxBits      = 15
)

// build makes a table for codes of some lengths (RFC 1951, section 3.2.2). It reports false if there are too many or
// too few codes. A single code of one bit, and none at all, are allowed.
func build(table []entry, first uint, lengths []uint8, meaning func(symbol int) entry) (_ []entry, ok bool) {
	table = table[:1<<first]
	clear(table)
	var counts [maxBits + 1]int
	longest := uint(0)
	for _, n := range lengths {
		counts[n]++
		longest = max(longest, uint(n))
	}
	if longest == 0 {
		return table, true
	}
	counts[0] = 0
	var next [maxBits + 1]uint // codes, by their lengths
	code := uint(0)
	for n := uint(1); n <= longest; n++ {
		code <<= 1
		next[n] = code
		code += uint(counts[n])
	}
	if code != 1<<longest && !(code == 1 && longest == 1) {
		return table, false
	}
	for symbol, n := range lengths {
		if n == 0 {
			continue
		}
		n := uint(n)
		reversed := uint(bits.Reverse16(uint16(next[n]))) >> (16 - n)
		next[n]++
		e := meaning(symbol)
		if n <= first {
			for i := reversed; i < 1<<first; i += 1 << n {
				table[i] = e | entry(n)
			}
			continue
		}
		prefix, second := reversed&(1<<first-1), longest-first
		if table[prefix] == 0 {
			table[prefix] = long | entry(first) | entry(second)<<8 | entry(len(table))<<16
			for range 1 << second {
				table = append(table, 0)
			}
		}
		part := table[table[prefix].value():]
		for i := reversed >> first; i < 1<<second; i += 1 << (n - first) {
			part[i] = e | entry(n-first)
		}
	}
	return table, true
}

// The lengths and distances that symbols stand for (RFC 1951, section 3.2.5).
func literalMeaning(symbol int) entry {
	switch {
	case symbol < 256:
		return literal | entry(symbol)<<16
	case symbol == 256:
		return endBlock
	case symbol < 265:
		return copyBack | entry(symbol-257+3)<<16
	case symbol == 285:
		return copyBack | 258<<16
	case symbol < 285:
		extra := (symbol - 261) / 4
		return copyBack | entry(extra)<<8 | entry((4+(symbol-261)%4)<<extra+3)<<16
	}
	return invalid
}

func distanceMeaning(symbol int) entry {
	switch {
	case symbol < 4:
		return copyBack | entry(symbol+1)<<16
	case symbol < 30:
		extra := symbol/2 - 1
		return copyBack | entry(extra)<<8 | entry((2+symbol%2)<<extra+1)<<16
	}
	return invalid
}

func lengthMeaning(symbol int) entry { return literal | entry(symbol)<<16 }
