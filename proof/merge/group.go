package merge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// A group is a group of the file, for some robots.
type group struct {
	tokens []string
	parts  []part
	closed []outputLine // closed by wishes
}

// A part is the contribution of a fragment to a group.
type part struct {
	fragment *fragment
	obeyed   *robots.Group // of the fragment
	own      bool          // the fragment names the robot; false if the group is for another name
	exempt   []exemption   // the exemptions of the robot from rules of the fragment
	numbers  []int         // the lines of its rules and records
	licenses []int         // licenses of the file, which a group with licenses of its own would hide
}

// An outputLine is a line of the file and the place where it comes from.
type outputLine struct {
	text string
	from place
}

// groups returns the groups of the file. Robots with the same rules share a group.
func (j *joiner) groups(w *wishes) (all []*group) {
	seen := make(map[string]*group)
	done := make(map[string]bool)
	for _, token := range slices.Concat(j.names, w.names, w.apart) {
		if lower := strings.ToLower(token); done[lower] {
			continue
		} else {
			done[lower] = true
		}
		g := j.group(token, w)
		key := g.key()
		if same := seen[key]; same != nil {
			same.tokens = append(same.tokens, token)
			continue
		}
		seen[key] = g
		all = append(all, g)
	}
	return all
}

// group returns the group of one robot.
func (j *joiner) group(token string, w *wishes) *group {
	g := &group{tokens: []string{token}}
	var closed []closure
	for _, wish := range w.blocks[strings.ToLower(token)] {
		path := wish.path()
		rule := outputLine{text: "Disallow: " + path}
		if slices.Contains(g.closed, rule) {
			continue
		}
		g.closed = append(g.closed, outputLine{text: "# " + wish.String()}, rule)
		p := robots.RFC9309.Pattern(path)
		closed = append(closed, closure{p, pathset.Of(robots.RFC9309, path)})
		if p.Bytes <= 1 && !p.Anchored {
			// No paths are left for the fragments.
			g.closed = g.closed[len(g.closed)-2:]
			return g
		}
	}
	hidden := false // the licenses of the file do not apply to the robot
	for _, f := range j.fragments {
		obeyed := j.obeyed(f.policy, token)
		if obeyed.Line() == 0 {
			g.parts = append(g.parts, part{fragment: f, obeyed: obeyed})
			continue
		}
		p := part{fragment: f, obeyed: obeyed, own: strings.EqualFold(obeyed.Token(), token),
			exempt: f.exempted[strings.ToLower(obeyed.Token())]}
		for rule := range obeyed.Rules() {
			if rule.Allow && slices.ContainsFunc(closed, func(c closure) bool { return j.within(rule, c.set) }) {
				continue
			}
			p.numbers = append(p.numbers, rule.Line)
			for _, c := range closed {
				g.close(c.pattern, rule)
			}
		}
		for _, r := range obeyed.Records() {
			if !r.OfFile() {
				p.numbers = append(p.numbers, r.Line)
				hidden = hidden || strings.EqualFold(r.Field, "license")
			}
		}
		slices.Sort(p.numbers)
		p.numbers = slices.Compact(p.numbers)
		g.parts = append(g.parts, p)
	}
	if hidden {
		for i := range g.parts {
			g.parts[i].addLicenses()
		}
	}
	g.parts = slices.DeleteFunc(g.parts, func(p part) bool { return len(p.numbers)+len(p.licenses) == 0 && !p.own })
	return g
}

// A closure is a pattern of paths that a wish closes.
type closure struct {
	pattern robots.Pattern
	set     pathset.Set
}

// close adds rules for the paths of a pattern that a longer rule would open. The final proof
// reports paths that stay open.
func (g *group) close(p robots.Pattern, rule robots.Rule) {
	opening := robots.RFC9309.Pattern(rule.Pattern)
	if !rule.Allow || opening.Bytes < p.Bytes {
		return
	}
	for _, pattern := range clipped(p, opening) {
		if line := (outputLine{text: "Disallow: " + pattern}); !slices.Contains(g.closed, line) {
			g.closed = append(g.closed, line)
		}
	}
}

// addLicenses adds the licenses of the file to a part without its own.
func (p *part) addLicenses() {
	for _, l := range p.obeyed.Licenses() {
		if !slices.Contains(p.numbers, l.Line) {
			p.licenses = append(p.licenses, l.Line)
		}
	}
	if p.obeyed.Line() == 0 {
		for _, l := range p.fragment.policy.Licenses() {
			if !slices.Contains(p.licenses, l.Line) {
				p.licenses = append(p.licenses, l.Line)
			}
		}
	}
}

