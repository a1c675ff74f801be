// Package gunzip decompresses gzip (RFC 1952), faster than compress/gzip: it decodes several codes with each read of
// memory. Logs are its use.
package gunzip

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// What comes next.
type state uint8

const (
	betweenMembers state = iota
	betweenBlocks
	inStored
	inCodes
)

// A Reader decompresses the members of a stream, one after the other, as compress/gzip does.
type Reader struct {
	in  *bufio.Reader
	err error

	state    state
	last     bool // the block is the last of its member
	stored   int  // bytes left of a block that is stored as it is
	checksum uint32
	size     uint32

	bits  uint64 // the next bits, the lowest first
	count uint   // of bits; the bits above are zero, except in readFast

	out      []byte // what was decoded
	start    int    // where the member begins in out
	end      int
	returned int

	literals, distances       []entry // the tables of the block
	ownLiterals, ownDistances []entry // memory for them
	codes                     []entry
}

// NewReader returns a reader of the contents of a stream. It reads the header of the first member, and its errors
// are those of compress/gzip.
func NewReader(in io.Reader) (*Reader, error) {
	r := &Reader{
		in:          bufio.NewReaderSize(in, 64<<10),
		out:         make([]byte, history+ahead+maxCopy+2*slack),
		ownLiterals: make([]entry, 1<<literalBits), ownDistances: make([]entry, 1<<distanceBits), codes: make([]entry, 1<<codeBits),
	}
	return r, r.member()
}

// Read implements [io.Reader].
func (r *Reader) Read(p []byte) (n int, err error) {
	for r.returned == r.end {
		if r.err != nil {
			return 0, r.err
		}
		if len(p) == 0 {
			return 0, nil
		}
		r.slide()
		r.err = r.decode()
		decoded := r.out[r.returned:r.end]
		r.checksum = crc32.Update(r.checksum, crc32.IEEETable, decoded)
		r.size += uint32(len(decoded))
	}
	n = copy(p, r.out[r.returned:r.end])
	r.returned += n
	return n, nil
}

// slide makes room in out, and keeps the bytes that copies may reach.
func (r *Reader) slide() {
	if shift := r.end - history; shift > 0 {
		copy(r.out, r.out[shift:r.end])
		r.start = max(0, r.start-shift)
		r.end, r.returned = history, history
	}
}

// decode does a step. At the end of the stream it returns io.EOF.
func (r *Reader) decode() error {
	switch r.state {
	case inStored:
		return r.readStored()
	case inCodes:
		return r.readCodes()
	case betweenBlocks:
		if r.last {
			return r.endMember()
		}
		return r.block()
	}
	return r.member()
}

// member reads the header of a member (RFC 1952, section 2.3).
func (r *Reader) member() error {
	head, err := r.in.Peek(10)
	if len(head) == 0 {
		return err // io.EOF, mostly
	}
	if len(head) < 10 {
		return unexpected(err)
	}
	if head[0] != 0x1f || head[1] != 0x8b || head[2] != 8 {
		return gzip.ErrHeader
	}
	flags := head[3]
	sum := crc32.NewIEEE()
	in := io.TeeReader(r.in, sum)
	var b [10]byte
	if _, err := io.ReadFull(in, b[:]); err != nil {
		return unexpected(err)
	}
	if flags&4 != 0 { // more fields
		if _, err := io.ReadFull(in, b[:2]); err != nil {
			return unexpected(err)
		}
		if _, err := io.CopyN(io.Discard, in, int64(binary.LittleEndian.Uint16(b[:]))); err != nil {
			return unexpected(err)
		}
	}
	for _, flag := range []byte{8, 16} { // a name, a comment
		if flags&flag == 0 {
			continue
		}
		for n := 0; ; n++ {
			if n == 512 {
				return gzip.ErrHeader
			}
			if _, err := io.ReadFull(in, b[:1]); err != nil {
				return unexpected(err)
			}
			if b[0] == 0 {
				break
			}
		}
	}
	if flags&2 != 0 {
		want := uint16(sum.Sum32())
		if _, err := io.ReadFull(r.in, b[:2]); err != nil {
			return unexpected(err)
		}
		if binary.LittleEndian.Uint16(b[:]) != want {
			return gzip.ErrHeader
		}
	}
	r.state, r.start, r.last, r.checksum, r.size = betweenBlocks, r.end, false, 0, 0
	return nil
}

// endMember checks the end of a member.
func (r *Reader) endMember() error {
	r.take(r.count & 7)
	sum, err := r.read(32)
	if err != nil {
		return err
	}
	size, err := r.read(32)
	if err != nil {
		return err
	}
	if uint32(sum) != r.checksum || uint32(size) != r.size {
		return gzip.ErrChecksum
	}
	r.state = betweenMembers
	return nil
}
