package robots

// A Group is the rules for a robot: those of all groups of the file that are
// for it, combined. It is immutable and safe for concurrent use. The zero
// Group has no rules.
type Group struct {
	policy *Policy
	token  string
	blocks []*block
	one    [1]*block // the memory of blocks, for nearly all groups
}

// For returns the group of the first of tokens that the policy names, and else
// the group for everyone ("*"). Several tokens are the names of one robot, the
// closest first: Googlebot-Image, then Googlebot. For never returns nil; where
// no group is for the robot, everything is allowed.
//
// A token is the robot's product token, in letters of any case. Its version, or
// anything that follows it after white space, is dropped, except in dialect
// Google. The first For of an agent builds the index of its group; keep the
// Group to ask about many URLs.
func (p *Policy) For(tokens ...string) *Group {
	g := &Group{policy: p}
	for _, token := range tokens {
		if g.find(token); len(g.blocks) > 0 {
			break
		}
	}
	if len(g.blocks) == 0 {
		g.token = everyone
		g.findExact(everyone)
	}
	for _, b := range g.blocks {
		b.index(p)
	}
	return g
}

// find adds the blocks of the robot with this name, as it gives it.
func (g *Group) find(name string) {
	r := g.policy.dialect.reading()
	if !r.google {
		name = productToken(name)
	}
	switch {
	case name == everyone:
	case r.substring:
		g.findPart(name)
	case r.google && letters(name) < len(name):
		// No token has such octets.
	case r.google || name != "":
		g.findExact(name)
	}
}

// findExact adds all blocks for token, which is a product token or "*".
func (g *Group) findExact(token string) {
	p := g.policy
	// A map costs as much to make as a few searches do.
	if len(p.agents) <= 32 || p.searches.Load() < 16 {
		p.searches.Add(1)
		for i := range p.agents {
			if a := &p.agents[i]; equalFold(a.token, token) {
				g.add(a)
			}
		}
		return
	}
	p.once.Do(p.indexAgents)
	i, ok := p.byToken[lowered(token)]
	for ok {
		a := &p.agents[i]
		g.add(a)
		i, ok = a.next, a.next > 0
	}
}

// indexAgents makes byToken.
func (p *Policy) indexAgents() {
	p.byToken = make(map[string]uint32, len(p.agents))
	for i := len(p.agents) - 1; i >= 0; i-- {
		a := &p.agents[i]
		token := lowered(a.token)
		a.next = p.byToken[token] // 0 where there is none: the first is nobody's next
		p.byToken[token] = uint32(i)
	}
}

// findPart adds the first block with a name that is a part of the robot's, as
// the documents before RFC 9309 recommend.
func (g *Group) findPart(name string) {
	if name == "" {
		return
	}
	for i := range g.policy.agents {
		a := &g.policy.agents[i]
		if a.token != everyone && containsFold(name, a.token) {
			g.add(a)
			return
		}
	}
}

// add adds the block of a. Blocks are added in the order of the file; in the
// dialects of records only the first counts.
func (g *Group) add(a *agent) {
	b := &g.policy.blocks[a.block]
	switch n := len(g.blocks); {
	case n == 0:
		g.token = a.token
		g.one[0] = b
		g.blocks = g.one[:]
	case g.blocks[n-1] != b && !g.policy.dialect.reading().firstMatch:
		g.blocks = append(g.blocks, b)
	}
}

// Token returns the name that the group goes by in the file: the product token
// that was found, or "*". It is empty where no group is for the robot.
func (g *Group) Token() string {
	if len(g.blocks) == 0 {
		return ""
	}
	return g.token
}
