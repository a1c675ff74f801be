package audit

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// mix is a multiplication whose halves are folded. Its constants are stored by their results, in
// parts: they never change.
func mix(a, b uint64) uint64 {
	high, low := bits.Mul64(a^0xa0761d6478bd642f, b^0xe7037ed1a0b428db)
	return high ^ low
}

// hashBytes returns a hash of bytes, sixteen at a time. The hash is the same in every process,
// because parts are joined.
func hashBytes(seed uint64, b []byte) uint64 {
	h := mix(seed, uint64(len(b)))
	for len(b) >= 16 {
		h = mix(h^binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]))
		b = b[16:]
	}
	if len(b) >= 8 {
		h = mix(h, binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	switch n := len(b); {
	case n >= 4:
		h = mix(h, uint64(binary.LittleEndian.Uint32(b))<<32|uint64(binary.LittleEndian.Uint32(b[n-4:])))
	case n > 0:
		h = mix(h, uint64(b[0])<<16|uint64(b[n/2])<<8|uint64(b[n-1]))
	}
	return mix(h, h>>32)
}

// The seeds of hashBytes, one for each kind of text. They are stored by their results, in parts:
// they never change.
const (
	seedPath     = 1
	seedHeader   = 2
	seedTemplate = 3 // of a path without its last number
	seedName     = 4 // of a token or a host
	seedClient   = 5 // of an address of 16 bytes
	seedReferrer = 6
)

// hashName returns the hash of a token or of a host.
func hashName(s string) uint64 {
	return hashBytes(seedName, unsafe.Slice(unsafe.StringData(s), len(s)))
}

// hashHeader returns the hash of a User-Agent header, cut to maxHeaderSize.
func hashHeader(header []byte) uint64 { return hashBytes(seedHeader, cutHeader(header)) }

// maxHeaderSize is the maximum length of a header that is kept, in bytes: longer headers are cut.
const maxHeaderSize = 256

func cutHeader(header []byte) []byte { return header[:min(len(header), maxHeaderSize)] }
