package merge

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof"
)

// A Wish adds a request about some robots to the fragments. Without Allow, it blocks them.
//
// A block closes paths to them, even if a fragment opens them; for all other
// paths, the fragments still hold. An Allow takes robots out of less specific
// blocks, and writes a group for them with the rules of the fragments. It is a
// problem if these robots may then fetch less than everyone. A wish about the token of a robot is
// more specific than one about its operator, and that one than one about a purpose.
type Wish struct {
	// Robots is a purpose of package agent, such as ai-train; an operator, such as OpenAI; a name
	// that people use, such as claude; a product token; or "*".
	Robots string
	Allow  bool

	// Path is the pattern of the closed paths; "" means all. With Allow, Path is a prefix: below
	// it, the rules of fragments for everyone do not hold for the robots. An Allow with a Path does
	// not take robots out of a block.
	Path string
}

// ParseWish reads which robots to block, such as "ai-train", or only from some paths, such as
// "ai-train=/articles/"; or, with allow, which robots to allow.
func ParseWish(text string, allow bool) (Wish, error) {
	name, path, has := strings.Cut(text, "=")
	w := Wish{strings.TrimSpace(name), allow, strings.TrimSpace(path)}
	if w.Robots == "" {
		return w, textNobody.Err()
	}
	if strings.ContainsFunc(w.Robots, isOutsideNames) { // a header, or a name that people use
		found, err := (*agent.Table)(nil).Resolve(w.Robots)
		nobody := (*agent.UnknownError)(nil)
		if errors.As(err, &nobody) && nobody.Meant != "" && !strings.ContainsAny(w.Robots, "/\r\n") { // words
			return w, nobody
		}
		if err != nil || len(found) > 1 && slices.ContainsFunc(found, isToken) {
			return w, textNoRobot.Err(printable.Quoted(w.Robots, 60))
		}
		if len(found) == 1 {
			w.Robots = found[0].Tokens[0]
		}
	}
	switch {
	case has && allow && (!strings.HasPrefix(w.Path, "/") || strings.ContainsAny(w.Path, "*$")):
		return w, textNotExempt.Err(printable.Quoted(text, 60))
	case has && !strings.HasPrefix(w.Path, "/") && !strings.HasPrefix(w.Path, "*"):
		return w, textNoSlash.Err(printable.Quoted(text, 60))
	case strings.ContainsAny(w.Path, "# \t\r\n"):
		return w, textBlank.Err(printable.Quoted(text, 60))
	}
	return w, nil
}

// isOutsideNames reports whether no name of a group can have a character.
func isOutsideNames(r rune) bool {
	return r <= ' ' || strings.ContainsRune("#:/,;()>", r) || r == 0x7f
}

func isToken(s agent.Subject) bool { return len(s.Called) == 0 }

// String returns the wish as an option of the command, such as "--block
// ai-train=/articles/". It is safe for a terminal.
func (w Wish) String() string {
	text := "--block "
	if w.Allow {
		text = "--allow "
	}
	text += printable.Text(w.Robots)
	if w.Path != "" {
		text += "=" + printable.Text(w.Path)
	}
	return text
}

// path returns the pattern that is closed.
func (w Wish) path() string { return cmp.Or(w.Path, "/") }

// Wishes are the wishes of one merge, by robot.
type wishes struct {
	all    []Wish
	names  []string          // the product tokens that the wishes are about, in order
	blocks map[string][]Wish // by token in lower case: those that count
	allows map[string]Wish
	apart  []string // robots that would obey a group of names, and are not meant
	notes  []sentence
}

func (w *wishes) note(text language.Text, args ...any) {
	w.notes = append(w.notes, say(text, args...))
}

// readWishes resolves the wishes to robots that are blocked or allowed.
func (j *joiner) readWishes() *wishes {
	w := &wishes{all: j.options.Wishes, blocks: make(map[string][]Wish), allows: make(map[string]Wish)}
	most := make(map[string]int) // how specific the wishes about a token are at most
	for _, wish := range w.all {
		if wish.Allow && wish.Path != "" {
			continue // see joiner.exempt
		}
		tokens, specific := wish.tokens(j.options.Robots)
		for _, token := range tokens {
			most[strings.ToLower(token)] = max(most[strings.ToLower(token)], specific)
		}
	}
	for _, wish := range w.all {
		tokens, specific := wish.tokens(j.options.Robots)
		for _, token := range tokens {
			lower := strings.ToLower(token)
			if specific < most[lower] {
				continue
			}
			if len(w.blocks[lower]) == 0 && w.allows[lower].Robots == "" {
				w.names = append(w.names, token)
			}
			if wish.Allow && wish.Path != "" {
				continue // see joiner.exempt
			}
			if wish.Allow {
				w.allows[lower] = wish
			} else {
				w.blocks[lower] = append(w.blocks[lower], wish)
			}
		}
	}
	for _, token := range w.names {
		lower := strings.ToLower(token)
		allow, allowed := w.allows[lower]
		if !allowed || len(w.blocks[lower]) == 0 {
			continue
		}
		if block := w.blocks[lower][0]; strings.EqualFold(block.Robots, allow.Robots) {
			j.problem(Problem{}, textWishesContradict, block, allow)
			return w
		}
		delete(w.blocks, lower)
	}
	w.leaveApart(j)
	w.remark(j)
	return w
}

