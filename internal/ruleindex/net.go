package ruleindex

import (
	"math/bits"
	"sync"
	"unsafe"

	"github.com/robotsexclusion/robots/internal/ruleindex/word"
)

// A net finds which of many patterns with wildcards decides for a path, in one
// pass over the path.
//
// Patterns are split into stem and segments, and merged from the left: they form a forest whose
// roots are stems and whose edges are segments. The node for "/a*b*c" is reached by the segments b
// and c from the stem /a. Equal patterns end at one node, which keeps only the rule that wins. A
// segment is a symbol, which is stored once, however many edges have it.
//
// The leftmost place for a segment is as good as any other, so each reached node has one place: the
// first end of its last segment. The pass walks over the places of the path. At each place it looks
// up the bytes before the place, for each length that symbols have, by a hash that takes the same
// time for any length. If the bytes are a symbol, the edges that wait for the symbol lead on to
// their nodes, if the symbol starts no earlier than the place where the source node of the edge was
// reached. The edges of these nodes wait from there on. Edges wait in order of arrival, so the
// first edge that is too early ends the search.
//
// A symbol longer than maxHashed is searched for when an edge begins to wait for it:
// see [netRun.findLong].
//
// So a match takes at most
//
//	bytes of the path x lengths of symbols up to maxHashed   lookups, and
//	edges                                                   steps,
//
// each once: an edge waits once and leads on once. The text of the file bounds
// edges and symbols, and the number of patterns does not multiply the path.
type net struct {
	nodes   []netNode // number 0 is unused
	symbols []symbol  // number 0 is the end of the path, right after a stem
	longs   []longSymbol
	tails   []uint32 // symbols, with 0 after the last one of a tail

	slots []uint32 // a hash table of symbols: bits of the hash, and the number below them
	bloom []uint64 // a bit for the hash of each symbol
	shift uint8    // bits of the number in a slot

	sizes []uint8 // the lengths of symbols up to maxHashed that may be anywhere
	ends  []uint8 // and of those at the end of the path
}

// maxHashed is the maximum length of a symbol that is looked up by its hash.
const maxHashed = 64

// A netNode is a node, and the edge that leads to it. A node with only one pattern below it, with
// several segments, has no child nodes but a tail: the following symbols in a row. A match steps
// along the tail without going from node to node.
type netNode struct {
	symbol  uint32 // on the edge; of a stem its length
	child   uint32 // the first child node, or 0; or the start of the tail
	sibling uint32 // the next child of the same parent, or 0
	rule    uint32 // 1 + the index of the plain rule that ends here, or at the end of the tail, or 0
	weight  uint32 // the highest of the rules that end here and below
}

// A symbol is the text of segments. A symbol at the end of the path, because the pattern is
// anchored, is different from a symbol with the same text elsewhere.
type symbol struct {
	at   uint32
	size uint32

	// The nodes that the symbol leads to from the stems "" and "/", which have the most edges:
	// these edges do not have to wait. For a symbol longer than maxHashed, empty is its index in
	// longs.
	empty, slash uint32
}

// Flags: of symbol.size, of the number of a symbol, and of netNode.child.
const (
	atEnd    = 1 << 31 // the symbol is at the end of the path
	isLong   = 1 << 31 // the symbol is longer than maxHashed
	isTail   = 1 << 31 // a tail follows, not nodes
	sizeMask = atEnd - 1
)

// bytes returns the length of the symbol.
func (s *symbol) bytes() int { return int(s.size & sizeMask) }

// segmentHash returns the hash of a segment. It combines the hashes of the first and the last
// bytes, as many as a power of two, so that it can be computed from the hashes of the parts of a
// path for any length. See [netRun.hashes].
func segmentHash(s string) uint64 {
	if len(s) <= 8 {
		return tail(seed, word.Load(s, 0), len(s))
	}
	k := level(len(s))
	return mix(blockHash(s[:1<<k])+uint64(len(s)), blockHash(s[len(s)-1<<k:]))
}

// level returns the binary logarithm of the largest power of two below n, which is
// more than 8.
func level(n int) int { return bits.Len(uint(n-1)) - 1 }

