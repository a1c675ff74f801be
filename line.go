package robots

import (
	"cmp"
	"iter"
	"slices"
)

// A Line is one line of robots.txt as written, with its meaning in the dialect of its policy. The
// texts of all lines, joined, are the input.
type Line struct {
	Number int    // from 1 on
	Offset int    // bytes of the file before the line
	Text   string // as written, with its line end; the first has the byte order mark
	Kind   Kind
	Field  string // the field's name as written, if the line has one
	Value  string // the field's value, without the white space around it
	Group  int    // the line's group, an index into Policy.Groups, or -1
}

// Lines returns all lines of the file with their numbers, which start at 1.
func (p *Policy) Lines() iter.Seq2[int, Line] {
	return func(yield func(int, Line) bool) {
		r := p.dialect.spec()
		var g grouper
		group := -1
		start, pos := 0, int(p.bom)
		for number := 1; start < len(p.text); number++ {
			end, next := lineEnd(p.text, pos, p.loneCR)
			line := Line{Number: number, Offset: start, Text: p.text[start:next], Group: -1}
			line.Kind, line.Field, line.Value = r.lex(p.text[pos:end])
			if next > int(p.size) { // beyond the limit of Parse
				g = grouper{}
				if line.Kind != Blank && line.Kind != Comment {
					line.Kind, line.Field, line.Value = Malformed, "", ""
				}
			}
			switch line.Kind {
			case UserAgent:
				if g.userAgent() {
					group++
				}
			case Allow, Disallow:
				if !g.rule() {
					line.Kind = Stray
				}
			case Blank:
				if r.records {
					g.blank()
				}
			case Other, Malformed:
				g.other()
			}
			if g.open && line.Kind != Blank && line.Kind != Comment {
				line.Group = group
			}
			if !yield(number, line) {
				return
			}
			start, pos = next, next
		}
	}
}

// lines returns the lines of one group: their numbers and texts without ends.
func (p *Policy) lines(block uint32) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		b := &p.blocks[block]
		number := int(b.line)
		for pos := int(b.start); pos < int(b.end); number++ {
			end, next := lineEnd(p.text, pos, p.loneCR)
			if !yield(number, p.text[pos:end]) {
				return
			}
			pos = next
		}
	}
}

// Groups returns the groups of the file as written, in the order of the file. Unlike [Policy.For],
// it keeps groups for the same agent apart.
func (p *Policy) Groups() []*Group {
	groups, numbers := make([]*Group, len(p.blocks)), make([]uint32, len(p.blocks))
	for i := range p.blocks {
		numbers[i] = uint32(i)
		groups[i] = &Group{policy: p, blocks: numbers[i : i+1 : i+1], written: true}
	}
	for i, a := range p.agents {
		if g := groups[a.block]; g.agent == 0 {
			g.agent = uint32(i) + 1
		}
	}
	return groups
}

// Agents returns the names on the user-agent lines of the group, in the order of the file, as the
// dialect compares them: product tokens, or "*".
func (g *Group) Agents() []string {
	var names []string
	for _, block := range g.blocks {
		// Agents are in the order of their groups.
		agents := g.policy.agents
		first, _ := slices.BinarySearchFunc(agents, block,
			func(a agent, block uint32) int { return cmp.Compare(a.block, block) })
		for i := first; i < len(agents) && agents[i].block == block; i++ {
			names = append(names, g.policy.token(&agents[i]))
		}
	}
	return names
}

// Line returns the number of the first user-agent line of the group, or 0 if the group has none.
func (g *Group) Line() int {
	if len(g.blocks) == 0 {
		return 0
	}
	return int(g.policy.blocks[g.blocks[0]].line)
}

// Lines returns the line numbers of the groups as written that the group combines: the first
// user-agent line of each, in the order of the file.
func (g *Group) Lines() []int {
	lines := make([]int, len(g.blocks))
	for i, block := range g.blocks {
		lines[i] = int(g.policy.blocks[block].line)
	}
	return lines
}

// Rules returns the rules of the group in the order of the file, without those that have no path
// and therefore no effect.
func (g *Group) Rules() iter.Seq[Rule] {
	return func(yield func(Rule) bool) {
		for _, block := range g.blocks {
			for rule := range g.policy.rules(block) {
				if !yield(rule) {
					return
				}
			}
		}
	}
}

// rules returns the rules of a block.
func (p *Policy) rules(block uint32) iter.Seq[Rule] {
	return func(yield func(Rule) bool) {
		r := p.dialect.spec()
		for number, text := range p.lines(block) {
			kind, value := r.rule(text)
			if kind != Allow && kind != Disallow {
				continue
			}
			for path := range r.words(kind, value) {
				if !yield(Rule{Allow: kind == Allow, Pattern: path, Line: number}) {
					return
				}
			}
		}
	}
}
