// Package zstd decompresses Zstandard (RFC 8878): any number of frames, without dictionaries. Numbers of
// sections are those of the RFC.
package zstd

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/cespare/xxhash/v2"
)

// maxBlock is the maximum size of a block, in bytes.
const maxBlock = 128 << 10

const (
	magic      = 0xfd2fb528
	skippable  = 0x184d2a50 // and the 15 numbers above
	skipFields = 0xfffffff0
)

// errBroken is what is wrong with data that no encoder writes.
var errBroken = errors.New("zstd: the data is broken")

// A Reader decompresses a stream. Its memory is half as much again as the window of the frame, and some hundred KiB.
type Reader struct {
	in        *bufio.Reader
	maxWindow int
	err       error

	// The frame.
	inFrame  bool
	window   int
	maxBlock int
	hasSize  bool
	size     uint64 // of the content, if hasSize
	total    uint64 // decoded so far
	hasSum   bool
	sum      xxhash.Digest

	out      []byte // the end of what was decoded: the window, and what was not returned yet
	returned int    // bytes of out
	blockEnd int    // the maximum length of out in this block

	block        []byte
	literalSpace []byte
	literals     []byte // those of the block that are not in out yet

	// What blocks take over from those before.
	huffman     [1 << maxHuffmanBits]code
	huffmanBits int // 0: there is no table
	weights     table
	choices     [3]choice // as kinds
	distances   [3]uint32
}

// NewReader returns a reader of the contents of a stream. It refuses a frame with a window of more than maxWindow
// bytes, because the window is in memory.
func NewReader(in io.Reader, maxWindow int) *Reader {
	r := &Reader{
		in: bufio.NewReaderSize(nil, 4<<10), maxWindow: maxWindow,
		block: make([]byte, maxBlock+slack), literalSpace: make([]byte, maxBlock+slack),
	}
	r.Reset(in)
	return r
}

// Reset makes the reader read another stream. It keeps its memory, but not that of a large window.
func (r *Reader) Reset(in io.Reader) {
	r.in.Reset(in)
	r.err, r.inFrame = nil, false
	if r.out, r.returned = r.out[:0], 0; cap(r.out) > 1<<20 {
		r.out = nil
	}
}

// Read implements [io.Reader]. The bytes read before an error are right, if the frame has no checksum that they
// could be held against at its end only.
func (r *Reader) Read(p []byte) (n int, err error) {
	for r.returned == len(r.out) {
		if r.err != nil {
			return 0, r.err
		}
		if len(p) == 0 {
			return 0, nil
		}
		if r.err = r.decode(); r.err != nil && r.err != io.EOF {
			r.out = r.out[:r.returned] // not the half of a block
		}
	}
	n = copy(p, r.out[r.returned:])
	r.returned += n
	return n, nil
}

// decode begins a frame, or decodes a block. At the end of the stream it returns io.EOF.
func (r *Reader) decode() error {
	if !r.inFrame {
		return r.begin()
	}
	var head [4]byte
	if _, err := io.ReadFull(r.in, head[:3]); err != nil {
		return unexpected(err)
	}
	v := binary.LittleEndian.Uint32(head[:])
	last, kind, size := v&1 != 0, v>>1&3, int(v>>3)
	if size > r.maxBlock {
		return errBroken
	}
	r.slide()
	start := len(r.out)
	if err := r.readBlock(kind, size); err != nil {
		return err
	}
	decoded := r.out[start:]
	r.total += uint64(len(decoded))
	if r.hasSize && r.total > r.size {
		return errBroken
	}
	if r.hasSum {
		r.sum.Write(decoded)
	}
	if last {
		return r.end()
	}
	return nil
}

