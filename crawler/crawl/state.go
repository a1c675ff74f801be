package crawl

import (
	"encoding/binary"
	"errors"

	"github.com/robotsexclusion/robots/crawler/internal/binread"
)

// stateVersion is the first byte of the state of a host.
// Version 2 had two counts in place of the accounts of shapes.
const (
	stateVersion  = 3
	stateVersion2 = 2
)

// appendState appends the stored state of a host: its pace, the accounts of its shapes, its
// endless parts and its counts.
func (h *host) appendState(b []byte) []byte {
	b = append(b, stateVersion)
	polite, _ := h.pace.AppendBinary(nil)
	b = binary.AppendUvarint(b, uint64(len(polite)))
	b = append(b, polite...)
	b = h.yields.appendBinary(b)
	b = h.endless.appendBinary(b)
	return h.counts.appendBinary(b)
}

var errState = errors.New("the state of a host is not what was written: the store is damaged, or of another version of this program")

// read sets a host to a stored state.
func (h *host) read(state []byte) error {
	r := binread.Reader{Rest: state}
	version := r.Byte()
	polite := r.Text()
	switch version {
	case stateVersion:
		h.yields.read(&r)
	case stateVersion2:
		_, _ = r.Number(), r.Number()
	default:
		return errState
	}
	h.endless.read(&r)
	if r.Wrong || h.pace.UnmarshalBinary([]byte(polite)) != nil || !h.counts.read(r.Rest) {
		return errState
	}
	return nil
}

// countsOf returns the counts of a stored state, or zero counts if the state cannot be read.
func countsOf(state []byte) *counts {
	var h host
	if h.read(state) != nil {
		return new(counts)
	}
	return &h.counts
}
