package crawl

import (
	"encoding/binary"
	"errors"

	"github.com/robotsexclusion/robots/internal/octets"
)

// stateVersion is the first octet of the state of a host.
const stateVersion = 1

// appendState appends what is kept of a host: how polite to be, and its counts.
func (h *host) appendState(b []byte) []byte {
	b = append(b, stateVersion)
	polite, _ := h.pace.AppendBinary(nil)
	b = binary.AppendUvarint(b, uint64(len(polite)))
	b = append(b, polite...)
	return h.counts.appendBinary(b)
}

var errState = errors.New("the state of a host is not what was written: the store is damaged, or of another version of this program")

// read takes over what was kept of a host.
func (h *host) read(state []byte) error {
	r := octets.Reader{Rest: state}
	if r.Octet() != stateVersion {
		return errState
	}
	polite := r.Text()
	if r.Wrong || h.pace.UnmarshalBinary([]byte(polite)) != nil || !h.counts.read(r.Rest) {
		return errState
	}
	return nil
}

// countsOf returns the counts of a state, or none where it cannot be read.
func countsOf(state []byte) *counts {
	var h host
	if h.read(state) != nil {
		return new(counts)
	}
	return &h.counts
}
