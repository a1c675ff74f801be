package ruleindex

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/internal/ruleindex/word"
)

// A netBuilder makes nets. It keeps its memory from one net to the next.
//
// It adds the patterns in batches. For each batch, [netBuilder.cut] finds the segments and their
// hashes, [netBuilder.resolve] finds the symbols, and [netBuilder.add] follows the symbols from the
// node of the stem along existing edges, and adds edges where these end. A node with only one
// pattern below it has a tail in place of edges, until a second pattern diverges.
//
// In batches the processor waits for the slots of many symbols at the same time, instead of for one
// after the other.
type netBuilder struct {
	text string // contains the patterns

	// The fields of the net to be. See net.
	nodes   []netNode
	symbols []symbol
	longs   []longSymbol
	tails   []uint32
	slots   []uint32
	shift   uint8

	patterns int // the number of patterns of the net
	added    int // how many of them are added
	usual    int // the expected number of nodes, and of symbols

	hashes []uint32 // the lower halves of the hashes of symbols

	batch   []cutDraft
	path    []uint32 // the symbols of the patterns of a batch
	pieces  []piece  // the segments of a batch whose symbols are not known yet
	lastAt  uint32   // where the last segment starts of the pattern that was cut last
	touched uint32   // of no use: it makes the compiler keep a read of slots

	// Most symbols are on one edge only: firsts has, for each symbol, the first edge with it. The
	// others are in far, and edges is a hash table of them, by the parent node of an edge and its
	// symbol: a slot has the index in far, and above it bits of the hash.
	firsts    []netEdge
	edges     []uint32
	far       []netEdge // number 0 is unused
	farHashes []uint32

	empty, slash uint32 // the nodes of these stems

	sizes, ends uint64 // the lengths of symbols, 1 in the lowest bit

	// The symbols of one byte, and the symbols at the end of the path. Up to half of the bytes of a
	// pattern may be such symbols.
	single [2][256]uint32
}

// A cutDraft is a pattern of a batch.
type cutDraft struct {
	number uint32 // of the wild
	path   uint32 // where its symbols start in path
	shared uint32 // the number of its first symbols that are those of the pattern before
}

// A piece is a segment of a batch.
type piece struct {
	hash uint64
	at   uint32
	size uint32 // may have the flag atEnd
	to   uint32 // the place in path of its symbol
}

// A netEdge is an edge: the node that it comes from, and the node that it leads to.
type netEdge struct{ parent, node uint32 }

// manyEdges is the number of slots of the table of edges from which on it grows at once.
const manyEdges = 4 << 10

// samplePatterns is the number of patterns that show how many symbols to expect.
const samplePatterns = 256

// mostPieces is the number of pieces from which on a batch is full: they fit into the fastest
// cache.
const mostPieces = 128

// reset prepares b for a net of a number of patterns, which are parts of text.
func (b *netBuilder) reset(text string, patterns int) {
	b.text = text
	b.patterns, b.added, b.usual = patterns, 0, patterns+patterns/16+1
	b.nodes = append(slices.Grow(b.nodes[:0], b.usual), netNode{})
	b.symbols = append(slices.Grow(b.symbols[:0], b.usual), symbol{})
	b.firsts = append(slices.Grow(b.firsts[:0], b.usual), netEdge{})
	b.longs = b.longs[:0]
	b.tails = append(b.tails[:0], 0)
	b.hashes = append(slices.Grow(b.hashes[:0], b.usual), 0)
	b.makeSlots(patterns)
	b.edges, b.far, b.farHashes = cleared(b.edges, 64), append(b.far[:0], netEdge{}), append(b.farHashes[:0], 0)
	b.empty, b.slash, b.sizes, b.ends = 0, 0, 0, 0
	b.single = [2][256]uint32{}
}

// stem adds the node of a stem.
func (b *netBuilder) stem(stem string) (node uint32) {
	node = b.node(uint32(len(stem)))
	switch stem {
	case "":
		b.empty = node
	case "/":
		b.slash = node
	}
	return node
}

