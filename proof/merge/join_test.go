package merge_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/lint/format"
	"github.com/robotsexclusion/robots/proof/merge"
)

const site = corpus.Site

var paths = corpus.ShortPaths()

func randomText(r *rand.Rand, names []string) string {
	parts := []string{"a", "b", "/", "ab", "a*b", "*", "*a", "/b"}
	var b strings.Builder
	for range 1 + r.IntN(2) {
		for range 1 + r.IntN(2) {
			b.WriteString("User-agent: " + names[r.IntN(len(names))] + "\n")
		}
		for range r.IntN(4) {
			pattern := []string{"/", "/", "/*"}[r.IntN(3)]
			for range r.IntN(3) {
				pattern += parts[r.IntN(len(parts))]
			}
			b.WriteString([]string{"Disallow: ", "Disallow: ", "Disallow: ", "Allow: "}[r.IntN(4)] + pattern +
				[]string{"", "", "$"}[r.IntN(3)] + "\n")
		}
		b.WriteString([]string{"", "\n", "# comment\n", "Disallow:\n"}[r.IntN(4)])
	}
	return b.String()
}

// TestTwin checks the promise of Join path by path: for each robot, the file disallows the
// paths that a fragment or a wish disallows, and no others; and each reported problem is real.
func TestTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1994, 9309))
	n := 200
	switch {
	case corpus.All():
		n = 3000
	case testing.Short():
		n = 100
	}
	names := []string{"*", "FooBot", "Googlebot", "Googlebot-Image", "AdsBot-Google"}
	built, wished := 0, 0
	for range n {
		var fragments []merge.Fragment
		var policies []*robots.Policy
		for i := range 1 + r.IntN(3) {
			text := randomText(r, names)
			fragments = append(fragments, merge.Fragment{Name: fmt.Sprintf("%d.txt", i), Text: []byte(text)})
			policies = append(policies, robots.Parse([]byte(text)))
		}
		var o merge.Options
		blocks := make(map[string][]*robots.Group)
		for range r.IntN(3) {
			w := merge.Wish{Robots: names[r.IntN(len(names))], Path: []string{"", "/a", "/a/", "/*b"}[r.IntN(4)]}
			o.Wishes = append(o.Wishes, w)
			rule := "User-agent: *\nDisallow: " + w.Path + "\n"
			if w.Path == "" {
				rule = "User-agent: *\nDisallow: /\n"
			}
			blocks[w.Robots] = append(blocks[w.Robots], robots.Parse([]byte(rule)).For("*"))
		}
		file, err := merge.Join(fragments, o)
		wrong := (*merge.Error)(nil)
		if errors.As(err, &wrong) {
			if wrong.Undecided {
				t.Fatalf("undecided: %v", fragments)
			}
			for _, p := range wrong.Problems {
				checkConflict(t, p, fragments, policies)
			}
			continue
		}
		built++
		if len(o.Wishes) > 0 {
			wished++
		}
		if laid := format.Source(file.Text); laid != file.Text {
			t.Fatalf("the file is not laid out: %q, %q", file.Text, laid)
		}
		whole := robots.Parse([]byte(file.Text))
		for _, name := range append(slices.Clone(names), "OtherBot", "Googlebot-News") {
			joined, parts := groupOf(whole, name), blocking(blocks, policies, name)
			for _, p := range policies {
				parts = append(parts, groupOf(p, name))
			}
			for _, path := range paths {
				closed := false
				for _, g := range parts {
					closed = closed || !g.Allowed(site+path)
				}
				if m := joined.Match(site + path); m.Allowed == closed {
					t.Fatalf("%s: %s is %v\nfragments %s\nwishes %v\nfile\n%s", name, path, m, fragments, o.Wishes,
						file.Text)
				}
			}
		}
	}
	t.Logf("%d of %d were built, %d of them with wishes", built, n, wished)
}

// blocking returns the paths that wishes disallow for a robot: wishes that name the robot, or
// else the name that it obeys.
func blocking(blocks map[string][]*robots.Group, policies []*robots.Policy, name string) []*robots.Group {
	named := func(name string) bool {
		return blocks[name] != nil || slices.ContainsFunc(policies, func(p *robots.Policy) bool {
			return slices.ContainsFunc(p.Groups(),
				func(g *robots.Group) bool { return slices.Contains(g.Agents(), name) })
		})
	}
	chain := map[string][]string{
		"Googlebot-Image": {"Googlebot-Image", "Googlebot", "*"}, "Googlebot-News": {"Googlebot-News", "Googlebot",
			"*"},
		"AdsBot-Google": {"AdsBot-Google"},
	}[name]
	if chain == nil {
		chain = []string{name, "*"}
	}
	for _, name := range chain {
		if named(name) {
			return slices.Clone(blocks[name])
		}
	}
	return nil
}

// checkConflict checks that a problem is real: a rule of one line allows the named path, and
// the other line or a wish disallows it.
func checkConflict(t *testing.T, p merge.Problem, fragments []merge.Fragment, policies []*robots.Policy) {
	t.Helper()
	of := func(fragment string) *robots.Policy {
		return policies[slices.IndexFunc(fragments, func(f merge.Fragment) bool { return f.Name == fragment })]
	}
	if p.Fragment == "" || p.Witness == "" {
		t.Fatalf("%v has no line or no path\n%s", p, fragments)
	}
	for _, name := range p.Agents {
		opens := groupOf(of(p.Fragment), name).Match(site + p.Witness)
		if !opens.Allowed || opens.Rule.Line != p.Line {
			t.Fatalf("%v: %s is %v for %s\n%s", p, p.Witness, opens, name, fragments)
		}
		if p.OtherFragment == "" {
			continue // a wish closes it
		}
		if closes := groupOf(of(p.OtherFragment), name).Match(site + p.Witness); closes.Allowed ||
			closes.Rule.Line != p.OtherLine {
			t.Fatalf("%v: the other says %v\n%s", p, closes, fragments)
		}
	}
}

// groupOf returns the group of a policy that a robot obeys.
func groupOf(p *robots.Policy, token string) *robots.Group {
	var known *agent.Table
	return known.SubjectNamed(token).Group(p)
}
