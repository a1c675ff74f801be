package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
)

// An ignore is a comment that silences lint:
//
//	# robots-lint: ignore CHECK reason
//	# robots-lint: ignore-file CHECK reason
//
// After a record, the first form is for that line. On a line of its own, it is for the next
// line that is not a comment. The second form is for the whole file. CHECK may be several
// names, joined by commas.
type ignore struct {
	at     span // of the comment
	target int  // the line, or 0 for the whole file
	checks []string
	reason string
	known  bool // the first word is one of ours
	used   bool
}

// maxIgnores is the maximum number of ignores of a file: people do not write more.
const maxIgnores = 10_000

const ignoreMark = "robots-lint:"

// ignores are those of a file.
type ignores struct {
	all []*ignore
	by  map[ignoreKey]*ignore // the first ignore for each line and check
}

// An ignoreKey is a line and a check.
type ignoreKey struct {
	check string
	line  int // 0 for the whole file
}

// readIgnores finds the ignores of a file. Most files have none, and are not parsed.
func readIgnores(policy *robots.Policy) *ignores {
	found := &ignores{}
	if !strings.Contains(policy.String(), ignoreMark) {
		return found
	}
	var waiting []*ignore // for the next line that is not a comment
	var here line
	for _, l := range policy.Lines() {
		here.set(l)
		if l.Kind != robots.Comment {
			for _, i := range waiting {
				i.target = l.Number
			}
			waiting = waiting[:0]
		}
		i := here.ignore()
		if i == nil || len(found.all) == maxIgnores {
			continue
		}
		found.all = append(found.all, i)
		switch {
		case i.target == 0: // the whole file
		case l.Kind == robots.Comment:
			waiting = append(waiting, i)
		default:
			i.target = l.Number
		}
	}
	found.by = make(map[ignoreKey]*ignore)
	for _, i := range found.all {
		for _, check := range i.checks {
			if what := (ignoreKey{check, i.target}); i.known && found.by[what] == nil {
				found.by[what] = i
			}
		}
	}
	return found
}

// ignore returns the ignore in the comment of a line, or nil. Its target is 0 if it is for the
// whole file.
func (l *line) ignore() *ignore {
	at, ok := l.comment()
	if !ok {
		return nil
	}
	order, ok := strings.CutPrefix(strings.TrimLeft(l.body[at.from:], "# \t"), ignoreMark)
	if !ok {
		return nil
	}
	i := &ignore{at: at, target: l.Number}
	words := strings.Fields(order)
	if len(words) > 0 {
		i.known = words[0] == "ignore" || words[0] == "ignore-file"
		if words[0] == "ignore-file" {
			i.target = 0
		}
	}
	if len(words) > 1 {
		i.checks = strings.Split(words[1], ",")
		i.reason = strings.Join(words[2:], " ")
	}
	return i
}

// ignore reports whether a check is silenced for a line, and records which ignore did it.
func (is *ignores) ignore(check string, line int) bool {
	for _, target := range []int{line, 0} {
		if i := is.by[ignoreKey{check, target}]; i != nil {
			i.used = true
			return true
		}
	}
	return false
}
