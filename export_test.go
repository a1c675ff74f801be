package robots

// UseTables makes the indexes of g the tables that they become when they are
// asked about often, so that tests see both.
func (g *Group) UseTables() {
	for _, block := range g.blocks {
		g.policy.blocks[block].rules.Store(newIndex(g.policy, block, true))
	}
}
