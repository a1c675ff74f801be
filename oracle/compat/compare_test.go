// Package compat compares this module with the libraries that doc/migrating.md is for, on real
// files.
package compat_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jimsmart/grobotstxt"
	original "github.com/temoto/robotstxt"

	"github.com/robotsexclusion/robots"
	ours "github.com/robotsexclusion/robots/compat/temoto"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

const site = "https://example.com"

// robotNames are asked for in each file, with the names in the file.
var robotNames = []string{"Googlebot", "Googlebot-Image", "GPTBot", "FooBot/1.0",
	"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"}

// every returns every nth file of the corpus, in all modes, so that the figures stay comparable.
func every(t *testing.T, n int) (some []corpus.File) {
	for i, f := range corpus.Files(t, "*") {
		if i%n == 0 {
			some = append(some, f)
		}
	}
	return some
}

// names returns the robots to ask for: robotNames, and eight of the names in the file.
func names(p *robots.Policy) (names []string) {
	names = slices.Clone(robotNames)
	for _, g := range p.Groups() {
		for _, name := range g.Agents() {
			if name != "*" && name != "" && len(names) < len(robotNames)+8 && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// paths returns the paths to ask for: of the first 20 rules one that matches, one below it, and one
// in other letters.
func paths(p *robots.Policy) (paths []string) {
	paths = []string{"/", "/robots.txt", "/index.html?q=1"}
	for _, line := range p.Lines() {
		if (line.Kind != robots.Disallow && line.Kind != robots.Allow) || line.Value == "" || len(paths) > 60 ||
			len(line.Value) > 500 {
			continue
		}
		path := strings.ReplaceAll(strings.TrimSuffix(line.Value, "$"), "*", "x")
		if robots.CheckURL(path) != nil || strings.ContainsAny(path, "#\r\n") {
			continue
		}
		paths = append(paths, path, strings.TrimSuffix(path, "/")+"/y.html", strings.ToUpper(path))
	}
	return paths
}

// A tally counts questions and differences by cause.
type tally struct {
	sync.Mutex
	files, questions int
	causes           map[string]int
	differ           map[string]bool   // files with a difference
	example          map[string]string // of each cause
}

func newTally() *tally {
	return &tally{causes: make(map[string]int), differ: make(map[string]bool), example: make(map[string]string)}
}

func (c *tally) add(file, cause, example string) {
	c.causes[cause]++
	c.differ[file] = true
	if c.example[cause] == "" || example < c.example[cause] {
		c.example[cause] = example
	}
}

// log prints the counts, and returns the number of differences without a known cause.
func (c *tally) log(t *testing.T) (unknown int) {
	all := 0
	for _, n := range c.causes {
		all += n
	}
	t.Logf("%d files, %d questions: %d answers differ (%.2f %%), in %d files (%.1f %%)", c.files, c.questions, all,
		100*float64(all)/float64(c.questions), len(c.differ), 100*float64(len(c.differ))/float64(c.files))
	for _, cause := range slices.SortedFunc(maps.Keys(c.causes),
		func(a, b string) int { return c.causes[b] - c.causes[a] }) {
		t.Logf("%8d %s, such as %s", c.causes[cause], cause, c.example[cause])
	}
	return c.causes[otherCause]
}

const (
	otherCause = "another cause"
	wildCause  = "patterns with wildcards are anchored, and weighed as written"
)

// matchingCause returns why two libraries judge a path differently by the same rules.
func matchingCause(e robots.Explanation, path string) string {
	rules, allow, disallow, wild, encoded := 0, 0, 0, false, strings.Contains(path, "%")
	for _, c := range e.Candidates {
		rules++
		if c.Rule.Allow {
			allow = max(allow, c.Bytes)
		} else {
			disallow = max(disallow, c.Bytes)
		}
		wild = wild || strings.ContainsAny(c.Rule.Pattern, "*$")
		encoded = encoded || strings.Contains(c.Rule.Pattern, "%")
	}
	for i := range len(path) {
		encoded = encoded || path[i] >= 0x80 || path[i] <= ' ' || strings.IndexByte(`"<>\^{|}`+"`", path[i]) >= 0
	}
	switch {
	case path == "/robots.txt":
		return "/robots.txt itself is always allowed"
	case encoded:
		return "percent-encoding is compared in one normal form"
	case allow > 0 && allow == disallow:
		return "of an Allow and a Disallow of equal length, Allow wins"
	case wild:
		return wildCause
	}
	return otherCause
}

// TestTemoto compares compat/temoto call by call with github.com/temoto/robotstxt.
func TestTemoto(t *testing.T) {
	c, refused, calls := newTally(), 0, 0
	corpus.Each(every(t, 4), func(f corpus.File) {
		a, errA := ours.FromBytes(f.Data)
		b, errB := original.FromBytes(f.Data)
		policy := robots.Parse(f.Data)
		agents, urls := names(policy), paths(policy)
		c.Lock()
		defer c.Unlock()
		c.files++
		if errA != nil {
			t.Errorf("%s: %v", f.Name, errA)
		}
		if errB != nil {
			refused++
			return
		}
		if !slices.Equal(a.Sitemaps, b.Sitemaps) {
			c.add(f.Name, "Sitemaps", fmt.Sprintf("%.80q, not %.80q", a.Sitemaps, b.Sitemaps))
		}
		if a.Host != b.Host {
			c.add(f.Name, "Host", fmt.Sprintf("%q, not %q", a.Host, b.Host))
		}
		calls += 2
		for _, agent := range agents {
			ga, gb := a.FindGroup(agent), b.FindGroup(agent)
			calls++
			if ga.CrawlDelay != gb.CrawlDelay {
				c.add(f.Name, "CrawlDelay", fmt.Sprintf("%v, not %v for %s", ga.CrawlDelay, gb.CrawlDelay, agent))
			}
			alone := alone(policy, ga.Agent)
			for _, path := range urls {
				c.questions++
				x, y := ga.Test(path), gb.Test(path)
				if x != a.TestAgent(path, agent) || y != b.TestAgent(path, agent) {
					t.Errorf("%s: FindGroup and TestAgent differ for %s, %s", f.Name, agent, path)
				}
				if x == y {
					continue
				}
				cause := "groups: the lines that belong to a robot"
				if alone != nil && alone.Test(path) == y {
					cause = matchingCause(policy.For(ga.Agent).Explain(path), path)
					if cause == otherCause && hasAny(policy.For(ga.Agent), " \t\v") {
						cause = "a value goes on after white space"
					} else if cause == otherCause && hasAny(policy.For(ga.Agent), "*$") {
						cause = wildCause // one that matches for the original alone
					}
				}
				c.add(f.Name, cause, fmt.Sprintf("%s, %s: %t, not %t in %s", agent, path, x, y, f.Name))
			}
		}
	})
	t.Logf("the original refuses %d of %d files (%.1f %%), ours none; %d further calls of FindGroup, Sitemaps and Host",
		refused, c.files, 100*float64(refused)/float64(c.files), calls)
	if unknown := c.log(t); unknown*1000 > c.questions {
		t.Errorf("%d differences without a known cause", unknown)
	}
}

// hasAny reports whether a rule of the group has one of some characters.
func hasAny(g *robots.Group, chars string) bool {
	for r := range g.Rules() {
		if strings.ContainsAny(r.Pattern, chars) {
			return true
		}
	}
	return false
}

// alone returns the original's reading of the rules of our group, written as the only group.
func alone(p *robots.Policy, name string) *original.Group {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	group := p.For(name)
	if name == "*" || name == "" {
		group = p.For()
	}
	for r := range group.Rules() {
		field := "Disallow"
		if r.Allow {
			field = "Allow"
		}
		fmt.Fprintf(&b, "%s: %s\n", field, r.Pattern)
	}
	data, err := original.FromString(b.String())
	if err != nil {
		return nil
	}
	return data.FindGroup("*")
}

// TestGrobotstxt compares dialect Google, and RFC 9309, with github.com/jimsmart/grobotstxt.
func TestGrobotstxt(t *testing.T) {
	for _, d := range []robots.Dialect{robots.Google, robots.RFC9309} {
		c := newTally()
		corpus.Each(every(t, 40), func(f corpus.File) {
			policy := d.Parse(f.Data)
			text := string(f.Data)
			agents, urls := names(policy), paths(policy)
			c.Lock()
			defer c.Unlock()
			c.files++
			for _, agent := range agents[:min(len(agents), 7)] {
				group := policy.For(agent)
				for _, path := range urls[:min(len(urls), 20)] {
					c.questions++
					x, y := group.Allowed(site+path), grobotstxt.AgentAllowed(text, agent, site+path)
					if x != y {
						cause := matchingCause(group.Explain(site+path), path)
						c.add(f.Name, cause, fmt.Sprintf("%s, %s: %t, not %t in %s", agent, path, x, y, f.Name))
					}
				}
			}
		})
		t.Logf("dialect %v:", d)
		c.log(t)
	}
}

// TestPython compares RFC 9309 with urllib.robotparser of Python.
func TestPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	type question struct {
		Robots []byte `json:"robots_base64,omitempty"`
		Agent  string `json:"agent"`
		URL    string `json:"url"`
	}
	type asked struct {
		file, cause string
		allowed     bool
		question
	}
	var all []asked
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	c := newTally()
	for _, f := range every(t, 40) {
		policy := robots.Parse(f.Data)
		c.files++
		urls := paths(policy)
		for i, agent := range names(policy)[:5] {
			for j, path := range urls[:min(len(urls), 20)] {
				q := question{Agent: agent, URL: site + path}
				if i+j == 0 {
					q.Robots = append(f.Data, '\n')
				}
				encoder.Encode(q)
				group := policy.For(agent)
				all = append(all, asked{f.Name, matchingCause(group.Explain(q.URL), path), group.Allowed(q.URL), q})
			}
		}
	}
	cmd := exec.Command(python, "../python/ask.py")
	cmd.Stdin = &lines
	out, err := cmd.Output()
	fatal.If(t, err)
	answers := json.NewDecoder(bytes.NewReader(out))
	for _, q := range all {
		var answer struct {
			Allowed *bool
			Error   string
		}
		fatal.If(t, answers.Decode(&answer))
		c.questions++
		if answer.Allowed == nil {
			c.add(q.file, "no answer", answer.Error)
		} else if *answer.Allowed != q.allowed {
			if q.cause == otherCause || strings.HasPrefix(q.cause, "patterns") {
				q.cause = "wildcards, the first match, blank lines, or names"
			}
			c.add(q.file, q.cause, fmt.Sprintf("%s, %s: %t, not %t in %s", q.Agent, q.URL, q.allowed, *answer.Allowed,
				q.file))
		}
	}
	c.log(t)
}
