package robots

import (
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/robotsexclusion/robots/internal/ruleindex"
)

// A Policy is what a site asks of robots: the text of its robots.txt, read in
// a [Dialect]. It is immutable and safe for concurrent use. The zero Policy
// asks nothing: everything is allowed.
//
// A Policy keeps the text, where its groups are, and an index of the rules of
// each group that was asked for. Agents that share a group share its index.
type Policy struct {
	text    string
	dialect Dialect
	fixed   Reason // Unavailable or Unreachable: there is no text to obey
	bom     uint8  // bytes of a byte order mark before the first line
	loneCR  bool   // some lines end with CR alone
	size    uint32 // bytes of text that were read: whole lines

	stems    uint32        // how many of found are only a stem in normal form
	searches atomic.Uint32 // of agents, until names is made

	blocks []block
	agents []agent
	found  []ruleindex.Rule // the rules of all blocks: the stems, and then all others by their values as written; these wait for For

	joined atomic.Pointer[joined]    // the blocks of some robots, joined
	names  atomic.Pointer[nameIndex] // of agents, made when many are searched often
}

// A block is a group as written: where it is in the text. The groups of one
// agent are combined without being copied, so that ten thousand agents with
// ten thousand rules take no more than the file.
type block struct {
	span

	rules indexSlot // made when first asked for
}

// An agent is one name on a user-agent line: where in the text its token
// stands, as the dialect compares it, or "*" for all robots.
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

// rulesBetween returns the rules of the blocks from one up to before another.
func (p *Policy) rulesBetween(from, to uint32) (stems, odd []ruleindex.Rule) {
	stems, odd = p.found[:p.stems], p.found[p.stems:]
	if int(to) < len(p.blocks) {
		stems, odd = stems[:p.blocks[to].plain], odd[:p.blocks[to].odd]
	}
	return stems[p.blocks[from].plain:], odd[p.blocks[from].odd:]
}

// everyone is the token of the group for robots that no other group names.
const everyone = "*"

// Parse reads robots.txt as RFC 9309 says. Every text is a policy, so there is
// no error: what is not understood asks nothing, and [Policy.Lines] tells what
// that was. The policy shares the memory of data, which is not to be modified
// afterwards.
//
// Parse reads no more than 512 MiB of data, up to the end of the last whole line:
// lines after that ask nothing. RFC 9309, section 2.5 lets a robot stop after 500
// KiB, and package fetch does.
func Parse(data []byte) *Policy { return RFC9309.Parse(data) }

// Parse reads robots.txt in dialect d, as the function [Parse] does.
func (d Dialect) Parse(data []byte) *Policy {
	return d.parse(unsafe.String(unsafe.SliceData(data), len(data)), ruleindex.MaxText)
}

// AllowAll returns the policy of a site whose robots.txt is unavailable (RFC
// 9309, section 2.3.1.3): everything is allowed.
func AllowAll() *Policy { return &Policy{fixed: Unavailable} }

// DisallowAll returns the policy of a site whose robots.txt is unreachable (RFC
// 9309, section 2.3.1.4): nothing is allowed but robots.txt itself.
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

// A fewGroups is a policy of few groups, as most are, in one piece of memory.
type fewGroups struct {
	Policy
	blocks [2]block
	agents [2]agent
}

// parse reads text up to the last line that ends within a limit, which is at most
// ruleindex.MaxText.
func (d Dialect) parse(text string, limit int) *Policy {
	r := d.reading()
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

// policy returns a policy with the groups that were found.
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
		p.found, p.stems = slices.Concat(s.plain, s.odd), uint32(len(s.plain))
	}
	return p
}