// node adds a node with the edge that leads to it.
func (b *netBuilder) node(symbol uint32) uint32 {
	n := len(b.nodes)
	if n == cap(b.nodes) {
		b.nodes = double(b.nodes, 1)
	}
	b.nodes = b.nodes[:n+1]
	// Writing the fields costs less than a netNode that append copies.
	to := &b.nodes[n]
	to.symbol, to.child, to.sibling, to.rule, to.weight = symbol, 0, 0, 0, 0
	return uint32(n)
}

// add adds a pattern with the symbols in path below the node of its stem, and returns the node
// where the pattern ends.
func (b *netBuilder) add(node uint32, d *wild, path []uint32) uint32 {
	if d.flags&wildStar == 0 {
		b.split(node)
		b.heaviest(node, d.weight)
		if d.flags&wildAnchored != 0 {
			node = b.child(node, 0)
			b.heaviest(node, d.weight)
		}
		return node
	}
	if most := len(path); most > cap(b.nodes)-len(b.nodes) {
		b.nodes = double(b.nodes, most)
	}
	for i := range path {
		n := &b.nodes[node]
		switch {
		case n.child&isTail != 0:
			if b.tailIs(n.child&^isTail, path[i:]) {
				b.heaviest(node, d.weight)
				return node
			}
			b.split(node)
		case n.child|n.rule == 0 && node != b.empty && node != b.slash:
			n.child = uint32(len(b.tails)) | isTail
			if most := len(path) + 1; most > cap(b.tails)-len(b.tails) {
				b.tails = double(b.tails, most)
			}
			b.tails = append(b.tails, path[i:]...)
			b.tails = append(b.tails, 0)
			b.heaviest(node, d.weight)
			return node
		}
		b.heaviest(node, d.weight)
		node = b.child(node, path[i])
	}
	b.split(node)
	b.heaviest(node, d.weight)
	return node
}

// heaviest records that a rule with the given weight ends at a node or below.
func (b *netBuilder) heaviest(node, weight uint32) {
	n := &b.nodes[node]
	n.weight = max(n.weight, weight)
}

// tailIs reports whether the tail that starts at a place equals path.
func (b *netBuilder) tailIs(at uint32, path []uint32) bool {
	for _, symbol := range path {
		if b.tails[at] != symbol {
			return false
		}
		at++
	}
	return b.tails[at] == 0
}

// split turns the first symbol of a node's tail, if it has one, into an edge: another pattern
// diverges or ends there.
func (b *netBuilder) split(node uint32) {
	at := b.nodes[node].child
	if at&isTail == 0 {
		return
	}
	at &^= isTail
	b.nodes[node].child = 0
	child := b.edge(node, b.tails[at])
	n, c := &b.nodes[node], &b.nodes[child]
	c.rule, c.weight = n.rule, n.weight
	n.rule = 0
	if b.tails[at+1] != 0 {
		c.child = (at + 1) | isTail
	}
}

// cut adds a pattern to the batch. Runs of "*" count as one "*".
func (b *netBuilder) cut(wilds []wild, number uint32) {
	d := &wilds[number]
	c := cutDraft{number: number, path: uint32(len(b.path))}
	at, end, flags := d.at+d.stem+1, d.at+d.end, uint32(0)
	if d.flags&wildStar == 0 {
		b.batch = append(b.batch, c)
		return
	}
	if d.flags&wildAnchored != 0 {
		flags = atEnd
	}
	if k := len(b.batch) - 1; k >= 0 && wilds[b.batch[k].number].at == d.at && b.lastAt < end {
		// Dialect Google has patterns of a directory and of its index file.
		if n := len(b.path) - int(b.batch[k].path); n > 1 {
			at, c.shared = b.lastAt, uint32(n-1)
			b.path = append(b.path, b.path[c.path-uint32(n):c.path-1]...) // the part that is known
		}
	}
	b.batch = append(b.batch, c)
	text := b.text
	for {
		for text[at] == '*' {
			at++
		}
		if at+1 == end || text[at+1] == '*' {
			if at+1 == end {
				b.lastAt = at
				b.path = append(b.path, b.oneByte(at, flags))
				return
			}
			b.path = append(b.path, b.oneByte(at, 0))
			at += 2
			continue
		}
		size, hash := segmentAt(text, at, end)
		p := piece{hash, at, size, uint32(len(b.path))}
		last := at+size == end
		if last && flags != 0 {
			p.size |= atEnd
			p.hash = endHash(hash)
		}
		b.touched ^= b.slots[int(p.hash)&(len(b.slots)-1)]
		b.pieces = append(b.pieces, p)
		b.path = append(b.path, 0)
		if last {
			b.lastAt = at
			return
		}
		at += size + 1
	}
}

