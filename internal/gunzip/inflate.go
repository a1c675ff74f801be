package gunzip

import (
	"encoding/binary"
	"errors"
	"io"
)

const (
	history = 32 << 10 // how far back copies reach, in bytes
	ahead   = 64 << 10 // bytes that are decoded before Read returns them
	maxCopy = 258
	slack   = 32 // bytes that a short copy may write too many
)

// errBroken is what is wrong with data that no encoder writes.
var errBroken = errors.New("gunzip: the data is broken")

// The order of the lengths of codes for lengths of codes.
var lengthOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// need makes at least n bits available, at most 32.
func (r *Reader) need(n uint) error {
	for r.count < n {
		b, err := r.in.ReadByte()
		if err != nil {
			return unexpected(err)
		}
		r.bits |= uint64(b) << r.count
		r.count += 8
	}
	return nil
}

func (r *Reader) take(n uint) uint {
	v := uint(r.bits & (1<<n - 1))
	r.bits >>= n
	r.count -= n
	return v
}

// read returns the next n bits.
func (r *Reader) read(n uint) (uint, error) {
	if err := r.need(n); err != nil {
		return 0, err
	}
	return r.take(n), nil
}

// symbol reads a code.
func (r *Reader) symbol(table []entry, first uint) (entry, error) {
	for {
		e := table[r.bits&(1<<first-1)]
		n := e.length()
		if e.kind() == long {
			e = table[e.value()+int(r.bits>>first&(1<<e.extra()-1))]
			n = first + e.length()
		}
		switch {
		case e.kind() != invalid && n <= r.count:
			r.take(n)
			return e, nil
		case e.kind() == invalid && r.count >= maxBits:
			return e, errBroken
		}
		if err := r.need(r.count + 1); err != nil {
			return e, err
		}
	}
}

// block begins a block (RFC 1951, section 3.2.3).
func (r *Reader) block() error {
	head, err := r.read(3)
	if err != nil {
		return err
	}
	r.last = head&1 != 0
	switch head >> 1 {
	case 0:
		r.take(r.count & 7)
		size, err := r.read(32)
		if err != nil {
			return err
		}
		if uint16(size) != ^uint16(size>>16) {
			return errBroken
		}
		r.state, r.stored = inStored, int(size&0xffff)
		return nil
	case 1:
		r.literals, r.distances = fixedLiterals, fixedDistances
	case 2:
		if err := r.tables(); err != nil {
			return err
		}
	default:
		return errBroken
	}
	r.state = inCodes
	return nil
}

// The tables of blocks that have none (RFC 1951, section 3.2.6).
var fixedLiterals, fixedDistances = func() (literals, distances []entry) {
	var lengths [288]uint8
	for i := range lengths {
		switch {
		case i < 144 || i >= 280:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		default:
			lengths[i] = 7
		}
	}
	literals, _ = build(make([]entry, 1<<literalBits), literalBits, lengths[:], literalMeaning)
	for i := range 32 {
		lengths[i] = 5
	}
	distances, _ = build(make([]entry, 1<<distanceBits), distanceBits, lengths[:32], distanceMeaning)
	return literals, distances
}()

// tables reads the tables of a block (RFC 1951, section 3.2.7).
func (r *Reader) tables() error {
	head, err := r.read(14)
	if err != nil {
		return err
	}
	literals, distances, codes := int(head&31)+257, int(head>>5&31)+1, int(head>>10)+4
	if literals > 286 || distances > 30 {
		return errBroken
	}
	var lengths [286 + 30]uint8
	for _, i := range lengthOrder[:codes] {
		n, err := r.read(3)
		if err != nil {
			return err
		}
		lengths[i] = uint8(n)
	}
	var ok bool
	if r.codes, ok = build(r.codes, codeBits, lengths[:19], lengthMeaning); !ok {
		return errBroken
	}
	all := lengths[:literals+distances]
	if err := r.lengths(all); err != nil {
		return err
	}
	if r.ownLiterals, ok = build(r.ownLiterals, literalBits, all[:literals], literalMeaning); !ok {
		return errBroken
	}
	if r.ownDistances, ok = build(r.ownDistances, distanceBits, all[literals:], distanceMeaning); !ok {
		return errBroken
	}
	r.literals, r.distances = r.ownLiterals, r.ownDistances
	return nil
}

// lengths reads the lengths of codes.
func (r *Reader) lengths(all []uint8) error {
	for i := 0; i < len(all); {
		e, err := r.symbol(r.codes, codeBits)
		if err != nil {
			return err
		}
		if e.value() < 16 {
			all[i] = uint8(e.value())
			i++
			continue
		}
		width, least, value := uint(2), 3, uint8(0)
		switch e.value() {
		case 16:
			if i == 0 {
				return errBroken
			}
			value = all[i-1]
		case 17:
			width = 3
		case 18:
			width, least = 7, 11
		}
		more, err := r.read(width)
		if err != nil {
			return err
		}
		n := least + int(more)
		if i+n > len(all) {
			return errBroken
		}
		for range n {
			all[i] = value
			i++
		}
	}
	return nil
}