// begin reads the header of a frame (section 3.1.1.1), or skips one that is no data.
func (r *Reader) begin() error {
	var head [4]byte
	if n, err := io.ReadFull(r.in, head[:]); err != nil {
		if n == 0 {
			return err // the end, mostly
		}
		return unexpected(err)
	}
	switch v := binary.LittleEndian.Uint32(head[:]); {
	case v&skipFields == skippable:
		size, err := r.number(4)
		if err != nil {
			return err
		}
		_, err = io.CopyN(io.Discard, r.in, int64(size))
		return unexpected(err)
	case v != magic:
		return errors.New("zstd: no frame begins where one should")
	}
	flags, err := r.number(1)
	if err != nil {
		return err
	}
	single := flags&(1<<5) != 0
	window := uint64(0)
	if !single {
		v, err := r.number(1)
		if err != nil {
			return err
		}
		window = 1 << (10 + v>>3)
		window += window / 8 * (v & 7)
	}
	if dictionary, err := r.number([]int{0, 1, 2, 4}[flags&3]); err != nil {
		return err
	} else if dictionary != 0 {
		return fmt.Errorf("zstd: the frame needs the dictionary %d", dictionary)
	}
	width := []int{0, 2, 4, 8}[flags>>6]
	if width == 0 && single {
		width = 1
	}
	size, err := r.number(width)
	if err != nil {
		return err
	}
	if width == 2 {
		size += 256
	}
	if single {
		window = size
	}
	if flags&(1<<3) != 0 {
		return errBroken // reserved
	}
	if window > uint64(r.maxWindow) {
		return fmt.Errorf("zstd: the window of %d bytes exceeds the limit of %d", window, r.maxWindow)
	}
	r.window, r.maxBlock = int(window), int(min(window, maxBlock))
	r.hasSize, r.size, r.total = width > 0, size, 0
	if r.hasSum = flags&(1<<2) != 0; r.hasSum {
		r.sum.Reset()
	}
	r.inFrame, r.out, r.returned = true, r.out[:0], 0
	r.huffmanBits, r.distances = 0, [3]uint32{1, 4, 8}
	for i := range r.choices {
		r.choices[i].current = nil
	}
	return nil
}

// slide makes room in out for a block. It keeps the window.
func (r *Reader) slide() {
	most := r.window + max(r.window/2, 2*maxBlock)
	if len(r.out)+r.maxBlock > most {
		r.out = r.out[:copy(r.out, r.out[len(r.out)-r.window:])]
	}
	r.returned, r.blockEnd = len(r.out), len(r.out)+r.maxBlock
	if r.blockEnd+slack > cap(r.out) {
		out := make([]byte, len(r.out), min(max(r.blockEnd, 2*cap(r.out)), most)+slack)
		copy(out, r.out)
		r.out = out
	}
}

// readBlock appends the content of a block (section 3.1.1.2) to out.
func (r *Reader) readBlock(kind uint32, size int) error {
	stored := size
	if kind == 1 {
		stored = 1
	}
	block := r.block[:stored]
	if _, err := io.ReadFull(r.in, block); err != nil {
		return unexpected(err)
	}
	switch kind {
	case 0:
		r.out = append(r.out, block...)
		return nil
	case 1:
		r.out = append(r.out, bytes.Repeat(block, size)...)
		return nil
	case 2:
		rest, err := r.readLiterals(block)
		if err != nil {
			return err
		}
		return r.sequences(rest)
	}
	return errBroken
}

// end checks the end of a frame.
func (r *Reader) end() error {
	r.inFrame = false
	if r.hasSize && r.total != r.size {
		return errBroken
	}
	if !r.hasSum {
		return nil
	}
	if sum, err := r.number(4); err != nil {
		return err
	} else if uint32(sum) != uint32(r.sum.Sum64()) {
		return errors.New("zstd: the checksum of the content is wrong")
	}
	return nil
}

// number reads a number of some bytes, the lowest first.
func (r *Reader) number(width int) (uint64, error) {
	var b [8]byte
	_, err := io.ReadFull(r.in, b[:width])
	return binary.LittleEndian.Uint64(b[:]), unexpected(err)
}

// unexpected returns the error for a stream that ends within a frame.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