// cutBatch fills a batch with wilds of one stem, where next is 1 + the number of the first. It
// returns the next one after the batch.
func (b *netBuilder) cutBatch(wilds []wild, next uint32) uint32 {
	b.batch, b.path, b.pieces = b.batch[:0], b.path[:0], b.pieces[:0]
	for next > 0 && len(b.pieces) < mostPieces && len(b.batch) < mostPieces {
		b.cut(wilds, next-1)
		next = wilds[next-1].above
	}
	b.resolve()
	return next
}

// resolve finds the symbols of the pieces.
func (b *netBuilder) resolve() {
	for i := range b.pieces {
		p := &b.pieces[i]
		b.path[p.to] = b.find(p.at, p.size, p.hash)
	}
}

// symbolsOf returns the symbols of pattern number i of the batch.
func (b *netBuilder) symbolsOf(i int) []uint32 {
	c := &b.batch[i]
	end := len(b.path)
	if i+1 < len(b.batch) {
		end = int(b.batch[i+1].path)
	}
	path := b.path[c.path:end]
	if c.shared > 0 {
		copy(path[:c.shared], b.path[b.batch[i-1].path:])
	}
	return path
}

// segmentAt returns the length and the hash of the segment that starts at a place of text, in a
// pattern that ends at end.
func segmentAt(text string, at, end uint32) (size uint32, hash uint64) {
	if int(at)+8 > len(text) {
		for at+size < end && text[at+size] != '*' {
			size++
		}
		return size, segmentHash(text[at : at+size])
	}
	// Most segments are short.
	v := word.Load8(text[at:])
	size = min(uint32(bits.TrailingZeros64(word.Equal(v, '*')))>>3, end-at)
	if size < 8 || at+8 == end || text[at+8] == '*' {
		return size, tail(seed, v, int(size))
	}
	if i := strings.IndexByte(text[at+8:end], '*'); i >= 0 {
		size = uint32(8 + i)
	} else {
		size = end - at
	}
	return size, segmentHash(text[at : at+size])
}

// oneByte returns the number of the symbol of the byte at a place, and adds the symbol if it does
// not exist.
func (b *netBuilder) oneByte(at, flags uint32) uint32 {
	single := &b.single[flags/atEnd][b.text[at]]
	if *single == 0 {
		hash := segmentHash(b.text[at : at+1])
		if flags != 0 {
			hash = endHash(hash)
		}
		*single = b.find(at, 1|flags, hash)
	}
	return *single
}

// find returns the number of a symbol with a size, which may have the flag atEnd, and a hash, and
// adds the symbol if it does not exist. For a symbol longer than maxHashed, the number has the flag
// isLong.
func (b *netBuilder) find(at, flagged uint32, hash uint64) uint32 {
	size, long := flagged&sizeMask, uint32(0)
	if size > maxHashed {
		long = isLong
	}
	mask, last := uint32(1)<<b.shift-1, uint32(len(b.slots)-1)
	i := uint32(hash) & last
	for ; b.slots[i] != 0; i = (i + 1) & last {
		if (b.slots[i]^uint32(hash))&^mask != 0 {
			continue
		}
		n := b.slots[i] & mask
		if s := &b.symbols[n]; s.size == flagged && b.text[s.at:s.at+size] == b.text[at:at+size] {
			return n | long
		}
	}
	n := uint32(len(b.symbols))
	if len(b.symbols) == cap(b.symbols) {
		b.symbols, b.firsts, b.hashes = double(b.symbols, 1), double(b.firsts, 1), double(b.hashes, 1)
	}
	b.symbols = append(b.symbols, symbol{at: at, size: flagged})
	b.hashes = append(b.hashes, uint32(hash))
	b.firsts = append(b.firsts, netEdge{})
	switch {
	case long != 0:
		b.symbols[n].empty = uint32(len(b.longs))
		text, k := b.text[at:at+size], level(int(size))
		b.longs = append(b.longs, longSymbol{blockHash(text[:1<<k]), blockHash(text[len(text)-1<<k:])})
	case flagged&atEnd != 0:
		b.ends |= 1 << (size - 1)
	default:
		b.sizes |= 1 << (size - 1)
	}
	b.slots[i] = uint32(hash)&^mask | n
	if len(b.symbols)+len(b.symbols)/2 > len(b.slots) {
		b.makeSlots(len(b.symbols))
	}
	return n | long
}

