package robots

// UseTables makes the indexes of g the tables that they become when they are
// asked about often, so that tests see both.
func (g *Group) UseTables() {
	for _, b := range g.blocks {
		b.rules.Store(newIndex(g.policy, b, true))
	}
}
