package robots

import "unsafe"

// A Group is the rules for one robot: the rules of all groups of the file that apply to the robot,
// combined. It is immutable and safe for concurrent use. The zero Group has no rules.
type Group struct {
	policy *Policy
	blocks []uint32      // indices into the policy's blocks, in the order of the file
	joined *joinedBlocks // of blocks, if there are many

	agent   uint32 // 1 + the index of the agent that was found
	written bool   // a group as written, with all its agents
}

// For returns the group of the first of tokens that the policy names, or the group for everyone
// ("*") if it names none. Several tokens are the names of one robot, the most specific first:
// Googlebot-Image, then Googlebot. For never returns nil; if no group applies to the robot,
// everything is allowed.
//
// A token is the robot's product token, in letters of any case. White space around it, its version,
// and any text after white space are dropped.
//
// A token should not be a User-Agent header. If it is a header, For looks for the first word of it
// that the policy names, skips the words by which robots pose as browsers, and returns the group of
// that word: "GPTBot" of "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)".
// Dialect Google takes a token as given, and the dialects before RFC 9309 take the first product of
// a header.
//
// For has no table of robots, so it does not know that Googlebot-Image obeys the group of Googlebot
// if it has none of its own: For("Googlebot-Image") returns the group for everyone then, which may
// allow what the group of Googlebot disallows. For other operators' robots, and for headers, write
//
//	group := agent.Group(policy, r.UserAgent())
//
// with package agent of this module. The first For of an agent builds the index of its group; keep
// the Group to ask about many URLs.
func (p *Policy) For(tokens ...string) *Group { return newGroup(p, tokens, true) }

// ForOnly is [Policy.For] for a robot that does not obey the group for everyone, such as
// AdsBot-Google: if no group names the robot, everything is allowed.
func (p *Policy) ForOnly(tokens ...string) *Group { return newGroup(p, tokens, false) }

func newGroup(p *Policy, tokens []string, orEveryone bool) *Group {
	g := &p.group
	if !p.searches.CompareAndSwap(0, 1) {
		g = new(Group)
	}
	found := blockSearch{policy: p}
	for _, token := range tokens {
		if found.find(token); len(found.blocks) > 0 {
			break
		}
	}
	if len(found.blocks) == 0 && orEveryone {
		found.findExact(everyone)
	}
	*g = Group{policy: p, blocks: found.blocks, agent: found.agent}
	if g.joined = p.join(g.blocks); g.joined == nil {
		for _, block := range g.blocks {
			p.index(block)
		}
	}
	return g
}

// A blockSearch finds the blocks of one robot. Its fields become those of the robot's Group.
type blockSearch struct {
	policy *Policy
	blocks []uint32
	agent  uint32
}

// find adds the blocks of the robot with this name, as the caller gave it.
func (s *blockSearch) find(name string) {
	r := s.policy.dialect.spec()
	if r.google {
		s.findToken(r, name)
		return
	}
	token := productToken(name)
	if len(token) == len(name) {
		s.findToken(r, token)
	}
	if len(s.blocks) == 0 && !isPlain(name) {
		s.findInText(r, name)
	}
}

// findToken adds the blocks of the robot with this product token.
func (s *blockSearch) findToken(r *dialectSpec, name string) {
	switch {
	case name == everyone:
	case r.substring:
		s.findPart(name)
	case r.google && letters(name) < len(name):
		// No token has such bytes.
	case r.google || name != "":
		s.findExact(name)
	}
}

// findExact adds all blocks for token, a product token or "*".
func (s *blockSearch) findExact(token string) {
	p := s.policy
	names := p.names.Load()
	// Building a map costs as much as a few searches.
	if names == nil && len(p.agents) > 32 && p.searches.Add(1) > 16 {
		names = newNameIndex(p)
		p.names.Store(names)
	}
	if names == nil {
		for i := range p.agents {
			if a := &p.agents[i]; int(a.size) == len(token) && equalFold(p.token(a), token) {
				s.add(i)
			}
		}
		return
	}
	i, ok := names.first[lowered(token)]
	for ; ok; i, ok = names.next[i], names.next[i] > 0 {
		s.add(int(i))
	}
}

// A nameIndex finds agents by their tokens.
type nameIndex struct {
	first map[string]uint32 // the number of the first agent with a token in lower case
	next  []uint32          // for each agent the index of the next one with its token, or 0
}

func newNameIndex(p *Policy) *nameIndex {
	names := &nameIndex{make(map[string]uint32, len(p.agents)), make([]uint32, len(p.agents))}
	for i := len(p.agents) - 1; i >= 0; i-- {
		token := lowered(p.token(&p.agents[i]))
		names.next[i] = names.first[token] // 0 if there is none: no agent comes before the first agent
		names.first[token] = uint32(i)
	}
	return names
}

