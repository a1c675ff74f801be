package audit

import (
	"encoding/binary"
	"math/rand/v2"
	"net/netip"

	"github.com/robotsexclusion/robots/agent"
)

// A clientCache remembers which clients are the robots that they name, by a secret hash of both. It is a
// table in which a client takes the place of another; see headerCache.
//
// A slot has the hash, and in its lowest bits the result and a bit that says that the slot is not empty.
type clientCache struct {
	slots []uint64 // nil before the first client
}

const (
	clientSlots = 1 << 15 // 256 KiB: a larger table remembers more, but each look into it takes longer

	resultBits = 1<<2 - 1 // of agent.Result
	usedBit    = 1 << 2
	factBits   = resultBits | usedBit
)

var clientSeeds = [3]uint64{rand.Uint64(), rand.Uint64(), rand.Uint64()}

// find returns the slot of a client that names the robot with a number in the tally, and the hash for put; ok
// is false if the slot is another's, or empty. Addresses in logs have no zones.
func (c *clientCache) find(robot int32, client netip.Addr) (slot *uint64, hash uint64, ok bool) {
	if c.slots == nil {
		c.slots = make([]uint64, clientSlots)
	}
	a := client.As16()
	hash = mix(binary.LittleEndian.Uint64(a[:8])^clientSeeds[0], binary.LittleEndian.Uint64(a[8:])^clientSeeds[1])
	hash = mix(hash, uint64(robot)^clientSeeds[2]) &^ factBits
	slot = &c.slots[hash>>3&(clientSlots-1)]
	return slot, hash, *slot&^factBits == hash && *slot&usedBit != 0
}

// put writes a result into a slot that find returned.
func put(slot *uint64, hash uint64, result agent.Result) {
	*slot = hash | usedBit | uint64(result)
}
