// Package zstd decompresses Zstandard (RFC 8878): any number of frames, without dictionaries. Numbers of
// sections are those of the RFC.
package zstd

import (
	"bufio"
	"errors"

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
