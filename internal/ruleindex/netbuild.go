package ruleindex

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/internal/word"
)

// A netBuilder makes nets. It keeps its memory from one net to the next.
//
// It adds one pattern after the other: [netBuilder.cut] finds the symbols of its segments, and
// [netBuilder.add] follows them from the node of its stem along existing edges, and adds edges
// where these end. A node with only one pattern below it has a tail in place of edges, until a
// second pattern diverges.
type netBuilder struct {
	text string // contains the patterns

	// The fields of the net to be. See net.
	nodes   []netNode
	symbols []symbol
	longs   []longSymbol
	tails   []uint32
	slots   []uint64
	shift   uint8
	alike   bool

	parents []uint32 // for each node its parent
	hashes  []uint64 // of symbols
	usual   int      // the usual number of nodes and symbols of a net
	path    []uint32 // the symbols of one pattern

	// edges is a hash table of edges, by the parent node of an edge and its symbol. A slot has the
	// number of the node that the edge leads to, and above it the upper half of the hash. The first
	// edges of each node, up to nearby, are not in the table.
	edges   []uint64
	counted int // number of edges in the table

	empty, slash uint32 // the nodes of these stems

	sizes, ends uint64 // the lengths of symbols, 1 in the lowest bit

	// The symbols of one byte, and those at the end of the path: a pattern may have as many of them
	// as half of its bytes.
	single [2][256]uint32
}

// nearby is the number of edges of a node that are searched one by one: most nodes have no more.
const nearby = 4

// reset prepares b for a net of a number of patterns, which are parts of text.
func (b *netBuilder) reset(text string, patterns int) {
	b.text = text
	b.usual = patterns + patterns/16 + 1
	b.nodes = append(slices.Grow(b.nodes[:0], b.usual), netNode{})
	b.parents = append(slices.Grow(b.parents[:0], b.usual), 0)
	b.symbols = append(slices.Grow(b.symbols[:0], b.usual), symbol{})
	b.hashes = append(slices.Grow(b.hashes[:0], b.usual), 0)
	b.longs = b.longs[:0]
	b.tails = append(b.tails[:0], 0)
	b.alike = false
	b.makeSlots(patterns)
	b.edges, b.counted = cleared(b.edges, 64), 0
	b.empty, b.slash, b.sizes, b.ends = 0, 0, 0, 0
	b.single = [2][256]uint32{}
}

// stem adds the node of a stem.
func (b *netBuilder) stem(stem string) (node uint32) {
	node = b.node(0, uint32(len(stem)))
	switch stem {
	case "":
		b.empty = node
	case "/":
		b.slash = node
	}
	return node
}

// node adds a node with the edge that leads to it.
func (b *netBuilder) node(parent, symbol uint32) uint32 {
	b.nodes = append(b.nodes, netNode{symbol: symbol})
	b.parents = append(b.parents, parent)
	return uint32(len(b.nodes) - 1)
}

