package audit

import (
	"hash/maphash"
	"net/netip"

	"github.com/robotsexclusion/robots/agent"
)

// A clientCache remembers which clients are the robots that they name, by the hash of both. It is a table in
// which a client takes the place of another; see headerCache.
type clientCache struct {
	slots []clientSlot // nil before the first client
}

// A clientSlot is empty if its hash is 0.
type clientSlot struct {
	hash   uint64
	result agent.Result
}

// clientSlots is the number of slots, a power of two: they take 1 MiB.
const clientSlots = 1 << 16

var clientSeed = maphash.MakeSeed()

// clientKey is a client that names a robot.
type clientKey struct {
	robot  *robotTally
	client netip.Addr
}

// find returns the slot of a client; ok is false if the slot is another's, or empty: the caller
// writes the result into it.
func (c *clientCache) find(key clientKey) (slot *clientSlot, ok bool) {
	if c.slots == nil {
		c.slots = make([]clientSlot, clientSlots)
	}
	hash := maphash.Comparable(clientSeed, key) | 1<<63
	slot = &c.slots[hash&(clientSlots-1)]
	ok = slot.hash == hash
	slot.hash = hash
	return slot, ok
}
