package audit

import "hash/maphash"

// A headerCache remembers the facts of User-Agent headers, by a secret hash: a log may have
// millions of headers, and keeping them would take far more memory than the facts. Two headers with
// the same secret hash of 64 bits would count as one; the seed is random, so a client cannot choose
// such headers.
//
// The cache is a table of groups. A header whose group is full replaces the oldest header of the
// group. So the cost of an unknown header does not depend on their number. The table grows only
// while headers come again: with another header on every line, each line would wait for the memory
// of a large table, and find nothing there.
type headerCache struct {
	groups []headerGroup // a power of two
	used   int           // headers in groups
	hits   int           // headers that were found since growth was last decided
	misses int           // headers that were not found since then
}

// A headerGroup is as long as a line of the processor's cache, because a log with many headers
// waits for memory once a line. It has no pointers, so that the garbage collector skips it. The
// header that was put last is the first. An empty place has the secret hash 0.
type headerGroup struct {
	secrets [groupSize]uint64
	hashes  [groupSize]uint64
	robots  [groupSize]int32
}

// headerFacts are what an audit knows of a User-Agent header.
type headerFacts struct {
	hash  uint64 // by hashHeader
	robot int32  // index in tally.numbered; negative for the device of a person
}

const (
	groupSize = 3
	minGroups = 1 << 12 // 256 KiB
	maxGroups = 1 << 18 // 16 MiB

	// rareHits is the number of misses for a hit from which the table does not grow.
	rareHits = 64
)

var headerSeed = maphash.MakeSeed()

// secretHash returns the secret hash of a header, which is not 0.
func secretHash(header []byte) uint64 { return maphash.Bytes(headerSeed, header) | 1<<63 }

// headerHashes are the hashes of a User-Agent header.
type headerHashes struct {
	stored uint64 // by hashHeader
	secret uint64 // by secretHash
}

func hashesOf(header []byte) headerHashes {
	return headerHashes{hashHeader(header), secretHash(header)}
}

// find returns the facts of the header with a secret hash; ok is false if they are not known.
func (c *headerCache) find(secret uint64) (facts headerFacts, ok bool) {
	if len(c.groups) == 0 {
		return facts, false
	}
	g := &c.groups[secret&uint64(len(c.groups)-1)]
	for i := range g.secrets {
		if g.secrets[i] == secret {
			c.hits++
			return headerFacts{g.hashes[i], g.robots[i]}, true
		}
	}
	c.misses++
	return facts, false
}

// put remembers the facts of a header that is not in the cache.
func (c *headerCache) put(secret uint64, facts headerFacts) {
	if c.groups == nil {
		c.groups = make([]headerGroup, minGroups)
	}
	if c.full(secret) {
		if len(c.groups) < maxGroups && c.misses < c.hits*rareHits {
			c.grow()
		}
		c.hits, c.misses = 0, 0 // of the next decision
	}
	c.insert(secret, facts)
}

// full reports whether the table is full, and with it the group of a secret hash, and whether
// enough headers were not found to decide about growth.
func (c *headerCache) full(secret uint64) bool {
	places := groupSize * len(c.groups)
	return c.misses >= places/4 && c.used > places*5/8 &&
		c.groups[secret&uint64(len(c.groups)-1)].secrets[groupSize-1] != 0
}

// insert puts a header first into its group.
func (c *headerCache) insert(secret uint64, facts headerFacts) {
	g := &c.groups[secret&uint64(len(c.groups)-1)]
	if g.secrets[groupSize-1] == 0 {
		c.used++
	}
	copy(g.secrets[1:], g.secrets[:])
	copy(g.hashes[1:], g.hashes[:])
	copy(g.robots[1:], g.robots[:])
	g.secrets[0], g.hashes[0], g.robots[0] = secret, facts.hash, facts.robot
}

// grow doubles the table.
func (c *headerCache) grow() {
	old := c.groups
	c.groups, c.used = make([]headerGroup, 2*len(old)), 0
	for i := range old {
		g := &old[i]
		for j := groupSize - 1; j >= 0; j-- {
			if g.secrets[j] != 0 {
				c.insert(g.secrets[j], headerFacts{g.hashes[j], g.robots[j]})
			}
		}
	}
}