// readStored appends bytes that are stored as they are.
func (r *Reader) readStored() error {
	for r.stored > 0 && r.count > 0 { // bytes that are in bits already
		r.out[r.end] = byte(r.take(8))
		r.end++
		r.stored--
	}
	n, err := r.in.Read(r.out[r.end:min(r.end+r.stored, history+ahead)])
	r.end += n
	if r.stored -= n; r.stored > 0 {
		return unexpected(err)
	}
	r.state = betweenBlocks
	return nil
}

// readCodes decodes codes until the block ends, there is enough, or the next code is not in memory yet.
func (r *Reader) readCodes() error {
	for began := r.end; r.end < history+ahead; {
		if r.in.Buffered() > 64 {
			if err := r.readFast(); err != nil || r.end >= history+ahead {
				return err
			}
		} else if r.in.Buffered() == 0 && r.end > began {
			return nil
		}
		e, err := r.symbol(r.literals, literalBits)
		if err != nil {
			return err
		}
		switch e.kind() {
		case literal:
			r.out[r.end] = byte(e.value())
			r.end++
			continue
		case endBlock:
			r.state = betweenBlocks
			return nil
		}
		more, err := r.read(e.extra())
		if err != nil {
			return err
		}
		length := e.value() + int(more)
		if e, err = r.symbol(r.distances, distanceBits); err != nil {
			return err
		}
		if more, err = r.read(e.extra()); err != nil {
			return err
		}
		distance := e.value() + int(more)
		if distance > r.end-r.start {
			return errBroken
		}
		r.copyBack(distance, length)
	}
	return nil
}

// copyBack appends decoded bytes again.
func (r *Reader) copyBack(distance, length int) {
	end, stop := r.end, r.end+length
	for from := end - distance; end < stop; { // a copy may overlap what it appends
		end += copy(r.out[end:stop], r.out[from:end])
	}
	r.end = stop
}

// readFast decodes codes that are in memory as a whole. It leaves the others, and what is wrong, to readCodes.
func (r *Reader) readFast() error {
	source, _ := r.in.Peek(r.in.Buffered())
	at, end, bits, count := 0, r.end, r.bits, r.count
	out := r.out
	literals, distances := r.literals, r.distances
	for len(source)-at >= 16 && end < history+ahead {
		bits |= binary.LittleEndian.Uint64(source[at:]) << (count & 63)
		at += int(63-count) >> 3
		count |= 56
		e := literals[bits&(1<<literalBits-1)]
		if e.kind() == literal {
			out[end] = byte(e >> 16)
			end++
			bits >>= e.length()
			count -= e.length()
			e = literals[bits&(1<<literalBits-1)]
			if e.kind() == literal {
				out[end] = byte(e >> 16)
				end++
				bits >>= e.length()
				count -= e.length()
				e = literals[bits&(1<<literalBits-1)]
			}
		}
		// A code that ends the block is left to readCodes.
		saved, held := bits, count
		if e.kind() == long {
			bits >>= literalBits
			count -= literalBits
			e = literals[e.value()+int(bits&(1<<e.extra()-1))]
		}
		bits >>= e.length()
		count -= e.length()
		if e.kind() == literal {
			out[end] = byte(e >> 16)
			end++
			continue
		}
		if e.kind() != copyBack {
			bits, count = saved, held
			break
		}
		length := e.value() + int(bits&(1<<e.extra()-1))
		bits >>= e.extra()
		count -= e.extra()
		if count < 32 {
			bits |= binary.LittleEndian.Uint64(source[at:]) << (count & 63)
			at += int(63-count) >> 3
			count |= 56
		}
		e = distances[bits&(1<<distanceBits-1)]
		if e.kind() == long {
			bits >>= distanceBits
			count -= distanceBits
			e = distances[e.value()+int(bits&(1<<e.extra()-1))]
		}
		bits >>= e.length()
		count -= e.length()
		distance := e.value() + int(bits&(1<<e.extra()-1))
		bits >>= e.extra()
		count -= e.extra()
		if e.kind() != copyBack || distance > end-r.start {
			return errBroken
		}
		if from := end - distance; distance >= slack && length <= slack {
			copySlack(out[end:], out[from:])
			end += length
		} else {
			for stop := end + length; end < stop; {
				end += copy(out[end:stop], out[from:end])
			}
		}
	}
	at -= int(count >> 3) // whole bytes go back
	count &= 7
	bits &= 1<<count - 1
	r.end, r.bits, r.count = end, bits, count
	_, err := r.in.Discard(at)
	return err
}

// copySlack copies as many bytes, without a call: most copies are short.
func copySlack(to, from []byte) {
	to, from = to[:slack], from[:slack]
	a, b := binary.LittleEndian.Uint64(from), binary.LittleEndian.Uint64(from[8:])
	c, d := binary.LittleEndian.Uint64(from[16:]), binary.LittleEndian.Uint64(from[24:])
	binary.LittleEndian.PutUint64(to, a)
	binary.LittleEndian.PutUint64(to[8:], b)
	binary.LittleEndian.PutUint64(to[16:], c)
	binary.LittleEndian.PutUint64(to[24:], d)
}

// unexpected returns the error for a stream that ends too early.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
