package crawl

import (
	"encoding/binary"
	"sync/atomic"

	"github.com/robotsexclusion/robots/crawler/internal/binread"
	"github.com/robotsexclusion/robots/crawler/result"
)

// A tally counts reasons. It is safe for concurrent use.
type tally [result.Reasons]atomic.Int64

func (t *tally) add(r result.Reason) { t[r].Add(1) }

// count counts a reason for a host, if it is not nil, and for the crawl.
func (t *tally) count(h *host, r result.Reason) {
	if h != nil {
		h.counts.reasons[r]++
	}
	t.add(r)
}

func (t *tally) addAll(counts []int64) {
	for i := range t {
		t[i].Add(counts[i])
	}
}

func (t *tally) all() (counts [result.Reasons]int64) {
	for i := range t {
		counts[i] = t[i].Load()
	}
	return counts
}

// nonzero returns the counts that are not zero.
func (t *tally) nonzero() map[result.Reason]int64 {
	counts := make(map[result.Reason]int64)
	for i, n := range t.all() {
		if n > 0 {
			counts[result.Reason(i)] = n
		}
	}
	return counts
}

// counts are the counts of one host.
type counts struct {
	pages, bytes int64
	reasons      [result.Reasons]int64
}

// appendBinary appends the counts to b, without the reasons whose count is zero.
func (n *counts) appendBinary(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(n.pages))
	b = binary.AppendUvarint(b, uint64(n.bytes))
	for i, count := range n.reasons {
		if count > 0 {
			b = binary.AppendUvarint(b, uint64(i))
			b = binary.AppendUvarint(b, uint64(count))
		}
	}
	return b
}

func (n *counts) read(form []byte) bool {
	r := binread.Reader{Rest: form}
	*n = counts{pages: int64(r.Number()), bytes: int64(r.Number())}
	for len(r.Rest) > 0 {
		reason, count := r.Number(), r.Number()
		if reason < uint64(result.Reasons) {
			n.reasons[reason] = int64(count)
		}
	}
	return !r.Wrong
}