// makeSlots makes the hash table of the existing symbols, with room for the given number.
func (b *netBuilder) makeSlots(symbols int) {
	b.shift = uint8(bits.Len(uint(symbols + symbols/2)))
	b.slots = cleared(b.slots, 1<<b.shift)
	mask, last := uint32(1)<<b.shift-1, uint32(len(b.slots)-1)
	for n := 1; n < len(b.hashes); n++ {
		i := b.hashes[n] & last
		for b.slots[i] != 0 {
			i = (i + 1) & last
		}
		b.slots[i] = b.hashes[n]&^mask | uint32(n)
	}
}

// child returns the node that an edge with a symbol leads to, and adds the node if it does not
// exist.
func (b *netBuilder) child(parent, symbol uint32) (node uint32) {
	if symbol == 0 || symbol&isLong != 0 || parent != b.empty && parent != b.slash {
		return b.edge(parent, symbol)
	}
	to := &b.symbols[symbol].empty
	if parent == b.slash {
		to = &b.symbols[symbol].slash
	}
	if *to == 0 {
		*to = b.node(symbol)
	}
	return *to
}

// edge is child for the edges that can wait in a match: all but those from the stems "" and "/"
// with short symbols.
func (b *netBuilder) edge(parent, symbol uint32) uint32 {
	var first *netEdge
	if symbol != 0 {
		if first = &b.firsts[symbol&^isLong]; first.node == 0 {
			*first = netEdge{parent, b.lead(parent, symbol)}
			return first.node
		}
		if first.parent == parent {
			return first.node
		}
	}
	hash := uint32(mix(seed, uint64(parent)<<32|uint64(symbol)))
	i, mask := b.edgeSlot(hash)
	for ; b.edges[i] != 0; i = (i + 1) & mask {
		if (b.edges[i]^hash)&^mask != 0 {
			continue
		}
		if e := &b.far[b.edges[i]&mask]; e.parent == parent && b.nodes[e.node].symbol == symbol {
			return e.node
		}
	}
	node := b.lead(parent, symbol)
	b.edges[i] = hash&^mask | uint32(len(b.far))
	if len(b.far) == cap(b.far) {
		b.far, b.farHashes = double(b.far, 1), double(b.farHashes, 1)
	}
	b.far, b.farHashes = append(b.far, netEdge{parent, node}), append(b.farHashes, hash)
	if len(b.far)+len(b.far)/2 > len(b.edges) {
		b.growEdges()
	}
	return node
}

// edgeSlot returns the first slot to look for an edge with a hash, and the bits of the number in a
// slot.
func (b *netBuilder) edgeSlot(hash uint32) (i, mask uint32) {
	mask = uint32(len(b.edges) - 1)
	return hash & mask, mask
}

// lead adds a node as the first child of its parent.
func (b *netBuilder) lead(parent, symbol uint32) (node uint32) {
	node = b.node(symbol)
	p := &b.nodes[parent]
	b.nodes[node].sibling = p.child
	p.child = node
	return node
}

// growEdges makes room for twice as many edges in the hash table, or, if there are many, for as
// many as there are patterns.
func (b *netBuilder) growEdges() {
	size := 2 * len(b.edges)
	if size > manyEdges {
		size = max(size, 1<<bits.Len(uint(b.patterns+b.patterns/2)))
	}
	b.edges = cleared(b.edges, size)
	for n := 1; n < len(b.far); n++ {
		i, mask := b.edgeSlot(b.farHashes[n])
		for b.edges[i] != 0 {
			i = (i + 1) & mask
		}
		b.edges[i] = b.farHashes[n]&^mask | uint32(n)
	}
}

