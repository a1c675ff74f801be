package audit

import (
	"container/heap"
)

// The names of hosts are written by strangers, so their number is limited. Those with the smallest
// hashes are kept, so that the order of the requests does not matter: a host that is kept at the end
// was kept from its first request on.

// maxHosts is the maximum number of hosts that the options do not name.
const maxHosts = 1_000

// hashText is FNV-1a of 64 bits, and a mixing step: the hash must be the same in every process, because
// parts are joined.
func hashText(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	return h ^ h>>33
}

// A hostCap counts requests by host, for the hosts with the smallest hashes of their names.
type hostCap struct {
	counts map[string]*int64
	hashes hashHeap
	more   int64 // requests to other hosts
}

// counter returns the counter of a host. It is valid until the next call.
func (c *hostCap) counter(name string) *int64 {
	if n := c.counts[name]; n != nil {
		return n
	}
	if c.counts == nil {
		c.counts = map[string]*int64{}
	}
	c.counts[name] = new(int64)
	heap.Push(&c.hashes, hashedName{hashText(name), name})
	if len(c.hashes) > maxHosts {
		last := heap.Pop(&c.hashes).(hashedName).name
		c.more += *c.counts[last]
		delete(c.counts, last)
	}
	if n := c.counts[name]; n != nil {
		return n
	}
	return &c.more
}

type hashedName struct {
	hash uint64
	name string
}

// A hashHeap has the largest hash first.
type hashHeap []hashedName

func (h hashHeap) Len() int           { return len(h) }
func (h hashHeap) Less(i, j int) bool { return h[i].hash > h[j].hash }
func (h hashHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *hashHeap) Push(x any)        { *h = append(*h, x.(hashedName)) }
func (h *hashHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
