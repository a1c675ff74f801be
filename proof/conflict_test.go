package proof_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/proof"
)

// TestConflicts compares what Conflicts says with the answers for all short paths: for 400
// generated sets of files, or 1,000 with ROBOTS_CORPUS_ALL.
func TestConflicts(t *testing.T) {
	r := rand.New(rand.NewPCG(1994, 1996))
	n := corpus.Cases(200, 1000)
	if testing.Short() {
		n = 100
	}
	agreeing := 0
	for range n {
		var policies []*robots.Policy
		d := []robots.Dialect{robots.RFC9309, robots.Google}[r.IntN(2)]
		for range 1 + r.IntN(3) {
			policies = append(policies, d.Parse([]byte(randomText(r))))
		}
		conflicts, err := proof.Conflicts(policies, proof.Options{})
		if err != nil {
			t.Fatalf("%v: %v", err, policies)
		}
		if len(conflicts) == 0 {
			agreeing++
		}
		for _, c := range conflicts {
			for _, name := range c.Agents {
				allow, disallow := groupOf(policies[c.Opens], name).Match(site+c.Witness), groupOf(policies[c.Closes],
					name).Match(site+c.Witness)
				if c.Opens == c.Closes || allow != c.Allow || disallow != c.Disallow || !allow.Allowed ||
					allow.Reason != robots.DecidingRule || disallow.Allowed {
					t.Fatalf("%s: %v is none: %v, %v\n%v", name, c, allow, disallow, policies)
				}
			}
		}
		for i, opens := range policies {
			for j, closes := range policies {
				for _, name := range []string{"*", "FooBot", "BarBot"} {
					if i == j || !namedBy(policies, name) {
						continue
					}
					a, b := groupOf(opens, name), groupOf(closes, name)
					for _, path := range paths {
						url := site + path
						allow, disallow := a.Match(url), b.Match(url)
						if allow.Reason != robots.DecidingRule || !allow.Allowed || disallow.Allowed {
							continue
						}
						told := slices.ContainsFunc(conflicts, func(c proof.Conflict) bool {
							return c.Opens == i && c.Closes == j && c.Disallow.Rule == disallow.Rule &&
								slices.Contains(c.Agents, name)
						})
						if !told {
							t.Fatalf("%s: %s is %v, and %v: not told\n%v", name, path, allow, disallow, policies)
						}
					}
				}
			}
		}
	}
	t.Logf("%d of %d agree", agreeing, n)
}

// namedBy reports whether one of the policies names a robot.
func namedBy(policies []*robots.Policy, name string) bool {
	return slices.ContainsFunc(policies, func(p *robots.Policy) bool { return named(p, p, name) })
}

// TestBreaches compares what Breaches says with the answers for all short paths.
func TestBreaches(t *testing.T) {
	r := rand.New(rand.NewPCG(2022, 1994))
	n := corpus.Cases(200, 1000)
	if testing.Short() {
		n = 100
	}
	kept := 0
	for range n {
		var parts []*robots.Policy
		var texts strings.Builder
		for range 1 + r.IntN(2) {
			text := randomText(r)
			parts = append(parts, parse(text))
			texts.WriteString(text)
		}
		whole := parse(texts.String())
		if r.IntN(3) == 0 {
			whole = parse(changeText(r, texts.String()))
		}
		whole = whole.In([]robots.Dialect{robots.RFC9309, robots.Google}[r.IntN(2)])
		breaches, err := proof.Breaches(whole, parts, proof.Options{})
		if err != nil {
			t.Fatalf("%v: %v, %v", err, whole, parts)
		}
		if len(breaches) == 0 {
			kept++
		}
		closing := func(name string) func(url string) bool {
			var groups []*robots.Group
			for _, p := range parts {
				groups = append(groups, groupOf(p.In(whole.Dialect()), name))
			}
			return func(url string) bool {
				return slices.ContainsFunc(groups, func(g *robots.Group) bool { return !g.Allowed(url) })
			}
		}
		for _, b := range breaches {
			for _, name := range b.Agents {
				if m := groupOf(whole, name).Match(site + b.Witness); m != b.Match ||
					m.Allowed != closing(name)(site+b.Witness) || m.Allowed != (b.Part >= 0) {
					t.Fatalf("%s: %v is none\n%v\n%v", name, b, whole, parts)
				}
			}
		}
		for _, name := range []string{"*", "FooBot", "BarBot"} {
			if !namedBy(append(parts, whole), name) {
				continue
			}
			g, closed := groupOf(whole, name), closing(name)
			told := slices.ContainsFunc(breaches, func(b proof.Breach) bool { return slices.Contains(b.Agents, name) })
			for _, path := range paths {
				url := site + path
				if g.Allowed(url) == closed(url) && !told {
					t.Fatalf("%s: %s: the whole allows: %t; not told\n%v\n%v", name, path, g.Allowed(url), whole, parts)
				}
			}
		}
	}
	t.Logf("%d of %d say what their parts say", kept, n)
}

func ExampleConflicts() {
	site := robots.Parse([]byte("User-agent: *\nDisallow: /*?print\n"))
	shop := robots.Parse([]byte("User-agent: *\nDisallow: /shop/\nAllow: /shop/products/\n"))
	conflicts, _ := proof.Conflicts([]*robots.Policy{site, shop}, proof.Options{})
	for _, c := range conflicts {
		fmt.Printf("%s: %v; but %v\n", c.Witness, c.Allow, c.Disallow)
	}
	// Output: /shop/products/?print: allowed by line 3: Allow: /shop/products/; but disallowed by line 2: Disallow: /*?print
}
