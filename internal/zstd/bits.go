package zstd

import (
	"encoding/binary"
	"math/bits"
)

// A backward reads the bits of a bitstream from its end, as entropy-coded data is stored (section 4.1).
// Beyond the beginning there are zeros, and count becomes negative.
type backward struct {
	data  []byte // bytes that are not in next
	next  uint64 // the next bits, at its high end
	count int    // bits in next
}

// newBackward returns a reader of the bits below the highest bit of the last byte, which marks the end.
func newBackward(data []byte) (b backward, err error) {
	if len(data) == 0 || data[len(data)-1] == 0 {
		return b, errBroken
	}
	b.data = data
	b.fill()
	b.skip(bits.LeadingZeros8(data[len(data)-1]) + 1)
	return b, nil
}

// fill makes next have 56 bits at least, if the stream has them.
func (b *backward) fill() {
	if n := len(b.data); n >= 8 && uint(b.count) < 64 {
		b.next |= binary.LittleEndian.Uint64(b.data[n-8:]) >> uint(b.count)
		taken := (63 - b.count) >> 3
		b.data = b.data[:n-taken]
		b.count += taken << 3
		return
	}
	b.fillSlowly()
}

func (b *backward) fillSlowly() {
	for b.count >= 0 && b.count <= 56 && len(b.data) > 0 {
		last := len(b.data) - 1
		b.next |= uint64(b.data[last]) << (56 - b.count)
		b.data = b.data[:last]
		b.count += 8
	}
}

func (b *backward) skip(n int) {
	b.next <<= uint(n) & 63
	b.count -= n
}

// read returns the next n bits, at most 32.
func (b *backward) read(n uint8) uint32 {
	v := uint32(b.next >> 32 >> (32 - n&63))
	b.skip(int(n))
	return v
}

// ended reports whether exactly all bits were read.
func (b *backward) ended() bool { return b.count == 0 && len(b.data) == 0 }

// A forward reads the bits of a table description, the lowest first. Beyond the end there are zeros.
type forward struct {
	data []byte
	at   int // in bits
}

func (f *forward) peek(n int) (v int) {
	for i := range n {
		at := f.at + i
		if at>>3 < len(f.data) {
			v |= int(f.data[at>>3]>>(at&7)&1) << i
		}
	}
	return v
}

func (f *forward) read(n int) int {
	v := f.peek(n)
	f.at += n
	return v
}
