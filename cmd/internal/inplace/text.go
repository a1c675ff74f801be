package inplace

import (
	"cmp"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

const bom = "\ufeff"

// A text is a robots.txt whose lines are removed and added one by one.
type text struct {
	policy *robots.Policy
	lines  []*line
	blocks []*block
	added  string // after all lines
}

// A line is a line as written, and what takes its place.
type line struct {
	robots.Line
	name   string // of the robot that a user-agent line names, in lower case
	now    string
	agents []string // lines after it
	rules  []string // lines after these
}

// A block is a group as written: user-agent lines, and the rules below them.
type block struct {
	agents []*line // those that stay
	rules  []*line // with a path
	empty  []*line // rules without a path
	others []*line // records of the group
	runs   []*run
	shut   bool // by an edit, which left nothing else in it
}

// A run is some user-agent lines of a block, and the records below them, which are for these robots
// only. The rules are for all of the block.
type run struct{ agents, records []*line }

func read(source string) *text {
	t := &text{policy: robots.ParseString(source)}
	t.blocks = make([]*block, len(t.policy.Groups()))
	for i := range t.blocks {
		t.blocks[i] = new(block)
	}
	for _, l := range t.policy.Lines() {
		line := &line{Line: l, now: l.Text}
		t.lines = append(t.lines, line)
		if l.Group < 0 {
			continue
		}
		b := t.blocks[l.Group]
		switch {
		case l.Kind == robots.UserAgent:
			line.name = nameOf(l.Text)
			b.agents = append(b.agents, line)
			if n := len(b.runs); n == 0 || len(b.runs[n-1].records) > 0 {
				b.runs = append(b.runs, new(run))
			}
			last := b.runs[len(b.runs)-1]
			last.agents = append(last.agents, line)
		case l.Kind == robots.Other:
			if field, ok := robots.FieldNamed(l.Field); !ok || !field.OfFile {
				b.others = append(b.others, line)
				last := b.runs[len(b.runs)-1]
				last.records = append(last.records, line)
			}
		case l.Kind != robots.Allow && l.Kind != robots.Disallow:
		case l.Value == "":
			b.empty = append(b.empty, line)
		default:
			b.rules = append(b.rules, line)
		}
	}
	return t
}

// nameOf returns the robot that a user-agent line names, as robots compare names.
func nameOf(line string) string {
	for _, g := range robots.ParseString(line).Groups() {
		for _, name := range g.Agents() {
			return strings.ToLower(name)
		}
	}
	return ""
}

// String returns the text as it is now.
func (t *text) String() string {
	var b strings.Builder
	for _, l := range t.lines {
		b.WriteString(l.now)
		after := slices.Concat(l.agents, l.rules)
		end := cmp.Or(endOf(l.Text), t.end())
		switch {
		case len(after) == 0:
		case endOf(l.now) == "": // the last line of the file, which still has no end
			b.WriteString(end + strings.Join(after, end))
		default:
			b.WriteString(strings.Join(after, end) + end)
		}
	}
	return b.String() + t.added
}

// end returns the line end of the file.
func (t *text) end() string {
	for _, l := range t.lines {
		if end := endOf(l.Text); end != "" {
			return end
		}
	}
	return "\n"
}

// endOf returns the line end of a line, or "" for a last line without one.
func endOf(line string) string { return line[len(strings.TrimRight(line, "\r\n")):] }

// remove removes a line. A byte order mark and a comment stay.
func (t *text) remove(l *line) {
	kept := ""
	if l.Number == 1 && strings.HasPrefix(l.Text, bom) {
		kept = bom
	}
	if at := strings.IndexByte(l.Text, '#'); at >= 0 {
		kept += l.Text[at:]
	}
	l.now = kept
}

// replace writes another line in place of one, whose comment stays.
func (t *text) replace(l *line, record string) {
	t.remove(l)
	rest := strings.TrimPrefix(l.now, bom)
	mark := l.now[:len(l.now)-len(rest)]
	if rest == "" {
		rest = endOf(l.Text)
	} else {
		rest = " " + rest
	}
	l.now = mark + record + rest
}

// append writes a group at the end of the file.
func (t *text) append(agents []string, rules ...string) {
	end := t.end()
	if text := t.String(); text != "" && text != bom {
		if endOf(text) == "" {
			t.added += end
		}
		if endsInAgents(text) {
			t.added += "Disallow:" + end // otherwise the new group would be that of these robots too
		}
		if !endsBlank(t.String()) {
			t.added += end
		}
	}
	for _, name := range agents {
		t.added += "User-agent: " + name + end
	}
	for _, rule := range rules {
		t.added += rule + end
	}
}

// endsInAgents reports whether the last line that makes a group, or a rule of one, is a user-agent
// line.
func endsInAgents(source string) bool {
	last := robots.Blank
	for _, l := range robots.ParseString(source).Lines() {
		if l.Kind == robots.UserAgent || l.Kind == robots.Allow || l.Kind == robots.Disallow {
			last = l.Kind
		}
	}
	return last == robots.UserAgent
}

// endsBlank reports whether the last line of a text is blank.
func endsBlank(text string) bool {
	line := strings.TrimSuffix(text, endOf(text))
	ends := text[len(line):]
	return strings.Count(ends, "\n") > 1 || strings.Count(ends, "\r") > 1 && !strings.Contains(ends, "\n")
}

// leave removes the robots with some names from a block, and reports whether others remain. If none
// does, the lines stay.
func (t *text) leave(b *block, names map[string]bool) (others bool) {
	stay := slices.DeleteFunc(slices.Clone(b.agents), func(l *line) bool { return names[l.name] })
	if len(stay) == 0 {
		return false
	}
	for _, l := range b.agents {
		if names[l.name] {
			t.remove(l)
		}
	}
	b.agents = stay
	for _, r := range b.runs { // records would be for the robots before
		if !slices.ContainsFunc(r.agents, func(l *line) bool { return !names[l.name] }) {
			for _, l := range r.records {
				t.remove(l)
			}
		}
	}
	return true
}

// has reports whether a block names one of the robots.
func (b *block) has(names map[string]bool) bool {
	return slices.ContainsFunc(b.agents, func(l *line) bool { return names[l.name] })
}

// only reports whether a block of named robots has nothing but one kind of rules, which close
// everything, or open everything.
func (b *block) only(open bool) bool {
	unnamed := func(l *line) bool { return l.name == "*" || l.name == "" }
	if len(b.others) > 0 || slices.ContainsFunc(b.agents, unnamed) {
		return false
	}
	if open {
		return len(b.agents) > 0 && len(b.rules)+len(b.empty) > 0 &&
			!slices.ContainsFunc(b.rules, func(l *line) bool { return l.Kind == robots.Disallow })
	}
	return len(b.agents) > 0 && len(b.rules) > 0 && len(b.empty) == 0 && !slices.ContainsFunc(b.rules,
		func(l *line) bool { return l.Kind == robots.Allow || !closesAll(l.Value) })
}

// join adds robots to the last block that has only such rules, or to a new one at the end.
func (t *text) join(names []string, open bool) {
	if len(names) == 0 {
		return
	}
	star := slices.Contains(names, "*")
	for _, b := range slices.Backward(t.blocks) {
		if !star && (b.shut || b.only(open)) {
			last := b.agents[len(b.agents)-1]
			for _, name := range names {
				last.agents = append(last.agents, "User-agent: "+name)
			}
			return
		}
	}
	rule := "Disallow: /"
	if open {
		rule = "Allow: /"
	}
	t.append(names, rule)
}

// tokens returns the product tokens of robots, and the same in lower case.
func tokens(all []agent.Subject) (list []string, lower map[string]bool) {
	lower = make(map[string]bool)
	for _, s := range all {
		list = append(list, s.Tokens[0])
		lower[strings.ToLower(s.Tokens[0])] = true
	}
	return list, lower
}

// close returns a text that closes the site to robots. A block that names only them is closed as it
// is; they leave other blocks for one that is closed.
func (e *editor) close(source string, meant []agent.Subject) string {
	t := read(source)
	names, lower := tokens(meant)
	done := make(map[string]bool)
	for _, b := range t.blocks {
		if !b.has(lower) || t.leave(b, lower) {
			continue
		}
		closes := false
		for _, l := range b.rules {
			if l.Kind == robots.Allow {
				t.remove(l)
			}
			closes = closes || l.Kind == robots.Disallow && closesAll(l.Value)
		}
		for _, l := range b.agents {
			done[l.name] = true
		}
		b.shut = len(b.others) == 0 && !done["*"] && !slices.ContainsFunc(b.rules, func(l *line) bool {
			return l.Kind == robots.Disallow && !closesAll(l.Value)
		})
		if closes {
			continue
		}
		if len(b.empty) > 0 && len(b.rules) == 0 {
			t.replace(b.empty[0], "Disallow: /")
		} else {
			last := b.agents[len(b.agents)-1]
			last.rules = append(last.rules, "Disallow: /")
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return done[strings.ToLower(name)] })
	t.join(names, false)
	return t.String()
}

// open returns a text that opens the site to robots. They lose the groups that close it to them by
// name. If the site is closed to everyone, they get a group that opens what else is not closed.
func (e *editor) open(source string, meant []agent.Subject) string {
	t := read(source)
	_, lower := tokens(meant)
	for _, b := range t.blocks {
		if !b.has(lower) || t.leave(b, lower) {
			continue
		}
		var closing, rest []*line
		for _, l := range b.rules {
			if l.Kind == robots.Disallow && closesAll(l.Value) {
				closing = append(closing, l)
			} else {
				rest = append(rest, l)
			}
		}
		if len(closing) == 0 {
			continue // rules for parts close the site together
		}
		for _, l := range closing {
			t.remove(l)
		}
		switch {
		case len(rest) > 0 || len(b.empty) > 0:
		case len(b.others) > 0 || slices.ContainsFunc(b.agents, func(l *line) bool { return l.name == "*" }):
			t.replace(closing[0], "Allow: /")
		default:
			t.drop(b)
		}
	}
	t = read(t.String())
	type closing struct {
		names []string
		rules []string
	}
	var all []*closing
	byRules := make(map[string]*closing)
	for _, s := range meant {
		g := s.Group(t.policy)
		if closed, err := e.isClosed(g); err != nil || !closed {
			continue
		}
		rules := finer(g)
		key := strings.Join(rules, "\n")
		if byRules[key] == nil {
			byRules[key] = &closing{rules: rules}
			all = append(all, byRules[key])
		}
		byRules[key].names = append(byRules[key].names, s.Tokens[0])
	}
	for _, c := range all {
		if len(c.rules) == 0 {
			t.join(c.names, true)
		} else {
			t.append(c.names, c.rules...)
		}
	}
	return t.String()
}

// finer returns the rules of a group that closes the site, without those that close everything, if
// some close parts.
func finer(g *robots.Group) (rules []string) {
	closes := false
	for rule := range g.Rules() {
		if rule.Allow || !closesAll(rule.Pattern) {
			field := "Disallow: "
			if rule.Allow {
				field = "Allow: "
			}
			rules = append(rules, field+rule.Pattern) // not its String, which escapes bytes
			closes = closes || !rule.Allow
		}
	}
	if !closes {
		return nil
	}
	return rules
}

// drop removes the user-agent lines of a block, whose rules are gone, and a blank line before it.
func (t *text) drop(b *block) {
	first := b.agents[0].Number - 1
	for _, l := range b.agents {
		t.remove(l)
	}
	if first > 0 && t.lines[first].now == "" && t.lines[first-1].Kind == robots.Blank {
		t.lines[first-1].now = ""
	}
}

// repeat names a robot in the groups that it obeys, so that it obeys them by its own name.
func repeat(source string, s agent.Subject) string {
	t := read(source)
	name := s.Tokens[0]
	g := s.Group(t.policy)
	starts := g.Lines()
	if len(starts) == 0 {
		t.append([]string{name}, "Disallow:")
		return t.String()
	}
	for _, b := range t.blocks {
		if len(b.agents) > 0 && slices.Contains(starts, b.agents[0].Number) {
			last := b.agents[len(b.agents)-1]
			last.agents = append(last.agents, "User-agent: "+name)
		}
	}
	return t.String()
}
