package lint

import (
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots"
)

// places has the findings of a check of the whole file, by line number.
type places map[int]func(*line)

// tell registers the functions to be called when their lines are read.
func (p *pass) tell(found places) {
	if len(found) == 0 {
		return
	}
	p.lines(func(l *line) {
		if call := found[l.Number]; call != nil {
			call(l)
		}
	})
}

// anySite is put before a path, because a path that begins with "//" would be read as a host.
const anySite = "http://any"

// searchStates is the maximum number of states of a search of package pathset. A check must be
// fast, and reports nothing if a search is too hard.
const searchStates = 2000

// maxRobots is the maximum number of robots of a file that a check examines.
const maxRobots = 1000

// maxSharing limits how many lines the groups of named have together: that many for each line of
// the file. Thousands of robots that share a large group, and have a small one each, would
// otherwise take the square of the time.
const maxSharing = 16

// A robotGroup is the group that some robots obey: all groups that name them, combined.
type robotGroup struct {
	*robots.Group
	names []string // of the robots, as first written
}

// named returns the groups of the robots in the file, or the group for everyone, each once, in
// the order of the file: as many as maxRobots and maxSharing allow.
func (f *file) named() (all []robotGroup) {
	if f.alien != robotsText {
		return nil
	}
	names := make(map[string]bool)
	groups := make(map[string]int)
	sizes, left := f.groupSizes()
	for _, l := range f.policy.Lines() {
		if l.Kind != robots.UserAgent {
			continue
		}
		name := robots.ProductToken(l.Value)
		lower := strings.ToLower(name)
		if name == "" || names[lower] {
			continue
		}
		if len(names) == maxRobots {
			return all
		}
		names[lower] = true
		of := f.policy.For(name)
		lines := fmt.Sprint(of.Lines())
		i, ok := groups[lines]
		if !ok {
			for _, number := range of.Lines() {
				left -= sizes[number]
			}
			if left < 0 {
				return all
			}
			i = len(all)
			groups[lines] = i
			all = append(all, robotGroup{Group: of})
		}
		all[i].names = append(all[i].names, name)
	}
	return all
}

// groupSizes returns how many lines each group as written has, by the number of its first line, and
// how many lines the groups of named may have together.
func (f *file) groupSizes() (sizes map[int]int, most int) {
	sizes = make(map[int]int)
	first, naming := 0, false
	for _, l := range f.policy.Lines() {
		switch l.Kind {
		case robots.UserAgent:
			if !naming {
				first = l.Number
			}
			naming = true
		case robots.Allow, robots.Disallow:
			naming = false
		}
		sizes[first]++
		most += maxSharing
	}
	return sizes, most
}

// closing returns the rule that closes the whole site to the robots of a group: a rule that
// matches all paths, while no rule allows any path.
func closing(g *robots.Group) (rule robots.Rule, ok bool) {
	for r := range g.Rules() {
		switch {
		case r.Allow:
			return robots.Rule{}, false
		case !ok && matchesAll(r.Pattern):
			rule, ok = r, true
		}
	}
	return rule, ok
}

// matchesAll reports whether a pattern matches all paths.
func matchesAll(pattern string) bool { return pattern == "/" || pattern == "*" || pattern == "/*" }
