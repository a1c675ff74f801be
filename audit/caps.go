package audit

import (
	"container/heap"
)

// The tokens of robots in no table, and the names of hosts, are written by strangers, so their
// number is limited. The tokens with the smallest hashes are kept, so the order of the requests
// does not matter: a token that is kept at the end was kept from its first request on. The report
// then chooses among them by weight, so that a flood of names does not push out a guilty robot.

// maxTokens is the maximum number of tokens of robots in no table that are kept, and maxListed that
// in a report. Tests set smaller ones.
var (
	maxTokens = 1 << 17
	maxListed = 10_000
)

// maxHosts is the maximum number of hosts that the options do not name.
const maxHosts = 1_000

// A tokenCap has the robots in no table with the smallest hashes of their tokens.
type tokenCap struct {
	robots hashHeap[*robotTally]
	others *robotTally // the requests of all others
}

// full reports whether a robot in no table that is not kept is one of the others, which then exist.
func (c *tokenCap) full(key robotKey) bool {
	return c.others != nil && len(c.robots) == maxTokens && hashKey(key) > c.robots[0].hash
}

// hashKey returns the hash of a robot in no table.
func hashKey(key robotKey) uint64 {
	name := key.token + key.kind.String()
	if key.errand {
		name += "errand"
	}
	return hashName(name)
}

// add adds a robot in no table. If there are too many, it drops the one with the largest hash.
func (c *tokenCap) add(t *tally, robot *robotTally) {
	heap.Push(&c.robots, hashed[*robotTally]{robot.hash, robot})
	if len(c.robots) <= maxTokens {
		return
	}
	last := heap.Pop(&c.robots).(hashed[*robotTally]).of
	delete(t.robots, last.key)
	last.dropped = true
	c.join(t, last)
	t.numbered[last.number] = c.others
}

// join adds the numbers and the clients of a robot to the others.
func (c *tokenCap) join(t *tally, robot *robotTally) {
	if c.others == nil {
		c.others = &robotTally{dropped: true, rows: make([][identities]*row, len(t.places))}
		c.others.setPrecision(unknownPrecision)
		t.giveNumber(c.others)
	}
	c.others.addCounts(robot)
}

// A hostCap counts requests by host, for the hosts with the smallest hashes of their names.
type hostCap struct {
	counts map[string]*int64
	hashes hashHeap[string]
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
	heap.Push(&c.hashes, hashed[string]{hashName(name), name})
	if len(c.hashes) > maxHosts {
		last := heap.Pop(&c.hashes).(hashed[string]).of
		c.more += *c.counts[last]
		delete(c.counts, last)
	}
	if n := c.counts[name]; n != nil {
		return n
	}
	return &c.more
}

// A hashed is a value with a hash.
type hashed[T any] struct {
	hash uint64
	of   T
}

// A hashHeap has the largest hash first.
type hashHeap[T any] []hashed[T]

func (h hashHeap[T]) Len() int           { return len(h) }
func (h hashHeap[T]) Less(i, j int) bool { return h[i].hash > h[j].hash }
func (h hashHeap[T]) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *hashHeap[T]) Push(x any)        { *h = append(*h, x.(hashed[T])) }
func (h *hashHeap[T]) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
