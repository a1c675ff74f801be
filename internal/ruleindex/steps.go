package ruleindex

// Steps returns the maximum number of steps of a match of any path of the given length. A step is a
// rule looked at, an edge followed, a byte compared with a segment, a place for which a hash is
// looked up, or 64 places of a set. Tests hold hostile files to this bound.
func (x *Index) Steps(bytes int) (steps int) {
	if x.table == nil { // all plain rules are looked at, and then some become part of a table
		steps += len(x.plain) + min(len(x.plain), stepRules)
	}
	for i := range x.wilds {
		w := &x.wilds[i]
		steps += bytes + int(w.end-w.stem)
	}
	if x.table == nil {
		return steps
	}
	steps += bytes
	if x.table.net != nil {
		steps += x.table.net.steps(bytes)
	}
	return steps
}

// steps is [Index.Steps] for a net.
func (n *net) steps(bytes int) (steps int) {
	steps = len(n.nodes) + len(n.tails) + bytes*(1+len(n.sizes)) + len(n.ends)
	for i := range n.nodes {
		if n.nodes[i].symbol&isLong != 0 {
			steps += max(32, bytes/64)
		}
	}
	for _, symbol := range n.tails {
		if symbol&isLong != 0 {
			steps += max(32, bytes/64)
		}
	}
	return steps
}
