package robots

// UseTables makes the indexes of g tables, which those of many rules become
// when they are asked about often, so that tests see them.
func (g *Group) UseTables() {
	for _, block := range g.blocks {
		g.policy.blocks[block].rules.Store(newIndex(g.policy, block, true))
	}
}

// UseSieves makes those indexes of g that are short lists sieves, which they
// become when they are asked about often.
func (g *Group) UseSieves() {
	for _, block := range g.blocks {
		if x := g.policy.index(block); x.table == nil && len(x.plain)+len(x.wilds) <= mostSifted {
			g.policy.quicken(block, x)
		}
	}
}
