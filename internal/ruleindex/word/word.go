// Package word reads eight bytes of a string as one number, so that code can look
// at all of them at once.
package word

// Ones and High have one bit set in each byte: the lowest, and the highest.
const (
	Ones = 0x0101010101010101
	High = 0x8080808080808080
)

// TailMasks has for each n the lowest n bytes set.
var TailMasks = [9]uint64{
	0, 1<<8 - 1, 1<<16 - 1, 1<<24 - 1, 1<<32 - 1, 1<<40 - 1, 1<<48 - 1, 1<<56 - 1, 1<<64 - 1,
}

// Load8 returns the first eight bytes of s, which must have at least eight. The
// first byte is the lowest. The compiler turns the function into one instruction.
func Load8(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// Load returns up to eight bytes of s from byte i on, with zeros after the end of s.
// Unless s is empty, i is below its length.
func Load(s string, i int) uint64 {
	n := len(s) - i
	switch {
	case n >= 8:
		return Load8(s[i:])
	case len(s) >= 8:
		return Load8(s[len(s)-8:]) >> (8 * uint(8-n) & 63)
	}
	var v uint64
	for k := len(s) - 1; k >= i; k-- {
		v = v<<8 | uint64(s[k])
	}
	return v
}

// Equal returns the highest bits of those bytes of v that are c.
func Equal(v uint64, c byte) uint64 {
	v ^= Ones * uint64(c)
	return ^((v&^High + Ones*0x7f) | v) & High
}