// net returns the net.
func (b *netBuilder) net() *net {
	if 4*len(b.symbols) < len(b.slots) {
		b.makeSlots(len(b.symbols))
	}
	n := &net{
		longs: slices.Clone(b.longs),
		tails: slices.Clone(b.tails),
		shift: b.shift,
		bloom: make([]uint64, len(b.hashes)/8+1),
		sizes: lengths(b.sizes),
		ends:  lengths(b.ends),
	}
	if len(b.symbols) <= b.usual {
		n.nodes, n.symbols, n.slots = take(&b.nodes), take(&b.symbols), take(&b.slots)
	} else {
		// These had to grow, and the builder keeps their memory for the next net.
		n.nodes, n.symbols, n.slots = slices.Clone(b.nodes), slices.Clone(b.symbols), slices.Clone(b.slots)
	}
	for _, hash := range b.hashes[1:] {
		k := bloomBit(n.bloom, uint64(hash))
		n.bloom[k>>6] |= 1 << (k & 63)
	}
	b.text = ""
	return n
}

// lengths returns the lengths whose bits are set. The lowest bit is for length 1.
func lengths(set uint64) []uint8 {
	sizes := make([]uint8, 0, bits.OnesCount64(set))
	for ; set != 0; set &= set - 1 {
		sizes = append(sizes, uint8(bits.TrailingZeros64(set)+1))
	}
	return sizes
}

// weave finishes an index with a net of its wilds: the wilds of the heads, which are the plain
// entries from number plains on.
func (w *Builder) weave(x *Index, plains int) {
	b := &w.net
	b.reset(w.text, len(w.wilds))
	heads := len(w.plain)
	w.plain = slices.Grow(w.plain, len(w.wilds))
	if w.apart {
		w.values = slices.Grow(w.values, heads+len(w.wilds)-len(w.values))
		for len(w.values) < heads {
			w.values = append(w.values, Span{})
		}
	}
	for i := plains; i < heads; i++ {
		n := w.plain[i].Weight
		head := b.stem(w.text[w.plain[i].At:][:w.wilds[n-1].stem])
		w.plain[i].Weight = head
		for n > 0 {
			n = b.cutBatch(w.wilds, n)
			b.addBatch(w, x, head)
			b.expect(w.segments)
		}
	}
	x.table.net = b.net()
}

// expect makes room for as many nodes and symbols as the first patterns suggest. segments is the
// length of all segments.
func (b *netBuilder) expect(segments int) {
	before := b.added
	if b.added += len(b.batch); before >= samplePatterns || b.added < samplePatterns {
		return
	}
	more := b.patterns - b.added
	most := segments / 4 // the first patterns may be longer than the others
	symbols := min(len(b.symbols)*more/b.added*17/16, most)
	nodes := min(len(b.nodes)*more/b.added*17/16, most)
	if n := len(b.symbols) + symbols; n > cap(b.symbols) {
		b.usual = n
		b.symbols, b.firsts, b.hashes = slices.Grow(b.symbols, symbols), slices.Grow(b.firsts, symbols),
			slices.Grow(b.hashes, symbols)
		b.makeSlots(n)
	}
	b.nodes = slices.Grow(b.nodes, nodes)
}

// addBatch adds the batch, wilds of w, below the node of their stem.
func (b *netBuilder) addBatch(w *Builder, x *Index, head uint32) {
	for i := range b.batch {
		number := b.batch[i].number
		d := &w.wilds[number]
		node := b.add(head, d, b.symbolsOf(i))
		rule := Rule{d.at, d.line, d.weight}
		k := b.nodes[node].rule
		if k == 0 {
			w.plain = append(w.plain, rule)
			if w.apart {
				w.values = append(w.values, w.wildValues[number])
			}
			b.nodes[node].rule = uint32(len(w.plain))
			continue
		}
		if x.beats(&rule, &w.plain[k-1]) {
			w.plain[k-1] = rule
			if w.apart {
				w.values[k-1] = w.wildValues[number]
			}
		}
	}
}
