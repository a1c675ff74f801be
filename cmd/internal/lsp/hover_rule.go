package lsp

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// Limits of the explanation of a rule.
const (
	hoverStates = 8192 // of all searches together
	maxNames    = 100  // robots that are considered
	maxReaders  = 3    // sets of robots that are distinguished
	maxRivals   = 16   // rules that are compared with the rule
	maxOverrule = 3    // rules that are shown as overruling it
)

// explainRule explains which paths a rule matches, for which robots, and whether the rule
// decides.
func (d explainer) explainRule(p *prose, line robots.Line) {
	verb := "Closes"
	if line.Kind == robots.Allow {
		verb = "Opens"
	}
	pattern := robots.RFC9309.Pattern(line.Value)
	budget := hoverStates
	example, some, err := pathset.Of(robots.RFC9309, line.Value).Spend(&budget)
	switch {
	case line.Value == "":
		p.say("%s: an empty pattern matches no path, so this rule asks nothing (RFC 9309, section 2.2.2).",
			strong(line.Field))
		d.sayFor(p, line)
		return
	case !some && err == nil:
		p.say("%s: matches no path.", strong(line.Field))
		if line.Value[0] != '/' && line.Value[0] != '*' {
			p.say("A path starts with %s, and this pattern with something else.", code("/"))
		}
		return
	}
	format, args := matched(pattern)
	p.say("%s "+format, slices.Insert(args, 0, any(strong(verb)))...)
	if normal := pattern.String(); normal != line.Value && strings.TrimRight(line.Value, "*") != normal {
		p.say("It is compared as %s (RFC 9309, section 2.2.2).", code(normal))
	}
	d.sayFor(p, line)
	readers := d.readers(line)
	// Usually the same is true for all of them.
	var told []*prose
	same := true
	for _, r := range readers[:min(len(readers), maxReaders)] {
		q := new(prose)
		explainDecision(q, line, r.group, example, &budget)
		told = append(told, q)
		same = same && q.plain.String() == told[0].plain.String()
	}
	for i, q := range told {
		switch {
		case same && i > 0:
			continue
		case !same:
			p.say("For %s:", listed(readers[i].names))
		}
		p.append(q)
	}
}

// matched returns a sentence about the paths that a pattern matches: a format and its
// arguments.
func matched(p robots.Pattern) (format string, args []any) {
	stem, segments := p.Stem, slices.Collect(p.Segments())
	if len(segments) == 0 {
		switch {
		case p.Anchored:
			return "the path %s, with nothing after it.", []any{code(stem)}
		case stem == "" || stem == "/":
			return "all paths.", nil
		}
		return "all paths that start with %s.", []any{code(stem)}
	}
	format = "all paths that "
	if stem != "" && stem != "/" {
		format += "start with %s and then "
		args = append(args, code(stem))
	}
	for i, segment := range segments {
		switch last := i == len(segments)-1 && p.Anchored; {
		case last && i > 0:
			format += ", and end with %s"
		case last:
			format += "end with %s"
		case i > 0:
			format += ", after that %s"
		default:
			format += "have %s anywhere"
		}
		args = append(args, code(segment))
	}
	return format + ".", args
}

// A reader is a set of robots that obey the same rules.
type reader struct {
	names []string // as in the file
	group *robots.Group
}

// readers returns the robots that obey a rule: those that its group names, where robots with
// the same rules share an entry. Of very many robots only the first are considered.
func (d explainer) readers(line robots.Line) (all []reader) {
	groups := d.policy().Groups()
	if line.Group < 0 || line.Group >= len(groups) {
		return nil
	}
	seen := make(map[string]bool)
	for _, name := range groups[line.Group].Agents() {
		lower := strings.ToLower(name)
		if seen[lower] {
			continue
		}
		if seen[lower] = true; len(seen) > maxNames {
			break
		}
		g := d.policy().For(name)
		i := slices.IndexFunc(all, func(r reader) bool { return slices.Equal(r.group.Lines(), g.Lines()) })
		if i < 0 {
			i = len(all)
			all = append(all, reader{group: g})
		}
		all[i].names = append(all[i].names, name)
	}
	return all
}

// sayFor says which robots the group of a line is for.
func (d explainer) sayFor(p *prose, line robots.Line) {
	groups := d.policy().Groups()
	if line.Group < 0 || line.Group >= len(groups) {
		return
	}
	switch names := groups[line.Group].Agents(); {
	case slices.Contains(names, "*") && len(names) == 1:
		p.say("For all robots that no other group names.")
	case slices.Contains(names, "*"):
		p.say("For %s, and so for all robots that no other group names.", listed(names))
	case len(names) > 0:
		p.say("For %s.", listed(names))
	}
}

// explainDecision finds a path on which a rule of a group decides, and the rules that overrule
// it on others. The example is a path that the rule matches.
func explainDecision(p *prose, line robots.Line, g *robots.Group, example string, budget *int) {
	rules := pathset.Compile(g)
	rule, pattern, ok := find(rules, line.Number)
	if !ok {
		return
	}
	near := rules.Near(pattern)
	decides := near.Decided(func(r robots.Rule, p robots.Pattern) bool { return r == rule && p == pattern })
	decided, some, err := decides.Spend(budget)
	switch {
	case err != nil && example != "":
		p.say("It decides, unless a longer rule does, for example on %s.", code(example))
		return
	case err != nil:
		p.say("It decides, unless a longer rule does.")
		return
	case !some:
		p.say("It never decides: on every path that it matches a longer rule does, or an equal one.")
	default:
		p.say("It decides, for example, on %s.", code(decided))
	}
	p.item("it has %s: of the rules that match, the longest decides, and of equal ones Allow",
		plural(pattern.Bytes, "byte"))
	told, tried := 0, 0
	for rival, other := range near.All() {
		if rival.Line == line.Number || told == maxOverrule || tried == maxRivals {
			break
		}
		if rival.Allow == rule.Allow {
			continue
		}
		tried++
		path, ok, err := near.Decided(func(r robots.Rule, p robots.Pattern) bool {
			return r == rival &&
				p == other
		}).Intersect(pathset.Of(robots.RFC9309, line.Value)).Spend(budget)
		if err != nil {
			return
		}
		if ok {
			told++
			p.item("line %d overrules it: %s, for example on %s", rival.Line, code(rival.String()), code(path))
		}
	}
	if !some {
		return
	}
	without := near.Where(func(other robots.Rule, _ robots.Pattern) bool { return other.Line != line.Number }).Allowed()
	differs := decides.Intersect(without)
	if rule.Allow {
		differs = decides.Minus(without)
	}
	if _, ok, err := differs.Spend(budget); !ok && err == nil {
		p.item("without it, all answers would be the same")
	}
}

// find returns the rule of a line, with its pattern.
func find(rules *pathset.Rules, line int) (robots.Rule, robots.Pattern, bool) {
	for rule, pattern := range rules.All() {
		if rule.Line == line {
			return rule, pattern, true
		}
	}
	return robots.Rule{}, robots.Pattern{}, false
}
