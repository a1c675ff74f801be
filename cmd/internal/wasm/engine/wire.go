package engine

import (
	"encoding/binary"

	"github.com/robotsexclusion/robots/internal/printable"
)

// This is how lists cross the border: numbers of 32 bits, little-endian, then the bytes of the
// texts. JavaScript writes them in integrations/npm/src/wire.ts.
//
//	robots:   the number of robots, N; for each, its tokens times 4, plus 1 if it is alone, and 2 if it is not, as the caller says; for each token, its length; the tokens
//	MatchAll: the number of robots, R; R numbers of robots; the number of URLs, U; for each, its length; the URLs

// A reader reads numbers and texts. After an error it gives zeroes.
type reader struct {
	b      []byte
	failed bool
}

func (r *reader) number() uint32 {
	if len(r.b) < 4 {
		r.b, r.failed = nil, true
		return 0
	}
	n := binary.LittleEndian.Uint32(r.b)
	r.b = r.b[4:]
	return n
}

// numbers reads n numbers.
func (r *reader) numbers(n uint32) []uint32 {
	if uint64(n)*4 > uint64(len(r.b)) {
		r.b, r.failed = nil, true
		return nil
	}
	all := make([]uint32, n)
	for i := range all {
		all[i] = r.number()
	}
	return all
}

// texts reads a text of each size.
func (r *reader) texts(sizes []uint32) []string {
	all := make([]string, len(sizes))
	for i, size := range sizes {
		if uint64(size) > uint64(len(r.b)) {
			r.b, r.failed = nil, true
			return nil
		}
		all[i] = string(r.b[:size])
		r.b = r.b[size:]
	}
	return all
}

// err returns an error unless the reader has read everything.
func (r *reader) err() error {
	if r.failed || len(r.b) > 0 {
		return wrong(Fault, "the list is not of the form that the engine reads: use the JavaScript of the same version")
	}
	return nil
}

// ReadRobots reads a list of robots.
func ReadRobots(b []byte) ([]Robot, error) {
	r := reader{b: b}
	heads := r.numbers(r.number())
	all := make([]Robot, len(heads))
	sizes := make([][]uint32, len(heads))
	for i, head := range heads {
		all[i].Alone = head&1 != 0
		all[i].Everyone = head&2 != 0
		sizes[i] = r.numbers(head >> 2)
	}
	for i := range all {
		all[i].Tokens = r.texts(sizes[i])
	}
	return all, r.err()
}

// ReadURLs reads the numbers of robots, and URLs.
func ReadURLs(b []byte) (robots []uint32, urls []string, err error) {
	r := reader{b: b}
	robots = r.numbers(r.number())
	urls = r.texts(r.numbers(r.number()))
	return robots, urls, r.err()
}

// AppendError appends an error as JSON, with "code" and "message".
func AppendError(b []byte, err error) []byte {
	e, ok := err.(*Error)
	if !ok {
		e = &Error{Fault, err.Error()}
	}
	b = printable.AppendString(append(b, `{"code":`...), string(e.Code))
	b = printable.AppendString(append(b, `,"message":`...), e.Message)
	return append(b, '}')
}
