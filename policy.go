package robots

import (
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/robotsexclusion/robots/internal/ruleindex"
)

// A Policy is the rules of a site for robots: the text of its robots.txt, read in a [Dialect]. It
// is immutable and safe for concurrent use. The zero Policy has no rules: everything is allowed.
//
// A Policy keeps the text, the places of its groups, and an index of the rules of each group that
// was asked for. Agents that share a group share its index.
type Policy struct {
	text    string
	dialect Dialect
	fixed   Reason // Unavailable or Unreachable: there is no text
	bom     uint8  // length of a byte order mark before the first line
	loneCR  bool   // some lines end with CR alone
	size    uint32 // bytes of text that were read: whole lines

	stems    uint32        // the number of entries of found that are only a stem in normal form
	searches atomic.Uint32 // of agents, until names is built; 0 until the first For

	blocks []block
	agents []agent
	found  []ruleindex.Rule // of all blocks: the stems, then the others as written, for For to read

	joined atomic.Pointer[joinedBlocks] // the blocks of some robots, joined
	names  atomic.Pointer[nameIndex]    // index of agents, built when many are searched often

	// group is memory for the first group that For returns: most policies are asked for one only.
	group Group
}

// A block is a group as written: its place in the text. The groups of one agent are combined
// without being copied, so that ten thousand agents with ten thousand rules take no more memory
// than the file.
type block struct {
	span

	rules indexSlot // built on the first question
}

// An agent is one name on a user-agent line: the place in the text of its token, as the dialect
// compares it, or "*" for all robots.
type agent struct {
	at, size uint32
	block    uint32 // index of its group
}

// token returns the name of a.
func (p *Policy) token(a *agent) string { return p.text[a.at : a.at+a.size] }

// rulesOf returns the rules of blocks, in the order of the file.
func (p *Policy) rulesOf(blocks []uint32) (stems, odd []ruleindex.Rule) {
	first, last := blocks[0], blocks[len(blocks)-1]
	if int(last-first) < len(blocks) { // no other block is between them
		return p.rulesBetween(first, last+1)
	}
	for _, block := range blocks {
		s, o := p.rulesBetween(block, block+1)
		stems, odd = append(stems, s...), append(odd, o...)
	}
	return stems, odd
}

// rulesBetween returns the rules of the blocks in [from, to).
func (p *Policy) rulesBetween(from, to uint32) (stems, odd []ruleindex.Rule) {
	stems, odd = p.found[:p.stems], p.found[p.stems:]
	if int(to) < len(p.blocks) {
		stems, odd = stems[:p.blocks[to].plain], odd[:p.blocks[to].odd]
	}
	return stems[p.blocks[from].plain:], odd[p.blocks[from].odd:]
}

// everyone is the token of the group for robots that no other group names.
const everyone = "*"

// Parse reads robots.txt as RFC 9309 says. Every text is a policy, so there is no error: lines that
// Parse does not understand have no effect, and [Policy.Lines] returns them as such. The policy
// shares the memory of data, which must not be modified afterwards.
//
// Parse reads no more than 512 MiB of data, up to the end of the last whole line: later lines have
// no effect. RFC 9309, section 2.5 lets a robot stop after 500 KiB, as package fetch does.
func Parse(data []byte) *Policy { return RFC9309.Parse(data) }

// ParseString is like [Parse] for a string, without a copy.
func ParseString(text string) *Policy { return RFC9309.parse(text, ruleindex.MaxText) }

// Parse reads robots.txt in dialect d, like the function [Parse].
func (d Dialect) Parse(data []byte) *Policy {
	return d.parse(unsafe.String(unsafe.SliceData(data), len(data)), ruleindex.MaxText)
}

// AllowAll returns the policy of a site whose robots.txt is unavailable (RFC
// 9309, section 2.3.1.3): everything is allowed.
func AllowAll() *Policy { return &Policy{fixed: Unavailable} }

// DisallowAll returns the policy of a site whose robots.txt is unreachable (RFC 9309, section
// 2.3.1.4): only robots.txt itself is allowed.
func DisallowAll() *Policy { return &Policy{fixed: Unreachable} }

// In reads the text of p again in another dialect.
func (p *Policy) In(d Dialect) *Policy {
	switch {
	case p.fixed != 0:
		return &Policy{fixed: p.fixed, dialect: d}
	case p.dialect == d:
		return p
	}
	return d.parse(p.text, ruleindex.MaxText)
}

// Dialect returns the dialect that p was read in.
func (p *Policy) Dialect() Dialect { return p.dialect }

// String returns the text of p as it was given.
func (p *Policy) String() string { return p.text }

// A fewGroups is a policy with few groups, as most policies have, in one allocation.
type fewGroups struct {
	Policy
	blocks [2]block
	agents [2]agent
}

// parse reads text up to the last line that ends within a limit, which is at most
// ruleindex.MaxText.
func (d Dialect) parse(text string, limit int) *Policy {
	r := d.spec()
	read := text[:wholeLines(text, limit)]
	bom := bomSize(read, r)
	s := scanners.Get().(*scanner)
	loneCR := !s.scan(read, r, int(bom), false)
	if loneCR {
		s.scan(read, r, int(bom), true)
	}
	p := s.policy()
	p.text, p.dialect, p.bom, p.loneCR, p.size = text, d, bom, loneCR, uint32(len(read))
	s.reset()
	scanners.Put(s)
	return p
}

// policy returns a policy with the groups that scan found.
func (s *scanner) policy() (p *Policy) {
	switch blocks, agents := len(s.spans), len(s.agents); {
	case blocks == 0:
		return new(Policy)
	case blocks <= 2 && agents <= 2:
		few := new(fewGroups)
		p = &few.Policy
		p.blocks, p.agents = few.blocks[:blocks], few.agents[:agents]
	default:
		p = &Policy{blocks: make([]block, blocks), agents: make([]agent, agents)}
	}
	for i := range s.spans {
		p.blocks[i].span = s.spans[i]
	}
	copy(p.agents, s.agents)
	if len(s.plain)+len(s.odd) > 0 {
		p.stems = uint32(len(s.plain))
		s.plain = append(s.plain, s.odd...)
		p.found = slices.Clone(s.plain) // does not clear its memory first, as slices.Concat does
	}
	return p
}