// findPart adds the first block with a name that is a part of the robot's name, as the documents
// before RFC 9309 recommend.
func (s *blockSearch) findPart(name string) {
	if name == "" {
		return
	}
	var starts [256]bool // the bytes that a part of the name may start with
	for i := range len(name) {
		starts[lower(name[i])] = true
	}
	for i := range s.policy.agents {
		token := s.policy.token(&s.policy.agents[i])
		if token != "" && !starts[lower(token[0])] {
			continue
		}
		if token != everyone && containsFold(name, token) {
			s.add(i)
			return
		}
	}
}

// add adds the block of agent number i. Blocks are added in the order of the file; in the dialects
// with records only the first one counts.
func (s *blockSearch) add(i int) {
	block := &s.policy.agents[i].block
	switch n := len(s.blocks); {
	case n == 0:
		s.agent = uint32(i) + 1
		s.blocks = unsafe.Slice(block, 1) // nearly all groups have one block; append allocates for more
	case s.blocks[n-1] != *block && !s.policy.dialect.spec().firstMatch:
		s.blocks = append(s.blocks, *block)
	}
}

// Token returns the name that the group was found by: the product token in the file, or "*". It is
// empty if no group applies to the robot.
func (g *Group) Token() string {
	if g.agent == 0 {
		return ""
	}
	return g.policy.token(&g.policy.agents[g.agent-1])
}

// Dialect returns the dialect that the group was read in.
func (g *Group) Dialect() Dialect {
	if g.policy == nil {
		return RFC9309
	}
	return g.policy.dialect
}

// isPlain reports whether a name has no byte that can part words, and none of a version.
func isPlain(name string) bool {
	for i := range len(name) {
		if c := name[i]; c == '/' || c >= 0x80 || isBreak(rune(c)) {
			return false
		}
	}
	return true
}

// isBreak reports whether c parts the words of a User-Agent header, or of a list of names: white
// space, a character that nobody sees, or a mark such as "(", ";" and ",", but not "-", ".", "/",
// "@" and "_". A "+" stands for a blank in some logs, and before an address.
func isBreak(c rune) bool {
	return c <= ',' || ':' <= c && c <= '?' || '[' <= c && c <= '^' || isUnseen(c)
}

// isUnseen reports whether c is white space, a control character, or a character that texts have
// around words and nobody sees or types: General Punctuation of Unicode, with its quotes, and the
// byte order mark.
func isUnseen(c rune) bool {
	return c <= ' ' || 0x7F <= c && c <= 0xA0 || 0x2000 <= c && c <= 0x206F || c == 0x3000 || c == 0xFEFF
}

// nextWord returns the first word of a text, without its version, and the text after the word. The
// word is empty if there is none. Where "%" parts words, so does a mark that a log has escaped,
// such as "%20".
func nextWord(text string, parts func(c rune) bool) (word, rest string) {
	start, end, past := -1, len(text), 0
	for i, c := range text {
		if !parts(c) {
			if start < 0 && i >= past {
				start = i
			}
			continue
		}
		if start >= 0 {
			end = i
			break
		}
		if isEscape(text[i:]) {
			past = i + 3
		}
	}
	if start < 0 {
		return "", ""
	}
	return productToken(text[start:end]), text[end:]
}

// isEscape reports whether a text starts with an escaped blank or mark: "%20" to "%3F".
func isEscape(text string) bool {
	return len(text) > 2 && text[0] == '%' && (text[1] == '2' || text[1] == '3') &&
		('0' <= text[2] && text[2] <= '9' || 'a' <= text[2]|0x20 && text[2]|0x20 <= 'f')
}

// poses has the words, in lower case, by which robots pose as browsers in their headers. They name
// no robot there.
var poses = [...]string{"mozilla", "compatible", "applewebkit", "khtml", "gecko", "chrome", "safari", "version",
	"mobile"}

// isPose reports whether a product token is one of poses.
func isPose(token string) bool {
	for _, pose := range poses {
		if equalFold(token, pose) {
			return true
		}
	}
	return false
}

// findInText adds the blocks of the robot that a text with more than a product token names: a token
// with white space around it or a version, or in RFC 9309 a User-Agent header or a list of names.
//
// The first product of a header is the robot's token, unless it is the word of a browser and other
// words follow. If the policy does not name it, the first of the other words that the policy names
// is the token. A word after "like" is the name of another program.
func (s *blockSearch) findInText(r *dialectSpec, text string) {
	first, _ := nextWord(text, isUnseen)
	posed := !r.substring && isPose(first)
	if !posed {
		s.findToken(r, first)
	}
	for before := ""; len(s.blocks) == 0 && text != "" && !r.substring; {
		var word string
		if word, text = nextWord(text, isBreak); !equalFold(before, "like") && !isPose(word) {
			s.findToken(r, word)
		}
		before = word
	}
	if posed && len(s.blocks) == 0 {
		s.findToken(r, first)
	}
}
