package crawl

import (
	"encoding/binary"
	"sync/atomic"
)

// A tally counts reasons. It is safe for concurrent use.
type tally [Reasons]atomic.Int64

func (t *tally) add(r Reason) { t[r].Add(1) }

func (t *tally) all() (counts [Reasons]int64) {
	for i := range t {
		counts[i] = t[i].Load()
	}
	return counts
}

// counts are those of one host.
type counts struct {
	pages, octets int64
	reasons       [Reasons]int64
}

// appendBinary appends the counts to b: of the reasons only those that are not zero.
func (n *counts) appendBinary(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(n.pages))
	b = binary.AppendUvarint(b, uint64(n.octets))
	for i, count := range n.reasons {
		if count > 0 {
			b = binary.AppendUvarint(b, uint64(i))
			b = binary.AppendUvarint(b, uint64(count))
		}
	}
	return b
}

func (n *counts) read(octets []byte) bool {
	r := eventReader{octets: octets}
	*n = counts{pages: int64(r.number()), octets: int64(r.number())}
	for len(r.octets) > 0 {
		reason, count := r.number(), r.number()
		if reason < uint64(Reasons) {
			n.reasons[reason] = int64(count)
		}
	}
	return !r.wrong
}
