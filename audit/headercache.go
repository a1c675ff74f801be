package audit

import "hash/maphash"

// A headerCache remembers the robots of User-Agent headers, by their hashes: a log may have millions of
// headers, and keeping them would take far more memory than the hashes. Two headers with the same
// hash of 64 bits, whose seed nobody knows, would count as one.
//
// It is a table of pairs of slots. A header that finds both slots of its pair taken takes the place of one, so that
// the cost of a header that is not in the table stays the same, however many there are.
type headerCache struct {
	slots []headerSlot // a power of two
	used  int
}

// A headerSlot is empty if its hash is 0.
type headerSlot struct {
	hash  uint64
	robot *robotTally // nil for people
}

const (
	minSlots = 1 << 10
	maxSlots = 1 << 19 // 8 MiB
)

var headerSeed = maphash.MakeSeed()

// secretHash returns the hash of a header, which is not 0.
func secretHash(header []byte) uint64 { return maphash.Bytes(headerSeed, header) | 1<<63 }

// find returns the robot of the header with a hash; ok is false if it is not known.
func (c *headerCache) find(hash uint64) (robot *robotTally, ok bool) {
	if len(c.slots) == 0 {
		return nil, false
	}
	i := hash & uint64(len(c.slots)-1)
	if s := &c.slots[i]; s.hash == hash {
		return s.robot, true
	}
	if s := &c.slots[i^1]; s.hash == hash {
		return s.robot, true
	}
	return nil, false
}

// put remembers the robot of a header.
func (c *headerCache) put(hash uint64, robot *robotTally) {
	if 2*c.used >= len(c.slots) && len(c.slots) < maxSlots {
		c.grow()
	}
	i := hash & uint64(len(c.slots)-1)
	if c.slots[i].hash != 0 {
		if c.slots[i^1].hash == 0 {
			c.used++
		}
		c.slots[i^1] = c.slots[i]
	} else {
		c.used++
	}
	c.slots[i] = headerSlot{hash, robot}
}

// grow doubles the table.
func (c *headerCache) grow() {
	old := c.slots
	c.slots, c.used = make([]headerSlot, max(minSlots, 2*len(old))), 0
	for _, s := range old {
		if s.hash != 0 {
			c.put(s.hash, s.robot)
		}
	}
}