// within reports whether a rule matches only paths of a set. If that is undecided, the rule
// stays and the final proof decides.
func (j *joiner) within(rule robots.Rule, s pathset.Set) bool {
	empty, err := pathset.Of(robots.RFC9309, rule.Pattern).Minus(s).Empty(j.options.Limit)
	return err == nil && empty
}

// key returns the same string for groups that can be joined.
func (g *group) key() string {
	var b strings.Builder
	for _, p := range g.parts {
		fmt.Fprintln(&b, p.fragment.name, p.own, p.obeyed.Lines(), p.numbers, p.licenses)
	}
	for _, line := range g.closed {
		if !strings.HasPrefix(line.text, "#") {
			fmt.Fprintln(&b, line.text)
		}
	}
	return b.String()
}

// A writer writes the lines of the file.
type writer struct {
	lines   []string
	sources []place
	told    map[string]bool // the records of the whole file that were written
}

func (w *writer) add(lines ...outputLine) {
	for _, line := range lines {
		w.lines = append(w.lines, line.text)
		w.sources = append(w.sources, line.from)
	}
}

// comment adds a comment that is in no fragment.
func (w *writer) comment(text string) { w.add(outputLine{text: "# " + text}) }

// group adds a group. If there are several fragments, a comment before each part names its
// fragment.
func (w *writer) group(g *group, several bool) {
	w.add(outputLine{})
	for _, token := range g.tokens {
		w.add(outputLine{text: "User-agent: " + token})
	}
	seen := make(map[robots.Rule]bool)
	empty := true
	for _, p := range g.parts {
		f := p.fragment
		var lines []outputLine
		if p.own {
			for _, start := range p.obeyed.Lines() {
				lines = append(lines, f.comments(f.lead[start])...)
			}
		}
		for _, number := range p.numbers {
			line := f.lines[number]
			if line.Kind != robots.Other {
				empty = false
				rule := robots.Rule{Allow: line.Kind == robots.Allow, Pattern: line.Value}
				if seen[rule] {
					continue // another fragment has the same record
				}
				seen[rule] = true
			}
			if !p.own {
				lines = append(lines, outputLine{f.body(number), f.place(number)})
				continue
			}
			lines = append(lines, f.comments(f.before[number])...)
			lines = append(lines, outputLine{f.whole(number), f.place(number)})
		}
		for _, number := range p.licenses {
			lines = append(lines, outputLine{f.body(number), f.place(number)})
		}
		if several && len(lines) > 0 {
			w.comment(p.origin())
		}
		w.add(lines...)
	}
	w.add(g.closed...)
	if empty && len(g.closed) == 0 {
		w.add(outputLine{text: "Disallow:"}) // otherwise the group would be joined with the next one
	}
}

// origin adds a comment with the fragment of a part.
func (p *part) origin() string {
	text := printable.Text(p.fragment.name)
	if len(p.exempt) > 0 {
		var paths []string
		for _, e := range p.exempt {
			paths = append(paths, e.path)
		}
		return text + ", which says so to everyone, but for " + printable.Text(strings.Join(paths, ", "))
	}
	if !p.own && p.obeyed.Token() != "" {
		text += ", which says so to " + nameOf(p.obeyed.Token())
	}
	return text
}

// nameOf returns a product token for use in sentences.
func nameOf(token string) string {
	if token == "*" {
		return "everyone"
	}
	return printable.Text(token)
}

// records adds the records that apply to the whole file, each once. Records outside of groups come
// first, because they would have another meaning inside of a group.
func (w *writer) records(fragments []*fragment, inGroups bool) {
	var lines []outputLine
	for _, f := range fragments {
		for _, number := range f.ofFile(inGroups) {
			line := f.lines[number]
			key := strings.ToLower(line.Field) + ":" + line.Value
			if w.told[key] {
				continue
			}
			if w.told == nil {
				w.told = make(map[string]bool)
			}
			w.told[key] = true
			lines = append(lines, f.comments(f.before[number])...)
			lines = append(lines, outputLine{f.whole(number), f.place(number)})
		}
		if inGroups {
			lines = append(lines, f.comments(f.tail)...)
		}
	}
	if len(lines) > 0 {
		w.add(outputLine{})
		w.add(lines...)
	}
}