// blockHash returns the hash of a block whose length is a power of two, at least 8.
func blockHash(s string) uint64 {
	if len(s) == 8 {
		return word.Load8(s)
	}
	half := len(s) / 2
	return mix(blockHash(s[:half]), blockHash(s[half:]))
}

// bloomBit returns the place of a hash in a set of hashes.
func bloomBit(bloom []uint64, hash uint64) uint64 {
	return hash & 0xffffffff * uint64(len(bloom)*64) >> 32
}

// endHash returns the hash of a symbol at the end of the path, given the hash of its text.
func endHash(hash uint64) uint64 { return mix(hash, seed) }

// A netRun is one match by a net. It keeps its memory for the next.
type netRun struct {
	*net
	index *Index
	file  string // contains the patterns
	path  string // with eight bytes before it
	size  int    // bytes of the path

	lasts  []uint32      // for each symbol the last edge that waits for it, or 0
	edges  []waitingEdge // for each node the edge to it
	places []uint32      // for each place of the path the last edge that leads on there, or 0
	padded []byte        // path
	blocks [][]uint64    // see block
	made   int           // number of blocks computed for this path
	long   []placeIndex

	best, weight, line uint32 // the rule that wins so far, as 1 + its index
}

// A waitingEdge is an edge that waits. The edges that wait for one symbol form a ring.
type waitingEdge struct {
	next uint32 // the next one, or after the last one the first
	from uint32 // where the segment may start
	tail uint32 // the symbol in tails that it waits for, or 0 if the edge leads to the node itself
}

// Flags of netRun.lasts: the edge from the stem "" or "/" was taken.
const (
	emptyTaken = 1 << 31
	slashTaken = 1 << 30
	lastMask   = slashTaken - 1
)

var netRuns = sync.Pool{New: func() any { return new(netRun) }}

// matchNet returns 1 + the number of the rule that decides for path, or 0.
func (x *Index) matchNet(text, path string) uint32 {
	r := netRuns.Get().(*netRun)
	r.start(x, text, path)
	best, _ := x.table.find(x, text, path, r)
	if best > 0 {
		p := &x.plain[best-1]
		r.best, r.weight, r.line = best, p.Weight, p.Line&lineMask
	}
	r.run()
	best = r.best
	r.net, r.index, r.file, r.path = nil, nil, "", ""
	netRuns.Put(r)
	return best
}

// start prepares r for a path.
func (r *netRun) start(x *Index, text, path string) {
	r.net, r.index, r.file, r.size = x.table.net, x, text, len(path)
	r.best, r.weight, r.line = 0, 0, 0
	r.padded = append(append(r.padded[:0], "\x00\x00\x00\x00\x00\x00\x00\x00"...), path...)
	r.path = unsafe.String(unsafe.SliceData(r.padded), len(r.padded))
	r.lasts = cleared(r.lasts, len(r.symbols))
	r.places = cleared(r.places, len(path)+1)
	if len(r.edges) < len(r.nodes) {
		r.edges = make([]waitingEdge, len(r.nodes))
	}
	r.made = 0
	for i := range r.long {
		r.long[i].made = false
	}
}

