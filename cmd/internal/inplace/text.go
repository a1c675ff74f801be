package inplace

import (
	"cmp"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

const bom = "\ufeff"

// hidden begins the comment that closing a site makes of a line, so that opening the site makes the
// line of the comment again. It stands in files: do not change it.
const hidden = "# before robots block: "

// A text is a robots.txt whose lines are removed and added one by one.
type text struct {
	policy *robots.Policy
	lines  []*line
	blocks []*block
	left   []*left
	added  string // after all lines
}

// A left is a hidden user-agent line, and the hidden records that were for its robot.
type left struct {
	agent   *line
	records []*line
}

// A line is a line as written, and what takes its place.
type line struct {
	robots.Line
	name   string // of the robot that a user-agent line names, in lower case
	hides  string // the line that this comment hides
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
	hidden []*line // rules, and records of all its robots
	runs   []*run
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
	var in *block   // of the last line
	var after *left // the last hidden user-agent line, until a line that is not hidden
	for _, l := range t.policy.Lines() {
		line := &line{Line: l, now: l.Text}
		t.lines = append(t.lines, line)
		if l.Kind == robots.Comment {
			after = t.readHidden(line, in, after)
		}
		if l.Group < 0 {
			continue
		}
		b := t.blocks[l.Group]
		in, after = b, nil
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

// readHidden reads a comment that may hide a line, after the lines of a block, and after a hidden
// user-agent line. It returns the hidden user-agent line to which the next line may belong.
func (t *text) readHidden(l *line, in *block, after *left) *left {
	text, ok := strings.CutPrefix(strings.TrimPrefix(l.Text, bom), hidden)
	if !ok {
		return after // of somebody else, between the lines
	}
	l.hides = text
	of := lineAfter("User-agent: *", text)
	switch {
	case of.Kind == robots.UserAgent:
		l.name = nameOf(text)
		after = &left{agent: l}
		t.left = append(t.left, after)
		return after
	case of.Kind == robots.Other && after != nil:
		after.records = append(after.records, l)
		return after
	case in != nil:
		in.hidden = append(in.hidden, l)
	}
	return nil
}

// lineAfter returns a line as it is read after another one.
func lineAfter(first, line string) (last robots.Line) {
	for _, l := range robots.ParseString(first + "\n" + line).Lines() {
		last = l
	}
	return last
}

// hide makes a comment of a line.
func (t *text) hide(l *line) {
	mark, text := cutMark(l)
	l.now = mark + hidden + text
}

// restore makes a line of the comment that hides it.
func (t *text) restore(l *line) {
	mark, _ := cutMark(l)
	l.now = mark + l.hides
}

// cutMark returns the byte order mark of a line, if it is the first one, and the rest.
func cutMark(l *line) (mark, text string) {
	if text, ok := strings.CutPrefix(l.Text, bom); ok && l.Number == 1 {
		return bom, text
	}
	return "", l.Text
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
	if t.added != "" { // the group before
		t.added += end
	} else if text := t.String(); text != "" && text != bom {
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
	var b strings.Builder
	for _, name := range agents {
		b.WriteString("User-agent: " + name + end)
	}
	for _, rule := range rules {
		b.WriteString(rule + end)
	}
	t.added += b.String()
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

// leave takes the robots with some names out of a block, whose lines it removes or hides, and
// reports whether others remain. If none does, the lines stay.
func (t *text) leave(b *block, names map[string]bool, take func(*line)) (others bool) {
	stay := slices.DeleteFunc(slices.Clone(b.agents), func(l *line) bool { return names[l.name] })
	if len(stay) == 0 {
		return false
	}
	for _, l := range b.agents {
		if names[l.name] {
			take(l)
		}
	}
	b.agents = stay
	for _, r := range b.runs { // records would be for the robots before
		if !slices.ContainsFunc(r.agents, func(l *line) bool { return !names[l.name] }) {
			for _, l := range r.records {
				take(l)
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
	if len(b.others)+len(b.hidden) > 0 || slices.ContainsFunc(b.agents, unnamed) {
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
		if !star && b.only(open) {
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
// is; they leave other blocks for one that is closed. Lines that would be lost become comments.
func (e *editor) close(source string, meant []agent.Subject) string {
	t := read(source)
	names, lower := tokens(meant)
	done := make(map[string]bool)
	for _, b := range t.blocks {
		if !b.has(lower) || t.leave(b, lower, t.hide) {
			continue
		}
		closes := false
		for _, l := range b.rules {
			if l.Kind == robots.Allow {
				t.hide(l)
				b.hidden = append(b.hidden, l)
			}
			closes = closes || l.Kind == robots.Disallow && closesAll(l.Value)
		}
		for _, l := range b.agents {
			done[l.name] = true
		}
		if closes {
			continue
		}
		last := b.agents[len(b.agents)-1]
		last.rules = append(last.rules, "Disallow: /")
		if len(b.rules)+len(b.empty) == 0 {
			last.rules = append(last.rules, hidden+"Disallow:") // so that opening leaves the group, which has no rule
		}
		for _, l := range b.empty {
			t.hide(l)
		}
		b.hidden = append(b.hidden, last) // no other robot may join it
	}
	names = slices.DeleteFunc(names, func(name string) bool { return done[strings.ToLower(name)] })
	t.join(names, false)
	return t.String()
}

// open returns a text that opens the site to robots. They lose the groups that close it to them by
// name, and get back the lines that closing made comments, if restore is set. If the site is closed
// to everyone, they get a group that opens what else is not closed.
func (e *editor) open(source string, meant []agent.Subject, restore bool) string {
	t := read(source)
	_, lower := tokens(meant)
	var apart []closing // of robots that leave a block with other rules
	for _, b := range t.blocks {
		if !restore {
			b.hidden = nil
		}
		if !b.has(lower) {
			continue
		}
		before := slices.Clone(b.agents)
		if t.leave(b, lower, t.remove) {
			rules := b.partly()
			if len(rules) == 0 && len(b.hidden) > 0 {
				rules = []string{"Disallow:"}
			}
			if len(rules) > 0 {
				apart = append(apart, closing{namesOf(before, lower), rules})
			}
			continue
		}
		var all, rest []*line
		for _, l := range b.rules {
			if l.Kind == robots.Disallow && closesAll(l.Value) {
				all = append(all, l)
			} else {
				rest = append(rest, l)
			}
		}
		if len(all)+len(b.hidden) == 0 {
			continue // rules for parts close the site together
		}
		for _, l := range all {
			t.remove(l)
		}
		for _, l := range b.hidden {
			t.restore(l)
		}
		switch {
		case len(rest)+len(b.empty)+len(b.hidden) > 0:
		case len(b.others) > 0 || slices.ContainsFunc(b.agents, func(l *line) bool { return l.name == "*" }):
			t.replace(all[0], "Allow: /")
		default:
			t.drop(b)
		}
	}
	for _, l := range t.left {
		if restore && lower[l.agent.name] {
			t.restore(l.agent)
			for _, record := range l.records {
				t.restore(record)
			}
		}
	}
	for i, c := range apart {
		if i > 0 && slices.Equal(apart[i-1].names, c.names) {
			apart[i].rules = append(apart[i-1].rules, c.rules...) // one group
		}
		if i+1 == len(apart) || !slices.Equal(apart[i+1].names, c.names) {
			t.append(c.names, apart[i].rules...)
		}
	}
	return e.reopen(t.String(), meant)
}

// A closing is the rules with which robots are opened to.
type closing struct {
	names []string
	rules []string
}

// partly returns the rules of a block without those that close everything, as if nothing was
// hidden.
func (b *block) partly() (rules []string) {
	for _, l := range slices.Concat(b.rules, b.hidden) {
		text := l.Text
		if l.hides != "" {
			text = l.hides
		}
		of := lineAfter("User-agent: *", text)
		if (of.Kind == robots.Allow || of.Kind == robots.Disallow && !closesAll(of.Value)) && of.Value != "" {
			text, _, _ = strings.Cut(strings.TrimRight(text, "\r\n"), "#")
			rules = append(rules, strings.TrimSpace(text))
		}
	}
	return rules
}

// namesOf returns the robots of user-agent lines that are among some names, as written.
func namesOf(lines []*line, lower map[string]bool) (names []string) {
	for _, l := range lines {
		if lower[l.name] {
			names = append(names, l.Value)
		}
	}
	return names
}

// reopen returns a text with groups for the robots to which the site is still closed, because it is
// closed to everyone.
func (e *editor) reopen(source string, meant []agent.Subject) string {
	t := read(source)
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
