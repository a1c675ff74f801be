package merge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// An exemption exempts a robot from the rules of fragments for everyone about the paths below a
// prefix.
type exemption struct {
	token string
	path  string
	owner *fragment // the fragment with the exemption; nil for a wish
	line  int       // the line of the fragment that names the path
	wish  Wish
}

// asker names the author of the exemption for messages.
func (e exemption) asker() any {
	if e.owner == nil {
		return e.wish
	}
	return say(textOwner, printable.Text(e.path), at(e.owner.name, e.line))
}

// ownerMark begins the comments at the head of a fragment in which its owner names the paths
// that the owner is responsible for.
const ownerMark = "owner:"

// An ownedPath is a path that a fragment claims for its owner.
type ownedPath struct {
	path string
	line int
}

// owned returns the paths in the first comments of a fragment, before any other line.
func (f *fragment) owned() (paths []ownedPath) {
	for number, line := range f.lines[1:] {
		switch line.Kind {
		case robots.Blank:
		case robots.Comment:
			text := strings.TrimSpace(strings.TrimLeft(f.whole(number+1), "#"))
			if len(text) < len(ownerMark) || !strings.EqualFold(text[:len(ownerMark)], ownerMark) {
				continue
			}
			for _, path := range strings.FieldsFunc(text[len(ownerMark):], func(r rune) bool {
				return r == ' ' ||
					r == '\t' || r == ','
			}) {
				paths = append(paths, ownedPath{path, number + 1})
			}
		default:
			return paths
		}
	}
	return paths
}

// ownable reports whether an owner comment can name the paths of a rule.
func ownable(pattern string) bool {
	return strings.HasPrefix(pattern, "/") && !strings.ContainsAny(pattern, "*$, \t")
}

// readOwners checks the owned paths of fragments, and exempts the robots that these fragments
// name.
func (j *joiner) readOwners() (all []exemption) {
	type claim struct {
		*fragment
		ownedPath
	}
	var claims []claim
	for _, f := range j.fragments {
		for _, o := range f.owned() {
			if !strings.HasPrefix(o.path, "/") || strings.ContainsAny(o.path, "*$") {
				j.problem(Problem{Fragment: f.name, Line: o.line}, textNotOwned, printable.Quoted(o.path, 60))
				continue
			}
			for _, other := range claims {
				if other.fragment != f && (strings.HasPrefix(o.path, other.path) ||
					strings.HasPrefix(other.path, o.path)) {
					j.problem(Problem{Fragment: f.name, Line: o.line, OtherFragment: other.name,
						OtherLine: other.ownedPath.line},
						textTwoOwners, printable.Text(o.path), at(other.name, other.ownedPath.line),
						printable.Text(other.path))
				}
			}
			claims = append(claims, claim{f, o})
			for _, token := range f.names {
				all = append(all, exemption{token: token, path: o.path, owner: f, line: o.line})
			}
		}
	}
	return all
}

// exempt exempts robots from the rules of fragments for everyone, as owners of paths and wishes
// request.
func (j *joiner) exempt() {
	all := j.readOwners()
	for _, wish := range j.options.Wishes {
		if !wish.Allow || wish.Path == "" {
			continue
		}
		tokens, _ := wish.tokens(j.options.Robots)
		for _, token := range tokens {
			all = append(all, exemption{token: token, path: wish.Path, wish: wish})
			j.name(token)
		}
	}
	byToken := make(map[string][]exemption)
	var tokens []string
	for _, e := range all {
		lower := strings.ToLower(e.token)
		if byToken[lower] == nil {
			tokens = append(tokens, lower)
		}
		byToken[lower] = append(byToken[lower], e)
	}
	for _, f := range j.fragments {
		for _, token := range tokens {
			of := slices.DeleteFunc(slices.Clone(byToken[token]), func(e exemption) bool { return e.owner == f })
			switch isNamed := slices.ContainsFunc(f.names,
				func(name string) bool { return strings.EqualFold(name, token) }); {
			case len(of) == 0:
			case isNamed:
				j.refuse(f, of)
			default:
				f.exempt(j, of)
			}
		}
		f.read()
		for _, token := range tokens {
			of := slices.DeleteFunc(slices.Clone(byToken[token]), func(e exemption) bool { return e.owner == f })
			if len(of) > 0 && f.exempted[token] != nil {
				j.checkExempt(f, of)
			}
		}
	}
}

// How specific a wish is.
const (
	aboutPurpose = iota
	aboutSeveral // the robots of an operator, or those of a common name
	aboutRobot
)