// cleared returns n zeros, in the memory of s if it is large enough.
func cleared[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// arrive marks a node as reached at a place.
func (r *netRun) arrive(node, place uint32) {
	if last := r.places[place]; last == 0 {
		r.edges[node].next = node
	} else {
		r.edges[node].next = r.edges[last].next
		r.edges[last].next = node
	}
	r.places[place] = node
}

// stem marks the node of a stem as reached.
func (r *netRun) stem(node, size uint32) {
	r.edges[node].tail = 0
	r.arrive(node, size)
}

// run walks over the path.
func (r *netRun) run() {
	most := 0
	if n := len(r.sizes); n > 0 {
		most = int(r.sizes[n-1])
	}
	if n := len(r.ends); n > 0 {
		most = max(most, int(r.ends[n-1]))
	}
	// The lengths, grouped by the way their hashes are computed.
	var upTo [3]int
	for _, size := range r.sizes {
		for k := range upTo {
			if int(size) <= 8<<k {
				upTo[k]++
			}
		}
	}
	upTo8, upTo16, upTo32, longer := r.sizes[:upTo[0]], r.sizes[upTo[0]:upTo[1]], r.sizes[upTo[1]:upTo[2]],
		r.sizes[upTo[2]:]
	var blocks16, blocks32 []uint64
	if most > 16 {
		blocks16 = r.block(4)
	}
	if most > 32 {
		blocks32 = r.block(5)
	}
	for place := 0; place <= r.size; place++ {
		if last := r.places[place]; last != 0 {
			node := r.edges[last].next
			for {
				next := r.edges[node].next
				r.reach(node, uint32(place))
				if node == last {
					break
				}
				node = next
			}
		}
		before := word.Load8(r.path[place:])
		for _, size := range upTo8 {
			if int(size) > place {
				break
			}
			if hash := mix(seed+uint64(size), before>>(64-8*size)); r.maybe(hash) {
				r.step(hash, place, uint32(size))
			}
		}
		for _, size := range upTo16 {
			if int(size) > place {
				break
			}
			if hash := mix(word.Load8(r.path[8+place-int(size):])+uint64(size), before); r.maybe(hash) {
				r.step(hash, place, uint32(size))
			}
		}
		for _, size := range upTo32 {
			if int(size) > place {
				break
			}
			if hash := mix(blocks16[place-int(size)]+uint64(size), blocks16[place-16]); r.maybe(hash) {
				r.step(hash, place, uint32(size))
			}
		}
		for _, size := range longer {
			if int(size) > place {
				break
			}
			if hash := mix(blocks32[place-int(size)]+uint64(size), blocks32[place-32]); r.maybe(hash) {
				r.step(hash, place, uint32(size))
			}
		}
	}
	for _, size := range r.ends {
		if int(size) > r.size {
			break
		}
		if hash := endHash(r.hash(r.size, int(size))); r.maybe(hash) {
			r.step(hash, r.size, uint32(size)|atEnd)
		}
	}
}

// maybe reports whether a symbol may have this hash.
func (n *net) maybe(hash uint64) bool {
	i := bloomBit(n.bloom, hash)
	return n.bloom[i>>6]&(1<<(i&63)) != 0
}

// block returns the hashes of all runs of 1<<k bytes in the path. k is at least 4.
func (r *netRun) block(k int) []uint64 {
	path := r.path[8:]
	for ; r.made <= k-4; r.made++ {
		if r.made == len(r.blocks) {
			r.blocks = append(r.blocks, nil)
		}
		size := 16 << r.made
		n := max(r.size-size+1, 0)
		b := r.blocks[r.made]
		if cap(b) < n {
			b = make([]uint64, n)
		}
		b = b[:n]
		for i := range b {
			if r.made == 0 {
				b[i] = mix(word.Load8(path[i:]), word.Load8(path[i+8:]))
			} else {
				half := r.blocks[r.made-1]
				b[i] = mix(half[i], half[i+size/2])
			}
		}
		r.blocks[r.made] = b
	}
	return r.blocks[k-4]
}

// hash returns the hash of the size bytes before a place, at most maxHashed, as segmentHash
// computes it.
func (r *netRun) hash(place, size int) uint64 {
	start := place - size
	switch {
	case size <= 8:
		return mix(seed+uint64(size), word.Load8(r.path[place:])>>(64-8*uint(size)))
	case size <= 16:
		return mix(word.Load8(r.path[8+start:])+uint64(size), word.Load8(r.path[place:]))
	}
	k := level(size)
	blocks := r.blocks[k-4]
	return mix(blocks[start]+uint64(size), blocks[place-1<<k])
}

// step takes the edges that wait for the symbol before a place, if there is one.
func (r *netRun) step(hash uint64, place int, size uint32) {
	start := place - int(size&sizeMask)
	mask, last := uint32(1)<<r.shift-1, uint32(len(r.slots)-1)
	for i := uint32(hash) & last; r.slots[i] != 0; i = (i + 1) & last {
		if (r.slots[i]^uint32(hash))&^mask != 0 {
			continue
		}
		number := r.slots[i] & mask
		if !r.waits(number, start) {
			continue // whether the bytes are this symbol does not matter
		}
		sym := &r.symbols[number]
		if sym.size == size && r.file[sym.at:int(sym.at)+sym.bytes()] == r.path[8+start:8+place] {
			r.take(number, place, start)
			return
		}
	}
}

// waits reports whether an edge waits, or may wait, for a symbol that starts at a place.
func (r *netRun) waits(number uint32, start int) bool {
	last := r.lasts[number]
	if last&(emptyTaken|slashTaken) != emptyTaken|slashTaken {
		return true
	}
	last &= lastMask
	return last != 0 && int(r.edges[r.edges[last].next].from) <= start
}

// take takes the edges that wait for a symbol, which ends at a place.
func (r *netRun) take(number uint32, place, start int) {
	lasts := r.lasts
	if lasts[number]&emptyTaken == 0 {
		lasts[number] |= emptyTaken
		if node := r.symbols[number].empty; node != 0 {
			r.first(node, place)
		}
	}
	if lasts[number]&slashTaken == 0 && start > 0 {
		lasts[number] |= slashTaken
		if node := r.symbols[number].slash; node != 0 {
			r.first(node, place)
		}
	}
	edges := r.edges
	for {
		last := lasts[number] & lastMask
		if last == 0 {
			return
		}
		node := edges[last].next
		e := &edges[node]
		if int(e.from) > start {
			return
		}
		// Tails can have very many steps.
		next := uint32(0)
		if e.tail != 0 {
			next = r.tails[e.tail+1]
		}
		if next == number {
			e.tail++
			e.from = uint32(place)
			lasts[number] = lasts[number]&^lastMask | node // the ring ends here
			continue
		}
		if node == last {
			lasts[number] &^= lastMask
		} else {
			edges[last].next = e.next
		}
		if next == 0 || next&isLong != 0 {
			r.reach(node, uint32(place))
			continue
		}
		e.tail++
		e.from = uint32(place)
		if n := lasts[next] & lastMask; n == 0 {
			e.next = node
		} else {
			e.next = edges[n].next
			edges[n].next = node
		}
		lasts[next] = lasts[next]&^lastMask | node
	}
}

// first marks a node as reached for which no edge waited.
func (r *netRun) first(node uint32, place int) {
	r.edges[node].tail = 0
	r.reach(node, uint32(place))
}

// reach marks a node, or the next symbol of its tail, as reached at a place: its rule matches, and
// its edges start to wait.
func (r *netRun) reach(node, place uint32) {
	e := &r.edges[node]
	n := &r.nodes[node]
	switch {
	case e.tail != 0:
		e.tail++
	case n.child&isTail != 0:
		e.tail = n.child &^ isTail
	default:
		if n.rule != 0 {
			r.match(n.rule)
		}
		for child := n.child; child != 0; child = r.nodes[child].sibling {
			c := &r.nodes[child]
			switch {
			case c.weight < r.weight: // all rules there are lighter
			case c.symbol == 0:
				if int(place) == r.size {
					r.match(c.rule)
				}
			default:
				r.edges[child].tail = 0
				r.wait(child, c.symbol, place)
			}
		}
		return
	}
	if symbol := r.tails[e.tail]; symbol != 0 {
		r.wait(node, symbol, place)
	} else {
		r.match(n.rule)
	}
}

// wait makes an edge wait for a symbol from a place on.
func (r *netRun) wait(node, symbol, place uint32) {
	if symbol&isLong != 0 {
		r.waitLong(node, symbol&^isLong, place)
		return
	}
	e := &r.edges[node]
	e.from = place
	last := &r.lasts[symbol]
	if n := *last & lastMask; n == 0 {
		e.next = node
	} else {
		e.next = r.edges[n].next
		r.edges[n].next = node
	}
	*last = *last&^lastMask | node
}

// match records that the plain rule number-1 matches.
func (r *netRun) match(number uint32) {
	p := &r.index.plain[number-1]
	if p.Weight > r.weight || p.Weight == r.weight && (r.best == 0 || p.Line < r.line) {
		r.best, r.weight, r.line = number, p.Weight, p.Line
	}
}
