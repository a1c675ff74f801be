package guardserver

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/printable"
)

// maxSummary is the maximum number of robots that a summary distinguishes, and maxShownRobots the
// number that its text names.
const (
	maxSummary     = 1000
	maxShownRobots = 20
)

// A Summary counts what a guard did, or with --observe would have done, for people.
type Summary struct {
	Observe bool // nothing was refused

	mu       sync.Mutex
	requests int
	robots   map[string]*robotSummary // by token
	others   robotSummary             // robots beyond maxSummary
	excepted map[string]int           // requests that passed, by the exception
}

// A robotSummary is what happened to the requests of a robot.
type robotSummary struct {
	refused, slowed int
	example         string // of a request, with its reason
}

// Add counts a record.
func (s *Summary) Add(r *Record) {
	d := r.Decision
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	if d.Exception != "" {
		if s.excepted == nil {
			s.excepted = make(map[string]int)
		}
		s.excepted[d.Exception]++
	}
	if d.Action == guard.Pass {
		return
	}
	of := s.robots[d.Robot.Token]
	switch {
	case of != nil:
	case len(s.robots) >= maxSummary:
		of = &s.others
	default:
		if s.robots == nil {
			s.robots = make(map[string]*robotSummary)
		}
		of = new(robotSummary)
		s.robots[strings.Clone(d.Robot.Token)] = of
	}
	if d.Action == guard.Slow {
		of.slowed++
	} else {
		of.refused++
	}
	if of.example == "" {
		of.example = fmt.Sprintf("%s: %s", printable.Clipped(r.Request.RequestURI, 100), reasonOf(d))
	}
}

// reasonOf returns why a request did not pass.
func reasonOf(d guard.Decision) string {
	switch {
	case d.Reason == guard.Forged:
		return "forged"
	case d.Reason == guard.Fault:
		return "there is no robots.txt"
	case d.Reason.String() == "many-robots":
		return "too many User-Agent headers"
	case d.Reason == guard.ByPace, d.Reason == guard.Unlicensed:
		return fmt.Sprintf("line %d: %s", d.Record.Line, printable.Clipped(d.Record.String(), 100))
	case d.Match.Rule.Line > 0:
		return fmt.Sprintf("line %d: %s", d.Match.Rule.Line, printable.Clipped(d.Match.Rule.String(), 100))
	}
	return d.Match.Reason.String()
}

// Lines returns the summary as lines of text, the robots with the most refusals first.
func (s *Summary) Lines() (lines []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	refused, slowed := s.others.refused, s.others.slowed
	for _, of := range s.robots {
		refused += of.refused
		slowed += of.slowed
	}
	would := ""
	if s.Observe {
		would = "would have "
	}
	requests := "1 request"
	if s.requests != 1 {
		requests = fmt.Sprintf("%d requests", s.requests)
	}
	lines = append(lines, fmt.Sprintf("of %s, the guard %srefused %d and %sslowed %d", requests, would, refused, would,
		slowed))
	for _, name := range slices.Sorted(maps.Keys(s.excepted)) {
		lines = append(lines, fmt.Sprintf("  passed by the exception %s: %d", name, s.excepted[name]))
	}
	tokens := slices.SortedFunc(maps.Keys(s.robots), func(a, b string) int {
		p, q := s.robots[a], s.robots[b]
		return cmp.Or(cmp.Compare(q.refused+q.slowed, p.refused+p.slowed), cmp.Compare(a, b))
	})
	left := s.others
	for i, token := range tokens {
		if of := s.robots[token]; i < maxShownRobots {
			lines = append(lines, fmt.Sprintf("  %s: %d refused, %d slowed, such as %s",
				printable.Clipped(cmp.Or(token, "robots without a name"), 60), of.refused, of.slowed, of.example))
		} else {
			left.refused += of.refused
			left.slowed += of.slowed
		}
	}
	if left.refused+left.slowed > 0 {
		lines = append(lines, fmt.Sprintf("  other robots: %d refused, %d slowed", left.refused, left.slowed))
	}
	return lines
}