// tokens returns the product tokens of the robots that a wish is about, and how specific it is.
func (w Wish) tokens(table *agent.Table) (tokens []string, specific int) {
	all, err := table.Resolve(w.Robots)
	if err != nil || len(all) == 1 && len(all[0].Called) == 0 {
		return []string{w.Robots}, aboutRobot
	}
	for _, s := range all {
		tokens = append(tokens, s.Tokens[0])
	}
	if _, ok := agent.ParsePurpose(w.Robots); ok {
		return tokens, aboutPurpose
	}
	return tokens, aboutSeveral
}

// refuse reports rules in a robot's own group that close paths where the robot should be exempt:
// only rules for everyone can have exemptions.
func (j *joiner) refuse(f *fragment, of []exemption) {
	g := j.obeyed(f.policy, of[0].token)
	for _, e := range of {
		closed := pathset.Of(robots.RFC9309, e.path).Minus(pathset.Allowed(g))
		path, ok, err := closed.Example(j.options.Limit)
		j.undecided = j.undecided || err != nil
		if !ok {
			continue
		}
		m := g.Match("http://any" + path)
		j.problem(Problem{Fragment: f.name, Line: m.Rule.Line, Agents: []string{e.token}, Witness: path},
			textByName, m.Rule, printable.Text(path), printable.Text(e.token), e.asker())
	}
}

// exempt adds a group for a robot to the text of a fragment that does not name the robot: the
// rules of the fragment for everyone, except for some paths.
func (f *fragment) exempt(j *joiner, of []exemption) {
	token := of[0].token
	g := j.obeyed(f.policy, token)
	if g.Line() == 0 {
		return // the fragment has no group for the robot
	}
	var lines []addedLine
	var closing []disallow
	add := func(text string, origin int) { lines = append(lines, addedLine{text, origin}) }
	dropped := false
	for rule, p := range g.Patterns() {
		within := !rule.Allow && slices.ContainsFunc(of, func(e exemption) bool {
			empty, err := pathset.Of(robots.RFC9309, rule.Pattern).Minus(pathset.Of(robots.RFC9309, e.path)).Empty(0)
			return err == nil && empty
		})
		if within {
			dropped = true
			continue
		}
		add(f.body(rule.Line), rule.Line)
		if !rule.Allow {
			closing = append(closing, disallow{rule, p})
		}
	}
	for _, e := range of {
		allows := e.allows(closing)
		for _, path := range allows {
			add("Allow: "+path, g.Line())
		}
		dropped = dropped || len(allows) > 0
	}
	if !dropped {
		return // nothing is closed there
	}
	for _, r := range g.Records() {
		if !r.OfFile() {
			add(f.body(r.Line), r.Line)
		}
	}
	add("Disallow:", g.Line()) // a group needs a rule
	if f.exempted == nil {
		f.exempted = make(map[string][]exemption)
	}
	f.exempted[strings.ToLower(token)] = of
	f.added = append(f.added, addedLine{"User-agent: " + token, g.Line()})
	f.added = append(f.added, lines...)
}

// A disallow is a rule for everyone that closes paths.
type disallow struct {
	robots.Rule
	pattern robots.Pattern
}

// allows returns the patterns that open the paths of e in addition to the given rules.
func (e exemption) allows(closing []disallow) (patterns []string) {
	opened := robots.RFC9309.Pattern(e.path)
	for _, c := range closing {
		both := pathset.Of(robots.RFC9309, c.Pattern).Intersect(pathset.Of(robots.RFC9309, e.path))
		if empty, err := both.Empty(0); err == nil && empty {
			continue
		}
		if c.pattern.Bytes <= opened.Bytes {
			patterns = append(patterns, e.path)
		} else {
			patterns = append(patterns, append(clipped(opened, c.pattern), e.path)...)
		}
	}
	slices.Sort(patterns)
	return slices.Compact(patterns)
}

// An addedLine is a line that a fragment lacks. It is a part of a group for a robot that is
// exempt from some rules of the fragment.
type addedLine struct {
	text   string
	origin int // line of the fragment with the same meaning, or the line of its group
}

// read parses the text of a fragment again, with its added lines.
func (f *fragment) read() {
	if len(f.added) == 0 {
		return
	}
	text := f.policy.String()
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	last := robots.Blank
	for _, line := range f.lines[1:] {
		if line.Kind == robots.UserAgent || line.Kind == robots.Allow || line.Kind == robots.Disallow {
			last = line.Kind
		}
	}
	if last == robots.UserAgent {
		text += "Disallow:\n" // otherwise the last group would be joined with the added ones
	}
	origins := make(map[int]int)
	number := 0
	for range robots.Parse([]byte(text)).Lines() {
		number++
	}
	for _, line := range f.added {
		text += line.text + "\n"
		number++
		origins[number] = line.origin
	}
	f.policy, f.origins = robots.Parse([]byte(text)), origins
	f.lines = f.lines[:1]
	for _, line := range f.policy.Lines() {
		f.lines = append(f.lines, line)
	}
}

