package monitor

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/lint"
)

const (
	maxMistakes     = 10 // findings, each of one check of lint; the most severe ones
	maxMistakeLines = 5  // lines in each
)

// A mistakeCache has what mistakes returned for the last pairs of texts, by their hashes: a change
// stays for many looks, and lint takes a part of a second for the largest files.
type mistakeCache struct {
	mu    sync.Mutex
	found map[[3]string][]Finding
}

var lastMistakes mistakeCache

const maxPairs = 100 // in a mistakeCache

// of returns the mistakes in a text that were not in the one before.
func (c *mistakeCache) of(before, after *Observation) []Finding {
	key := [3]string{before.File.SHA256, after.File.SHA256, after.Origin}
	c.mu.Lock()
	found, ok := c.found[key]
	c.mu.Unlock()
	if ok && key[1] != "" {
		return found
	}
	found = mistakes(before.Policy, after)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.found == nil || len(c.found) >= maxPairs {
		c.found = make(map[[3]string][]Finding)
	}
	c.found[key] = found
	return found
}

// A mistake is what makes two diagnostics of lint the same: their lines may have moved. The line is
// "" if the whole file is wrong.
type mistake struct{ check, line string }

// mistakes returns what lint finds in a text and not in the text before: a finding for each check.
// An error, a line that does not do what it says, is a warning; a warning of lint is a notice.
func mistakes(before *robots.Policy, after *Observation) (found []Finding) {
	old := make(map[mistake]int)
	all, omitted := diagnostics(before, after.Origin)
	for _, d := range all {
		old[d.mistake]++
	}
	all, _ = diagnostics(after.Policy, after.Origin)
	for _, d := range all {
		if old[d.mistake]--; old[d.mistake] >= 0 || omitted[d.check] {
			continue
		}
		i := slices.IndexFunc(found, func(f Finding) bool { return f.Subject == d.check })
		if i < 0 {
			i = len(found)
			found = append(found, Finding{Kind: Mistake, Subject: d.check})
		}
		f := &found[i]
		f.Severity = max(f.Severity, d.severity)
		if len(f.Patterns) < maxMistakeLines {
			f.Patterns = append(f.Patterns, d.shown)
		}
	}
	for i := range found {
		found[i].Patterns = listed(found[i].Patterns)
	}
	slices.SortStableFunc(found, func(a, b Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	return found[:min(len(found), maxMistakes)]
}

// A diagnostic is one of lint, without its place.
type diagnostic struct {
	mistake
	severity Severity
	shown    string // its line
}

// diagnostics returns the errors and warnings of lint, and the checks of which it omitted some.
// That a site is closed is a finding of its own.
func diagnostics(p *robots.Policy, origin string) (all []diagnostic, omitted map[string]bool) {
	report := lint.Run(p, lint.Options{Origin: origin, Disable: []string{"site-closed"}})
	wanted := make(map[int]string)
	for _, d := range report.Diagnostics {
		wanted[d.Line] = ""
	}
	for number, line := range p.Lines() {
		if _, ok := wanted[number]; ok {
			wanted[number] = strings.TrimSpace(line.Text)
		}
	}
	for _, d := range report.Diagnostics {
		found := diagnostic{mistake{check: d.Check.Name}, Notice, wanted[d.Line]}
		if d.Column < d.EndColumn {
			found.line = found.shown
		}
		switch d.Severity {
		case lint.Error:
			found.severity = Warning
		case lint.Info:
			continue
		}
		all = append(all, found)
	}
	omitted = make(map[string]bool)
	for _, o := range report.Omitted {
		omitted[o.Check.Name] = true
	}
	return all, omitted
}