// add adds a pattern below the node of its stem, and returns the node where the pattern ends.
func (b *netBuilder) add(node uint32, d *wildDraft) uint32 {
	if d.flags&wildStar == 0 {
		b.split(node)
		b.heaviest(node, d.weight)
		if d.flags&wildAnchored != 0 {
			node = b.child(node, 0)
			b.heaviest(node, d.weight)
		}
		return node
	}
	b.cut(d)
	for i := 0; i < len(b.path); i++ {
		n := &b.nodes[node]
		switch {
		case n.child&isTail != 0:
			if b.tailIs(n.child&^isTail, b.path[i:]) {
				b.heaviest(node, d.weight)
				return node
			}
			b.split(node)
		case n.child|n.rule == 0 && node != b.empty && node != b.slash:
			n.child = uint32(len(b.tails)) | isTail
			if most := len(b.path) + 1; most > cap(b.tails)-len(b.tails) {
				b.tails = double(b.tails, most)
			}
			b.tails = append(b.tails, b.path[i:]...)
			b.tails = append(b.tails, 0)
			b.heaviest(node, d.weight)
			return node
		}
		b.heaviest(node, d.weight)
		node = b.child(node, b.path[i])
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
	child := b.node(node, b.tails[at])
	n, c := &b.nodes[node], &b.nodes[child]
	c.rule, c.weight = n.rule, n.weight
	n.rule, n.child = 0, child
	if b.tails[at+1] != 0 {
		c.child = (at + 1) | isTail
	}
}

// cut sets path to the symbols of the segments of a pattern.
func (b *netBuilder) cut(d *wildDraft) {
	// A pattern may have this many symbols, and as many new nodes.
	most := int(d.end-d.stem)/2 + 1
	if most > min(cap(b.symbols)-len(b.symbols), cap(b.hashes)-len(b.hashes)) {
		b.symbols, b.hashes = double(b.symbols, most), double(b.hashes, most)
	}
	if most > min(cap(b.nodes)-len(b.nodes), cap(b.parents)-len(b.parents)) {
		b.nodes, b.parents = double(b.nodes, most), double(b.parents, most)
	}
	b.path = b.path[:0]
	for at, end := d.at+d.stem+1, d.at+d.end; ; {
		size, hash := segmentAt(b.text, at, end)
		flags := uint32(0)
		last := at+size == end
		if last && d.flags&wildAnchored != 0 {
			flags = atEnd
			hash = endHash(hash)
		}
		b.path = append(b.path, b.symbol(at, size, flags, hash))
		if last {
			return
		}
		at += size + 1
	}
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
	star := v ^ word.Ones*'*'
	size = min(uint32(bits.TrailingZeros64((star-word.Ones)&^star&word.High))>>3, end-at)
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

// symbol returns the number of a symbol with a hash, and adds the symbol if it does not exist. For
// a symbol longer than maxHashed, the number has the flag isLong.
func (b *netBuilder) symbol(at, size, flags uint32, hash uint64) uint32 {
	if size > maxHashed {
		return b.find(at, size, flags, hash) | isLong
	}
	if size > 1 {
		return b.find(at, size, flags, hash)
	}
	single := &b.single[flags/atEnd][b.text[at]]
	if *single == 0 {
		*single = b.find(at, size, flags, hash)
	}
	return *single
}

// find is symbol without the flag.
func (b *netBuilder) find(at, size, flags uint32, hash uint64) uint32 {
	mask, tag := uint64(1)<<b.shift-1, hash<<b.shift
	last := len(b.slots) - 1
	i := int(hash>>32) & last
	for ; b.slots[i] != 0; i = (i + 1) & last {
		if b.slots[i]&^mask != tag {
			continue
		}
		n := uint32(b.slots[i] & mask)
		if s := &b.symbols[n]; s.size == size|flags && b.text[s.at:s.at+size] == b.text[at:at+size] {
			return n
		}
		b.alike = true
	}
	n := uint32(len(b.symbols))
	b.symbols = append(b.symbols, symbol{at: at, size: size | flags})
	b.hashes = append(b.hashes, hash)
	switch {
	case size > maxHashed:
		b.symbols[n].empty = uint32(len(b.longs))
		text, k := b.text[at:at+size], level(int(size))
		b.longs = append(b.longs, longSymbol{blockHash(text[:1<<k]), blockHash(text[len(text)-1<<k:])})
	case flags&atEnd != 0:
		b.ends |= 1 << (size - 1)
	default:
		b.sizes |= 1 << (size - 1)
	}
	b.slots[i] = tag | uint64(n)
	if len(b.symbols)+len(b.symbols)/2 > len(b.slots) {
		b.makeSlots(len(b.symbols))
	}
	return n
}

// makeSlots rebuilds the hash table of the existing symbols, with room for the given number.
func (b *netBuilder) makeSlots(symbols int) {
	size := bits.Len(uint(symbols + symbols/2))
	b.slots, b.shift = cleared(b.slots, 1<<size), uint8(size)
	for n := 1; n < len(b.hashes); n++ {
		mask, tag := uint64(1)<<b.shift-1, b.hashes[n]<<b.shift
		i := int(b.hashes[n]>>32) & (len(b.slots) - 1)
		for ; b.slots[i] != 0; i = (i + 1) & (len(b.slots) - 1) {
			b.alike = b.alike || b.slots[i]&^mask == tag
		}
		b.slots[i] = tag | uint64(n)
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
		*to = b.node(parent, symbol)
	}
	return *to
}

// edge is child for the edges that can wait in a match: all but those from the stems "" and "/"
// with short symbols.
func (b *netBuilder) edge(parent, symbol uint32) (node uint32) {
	to := &b.nodes[parent].child
	for range nearby {
		if *to == 0 {
			node = uint32(len(b.nodes))
			*to = node // before append moves it
			return b.node(parent, symbol)
		}
		n := &b.nodes[*to]
		if n.symbol == symbol {
			return *to
		}
		to = &n.sibling
	}
	half := mix(seed, uint64(parent)<<32|uint64(symbol)) >> 32
	i := int(half) & (len(b.edges) - 1)
	for ; b.edges[i] != 0; i = (i + 1) & (len(b.edges) - 1) {
		n := uint32(b.edges[i])
		if b.edges[i]>>32 == half && b.parents[n] == parent && b.nodes[n].symbol == symbol {
			return n
		}
	}
	next := *to
	node = uint32(len(b.nodes))
	*to = node
	b.node(parent, symbol)
	b.nodes[node].sibling = next
	b.edges[i] = half<<32 | uint64(node)
	if b.counted++; b.counted+b.counted/2 > len(b.edges) {
		b.growEdges()
	}
	return node
}

// growEdges makes room for four times as many edges in the hash table.
func (b *netBuilder) growEdges() {
	old := slices.Clone(b.edges)
	b.edges = cleared(b.edges, 4*len(old))
	for _, slot := range old {
		if slot == 0 {
			continue
		}
		i := int(slot>>32) & (len(b.edges) - 1)
		for b.edges[i] != 0 {
			i = (i + 1) & (len(b.edges) - 1)
		}
		b.edges[i] = slot
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
		alike: b.alike,
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
	for number := 1; number < len(b.hashes); number++ {
		k := n.bit(b.hashes[number])
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
	if w.owns {
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
			number := n - 1
			d := &w.wilds[number]
			n = d.next
			node := b.add(head, d)
			rule := Rule{d.at, d.line, d.weight}
			k := b.nodes[node].rule
			if k == 0 {
				w.plain = append(w.plain, rule)
				if w.owns {
					w.values = append(w.values, w.wildValues[number])
				}
				b.nodes[node].rule = uint32(len(w.plain))
				continue
			}
			if x.beats(&rule, &w.plain[k-1]) {
				w.plain[k-1] = rule
				if w.owns {
					w.values[k-1] = w.wildValues[number]
				}
			}
		}
	}
	x.table.net = b.net()
}