// leaveApart finds robots without a wish of their own that would obey a wish about another
// robot, as Applebot obeys Googlebot. A wish about a purpose does not mean them.
func (w *wishes) leaveApart(j *joiner) {
	asked := make(map[string]bool)
	for _, token := range w.names {
		if wish := w.block(token); wish != nil && !strings.EqualFold(wish.Robots, token) {
			asked[strings.ToLower(token)] = true
		}
	}
	for a := range j.options.Robots.All() {
		lower := strings.ToLower(a.Token)
		if j.known[lower] || len(w.blocks[lower]) > 0 || w.allows[lower].Robots != "" {
			continue
		}
		for _, token := range a.Tokens()[1:] {
			if asked[strings.ToLower(token)] {
				w.apart = append(w.apart, a.Token)
				break
			}
		}
	}
}

// remark adds notes about surprising effects on the blocked robots.
func (w *wishes) remark(j *joiner) {
	for _, token := range w.names {
		a := j.options.Robots.Named(token)
		if !a.Known() || !strings.EqualFold(a.Token, token) {
			if token != "*" {
				w.note(textNotKnown, printable.Text(token))
			}
			continue
		}
		if a.Obedience() == agent.Ignores {
			w.note(textIgnores, a.Token)
		}
		block := w.block(token)
		if block == nil {
			continue
		}
		other, _ := agent.ParsePurpose("other")
		if purpose, ok := agent.ParsePurpose(block.Robots); ok && a.Purposes&^purpose != 0 &&
			a.Purposes&^purpose != other {
			w.note(textBlockedFor, a.Token, purpose, a.Purposes&^purpose)
		}
	}
}

// block returns the first wish that blocks a robot.
func (w *wishes) block(token string) *Wish {
	if blocks := w.blocks[strings.ToLower(token)]; len(blocks) > 0 {
		return &blocks[0]
	}
	return nil
}

// blocking names the wish that blocks a robot, for messages.
func (w *wishes) blocking(token string) any {
	if block := w.block(token); block != nil {
		return *block
	}
	return say(textAWish)
}

// policy returns a policy that closes the paths blocked by wishes. Each named robot has a group
// of its own, so that no robot falls back to the group of another one.
func (w *wishes) policy(named []string) *robots.Policy {
	var b strings.Builder
	for _, token := range slices.Concat(w.names, w.apart, named) {
		if token == "*" && !slices.Contains(w.names, "*") {
			continue
		}
		fmt.Fprintf(&b, "User-agent: %s\nDisallow:\n", token)
		for _, wish := range w.blocks[strings.ToLower(token)] {
			fmt.Fprintf(&b, "Disallow: %s\n", wish.path())
		}
	}
	return robots.Parse([]byte(b.String()))
}

// checkAllowed reports paths that the file closes to allowed robots and opens to everyone.
func (j *joiner) checkAllowed(whole *robots.Policy, w *wishes) {
	seen := make(map[int]bool) // groups of the file that were checked
	for _, token := range w.names {
		allow, ok := w.allows[strings.ToLower(token)]
		g := j.obeyed(whole, token)
		if !ok || seen[g.Line()] {
			continue
		}
		seen[g.Line()] = true
		var b strings.Builder
		fmt.Fprintf(&b, "User-agent: %s\nDisallow:\n", token)
		for rule := range whole.For("*").Rules() {
			fmt.Fprintln(&b, rule)
		}
		o := j.proofOptions()
		o.Agents = []string{token}
		d, err := proof.Diff(robots.Parse([]byte(b.String())), whole, o)
		j.undecided = j.undecided || err != nil
		for _, c := range d.Changes {
			if c.Opened {
				continue
			}
			for _, r := range c.Regions {
				p := Problem{Agents: c.Agents, Witness: r.Witness}
				if source := j.sources[r.After.Rule.Line]; source.fragment != nil {
					p.Fragment, p.Line = source.fragment.name, source.line
				}
				j.problem(p, textNotAllowed, r.After.Rule, printable.Text(r.Witness), printable.Text(token), allow)
			}
		}
	}
}
