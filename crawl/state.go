package crawl

import (
	"encoding/binary"
	"errors"

	"github.com/robotsexclusion/robots/internal/octets"
)

// stateVersion is the first byte of the state of a host.
const stateVersion = 2

// appendState appends what is kept of a host: how polite to be, what of it has no end,
// and its counts.
func (h *host) appendState(b []byte) []byte {
	b = append(b, stateVersion)
	polite, _ := h.pace.AppendBinary(nil)
	b = binary.AppendUvarint(b, uint64(len(polite)))
	b = append(b, polite...)
	b = binary.AppendUvarint(b, uint64(h.barren))
	b = binary.AppendUvarint(b, uint64(h.repeats))
	b = h.endless.appendBinary(b)
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
	h.barren, h.repeats = int(min(r.Number(), mostBarren+1)), int(min(r.Number(), mostRepeats+1))
	h.endless.read(&r)
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