// line returns the line of the fragment that corresponds to a line of its policy.
func (f *fragment) line(number int) int { return cmp.Or(f.origins[number], number) }

// place returns the place of a line of the policy.
func (f *fragment) place(number int) place { return place{f, f.line(number)} }

// checkExempt reports rules of a fragment that cannot be written without the exempt paths,
// because no pattern matches the rest.
func (j *joiner) checkExempt(f *fragment, of []exemption) {
	for _, d := range []robots.Dialect{robots.RFC9309, robots.Google} {
		g := j.obeyed(f.policy.In(d), of[0].token)
		for _, e := range of {
			path, ok, err := pathset.Of(d, e.path).Minus(pathset.Allowed(g)).Example(j.options.Limit)
			j.undecided = j.undecided || err != nil
			if !ok {
				continue
			}
			m := g.Match("http://any" + path)
			j.problem(Problem{Fragment: f.name, Line: f.line(m.Rule.Line), Agents: []string{e.token}, Witness: path},
				textNoPattern, m.Rule, printable.Text(path), printable.Text(e.token), e.asker())
			return
		}
	}
}

// checkWished reports rules that close paths to robots that a wish exempts.
func (j *joiner) checkWished(whole *robots.Policy) {
	for _, wish := range j.options.Wishes {
		if !wish.Allow || wish.Path == "" {
			continue
		}
		tokens, _ := wish.tokens(j.options.Robots)
		for _, token := range tokens {
			g := j.obeyed(whole, token)
			path, ok, err := pathset.Of(robots.RFC9309, wish.Path).Minus(pathset.Allowed(g)).Example(j.options.Limit)
			j.undecided = j.undecided || err != nil
			if !ok {
				continue
			}
			m := g.Match("http://any" + path)
			p := Problem{Agents: []string{token}, Witness: path}
			if source := j.sources[m.Rule.Line]; source.fragment != nil {
				p.Fragment, p.Line = source.fragment.name, source.line
			}
			j.problem(p, textNotKept, m.Rule, printable.Text(path), printable.Text(token), wish)
		}
	}
}

// remarkDropped adds notes about robots that a fragment exempts from everything, with a group
// that closes nothing, if other fragments close paths to them. If the fragment or a wish names
// paths, only these paths count.
func (j *joiner) remarkDropped(w *wishes) {
	wished := make(map[string]bool)
	for _, wish := range w.all {
		if wish.Allow && wish.Path != "" {
			tokens, _ := wish.tokens(j.options.Robots)
			for _, token := range tokens {
				wished[strings.ToLower(token)] = true
			}
		}
	}
	for _, f := range j.fragments {
		if len(f.owned()) > 0 {
			continue
		}
		for _, token := range f.names {
			g := j.obeyed(f.policy, token)
			if !wished[strings.ToLower(token)] && w.block(token) == nil && len(slices.Collect(g.Rules())) == 0 {
				j.remarkClosed(w, f, g.Line(), token)
			}
		}
	}
}

// remarkClosed adds notes about rules of other fragments for everyone that apply to a robot for
// which a fragment closes nothing.
func (j *joiner) remarkClosed(w *wishes, f *fragment, line int, token string) {
	for _, other := range j.fragments {
		if other == f || slices.ContainsFunc(other.names,
			func(name string) bool { return strings.EqualFold(name, token) }) {
			continue // only rules for the robot's name can close paths to it
		}
		var first robots.Rule
		more := 0
		for rule := range j.obeyed(other.policy, token).Rules() {
			switch {
			case rule.Allow:
			case first.Line == 0:
				first = rule
			default:
				more++
				if !ownable(first.Pattern) && ownable(rule.Pattern) {
					first = rule
				}
			}
		}
		if first.Line == 0 {
			continue
		}
		pattern := printable.Text(first.Pattern)
		what := any(pattern)
		if more > 0 {
			what = say(textPatternAndMore, pattern, more)
		}
		if ownable(first.Pattern) {
			w.note(textDropped, at(f.name, line), printable.Text(token), at(other.name, first.Line), what, pattern,
				printable.Text(f.name))
		} else {
			w.note(textDroppedPattern, at(f.name, line), printable.Text(token), at(other.name, first.Line), what,
				printable.Text(other.name))
		}
	}
}
