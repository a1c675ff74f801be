package zstd

import (
	"encoding/binary"
	"math/bits"
)

// maxHuffmanBits is the maximum length of a code of literals.
const maxHuffmanBits = 11

// A code is what the next bits stand for.
type code struct{ symbol, bits uint8 }

// readLiterals reads the literals section of a block (section 3.1.1.3.1), and returns the rest of the block.
// The literals are valid until the next call.
func (r *Reader) readLiterals(block []byte) (rest []byte, err error) {
	if len(block) == 0 {
		return nil, errBroken
	}
	var head [5]byte
	copy(head[:], block)
	low := binary.LittleEndian.Uint32(head[:])
	kind, format := low&3, low>>2&3
	if kind < 2 {
		size, n := low>>3&0x1f, 1
		switch format {
		case 1:
			size, n = low>>4&0xfff, 2
		case 3:
			size, n = low>>4&0xfffff, 3
		}
		return r.plainLiterals(block, n, int(size), kind == 1)
	}
	all := uint64(low) | uint64(head[4])<<32
	width, n := 10, 3
	switch format {
	case 2:
		width, n = 14, 4
	case 3:
		width, n = 18, 5
	}
	mask := uint64(1)<<width - 1
	size, packed := int(all>>4&mask), int(all>>(4+width)&mask)
	if size > r.maxBlock || n+packed > len(block) {
		return nil, errBroken
	}
	data, rest := block[n:n+packed], block[n+packed:]
	if kind == 2 {
		n, err := r.readHuffman(data)
		if err != nil {
			return nil, err
		}
		data = data[n:]
	} else if r.huffmanBits == 0 {
		return nil, errBroken // no table of a block before
	}
	r.literals = r.literalSpace[:size]
	if format == 0 {
		return rest, r.stream(r.literals, data)
	}
	return rest, r.streams(data)
}

// plainLiterals reads literals after a header of n bytes: as they are, or one that is repeated.
func (r *Reader) plainLiterals(block []byte, n, size int, repeated bool) (rest []byte, err error) {
	stored := size
	if repeated {
		stored = 1
	}
	if size > r.maxBlock || n+stored > len(block) {
		return nil, errBroken
	}
	if !repeated {
		r.literals = block[n : n+size]
		return block[n+size:], nil
	}
	r.literals = r.literalSpace[:size]
	for i := range r.literals {
		r.literals[i] = block[n]
	}
	return block[n+1:], nil
}

// streams decodes four streams after a table of the lengths of three.
func (r *Reader) streams(data []byte) error {
	const table = 6
	each := (len(r.literals) + 3) / 4
	if len(data) < table || 3*each > len(r.literals) {
		return errBroken
	}
	out, in := r.literals, data[table:]
	for i := range 4 {
		size, n := each, len(in)
		if i < 3 {
			n = int(binary.LittleEndian.Uint16(data[2*i:]))
		} else {
			size = len(out)
		}
		if n > len(in) {
			return errBroken
		}
		if err := r.stream(out[:size], in[:n]); err != nil {
			return err
		}
		out, in = out[size:], in[n:]
	}
	return nil
}

// stream decodes one stream, which has exactly the codes of the literals.
func (r *Reader) stream(out, data []byte) error {
	b, err := newBackward(data)
	if err != nil {
		return err
	}
	huffman, shift := &r.huffman, 64-r.huffmanBits
	for len(out) >= 5 {
		b.fill() // five codes have 55 bits at most
		next, used := b.next, 0
		for i := range 5 {
			c := huffman[next>>(shift&63)&(1<<maxHuffmanBits-1)]
			out[i] = c.symbol
			next <<= c.bits & 63
			used += int(c.bits)
		}
		b.next, b.count = next, b.count-used
		if b.count < 0 {
			return errBroken
		}
		out = out[5:]
	}
	for i := range out {
		b.fill()
		c := huffman[b.next>>(shift&63)&(1<<maxHuffmanBits-1)]
		out[i] = c.symbol
		b.skip(int(c.bits))
	}
	if !b.ended() {
		return errBroken
	}
	return nil
}

// readHuffman reads the description of the codes of literals (section 4.2.1): a weight for each symbol but the
// last. It returns how many bytes the description has.
func (r *Reader) readHuffman(data []byte) (n int, err error) {
	if len(data) == 0 {
		return 0, errBroken
	}
	var weights [256]uint8
	var count int
	if head := int(data[0]); head < 128 {
		n = 1 + head
		if n > len(data) {
			return 0, errBroken
		}
		count, err = r.readWeights(&weights, data[1:n])
	} else {
		count = head - 127
		n = 1 + (count+1)/2
		if n > len(data) {
			return 0, errBroken
		}
		for i := range count {
			weights[i] = data[1+i/2] >> (4 * (1 - i&1)) & 15
		}
	}
	if err != nil {
		return 0, err
	}
	return n, r.buildHuffman(&weights, count)
}

// readWeights reads weights that two machines with one table encode in turn.
func (r *Reader) readWeights(weights *[256]uint8, data []byte) (count int, err error) {
	t := &r.weights
	n, err := t.readTable(data, 6, 16, func(symbol int) (uint32, uint8) { return uint32(symbol), 0 })
	if err != nil {
		return 0, err
	}
	b, err := newBackward(data[n:])
	if err != nil {
		return 0, err
	}
	b.fill()
	first, second := b.read(t.log), b.read(t.log)
	if b.count < 0 {
		return 0, errBroken
	}
	for {
		if count >= 254 {
			return 0, errBroken
		}
		e := t.entries[first]
		weights[count] = uint8(e.base)
		count++
		b.fill()
		first = uint32(e.next) + b.read(e.bits)
		if b.count < 0 { // the other machine has the last weight
			weights[count] = uint8(t.entries[second].base)
			return count + 1, nil
		}
		first, second = second, first
	}
}

// buildHuffman makes the codes from the weights. The weight of the last symbol makes the sum a power of two.
func (r *Reader) buildHuffman(weights *[256]uint8, count int) error {
	sum := uint(0)
	for _, w := range weights[:count] {
		if w > maxHuffmanBits {
			return errBroken
		}
		sum += 1 << w >> 1
	}
	length := bits.Len(sum)
	missing := uint(1)<<length - sum
	if sum == 0 || length > maxHuffmanBits || missing&(missing-1) != 0 {
		return errBroken
	}
	weights[count] = uint8(bits.Len(missing))
	at := 0
	for w := 1; w <= length; w++ {
		for symbol, has := range weights[:count+1] {
			if int(has) != w {
				continue
			}
			for range 1 << (w - 1) {
				r.huffman[at] = code{uint8(symbol), uint8(length + 1 - w)}
				at++
			}
		}
	}
	r.huffmanBits = length
	return nil
}
