// Package gunzip decompresses gzip (RFC 1952), faster than compress/gzip: it decodes several codes with each read of
// memory. Logs are its use.
package gunzip

import (
	"bufio"
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
