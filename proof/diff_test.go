package proof_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/proof"
)

// paths are all short paths. A question prepends site to them.
var paths = corpus.ShortPaths()

const site = corpus.Site

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for _, agent := range []string{"*", "FooBot", "BarBot"}[:1+r.IntN(3)] {
		b.WriteString("User-agent: " + agent + "\n")
		for range r.IntN(5) {
			b.WriteString([]string{"Disallow: ", "Allow: "}[r.IntN(2)] + randomPattern(r) + "\n")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func randomPattern(r *rand.Rand) string {
	parts := []string{"a", "b", "/", "ab", "a*b", "*", "*a", "/b"}
	pattern := []string{"/", "/", "/", "*", "/*"}[r.IntN(5)]
	for range r.IntN(4) {
		pattern += parts[r.IntN(len(parts))]
	}
	if r.IntN(3) == 0 {
		pattern += "$"
	}
	return pattern
}

// changeText changes some lines of a text.
func changeText(r *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	for range 1 + r.IntN(3) {
		switch i := r.IntN(len(lines)); r.IntN(3) {
		case 0:
			lines[i] = ""
		case 1:
			lines[i] += []string{"Disallow: ", "Allow: "}[r.IntN(2)] + randomPattern(r) + "\n"
		default:
			j := r.IntN(len(lines))
			lines[i], lines[j] = lines[j], lines[i]
		}
	}
	return strings.Join(lines, "")
}

// TestDiff compares what Diff says with the answers for all short paths: for 1,200 generated pairs,
// or 3,000 with ROBOTS_CORPUS_ALL.
func TestDiff(t *testing.T) {
	r := rand.New(rand.NewPCG(1994, 2022))
	n := corpus.Cases(400, 3000)
	if testing.Short() {
		n = 300
	}
	equal := 0
	for range n {
		d := robots.Dialects()[r.IntN(5)]
		text1 := randomText(r)
		text2 := randomText(r)
		if r.IntN(3) > 0 {
			text2 = changeText(r, text1)
		}
		before, after := d.Parse([]byte(text1)), d.Parse([]byte(text2))
		switch r.IntN(40) {
		case 0:
			before = robots.DisallowAll().In(d)
		case 1:
			after = robots.DisallowAll().In(d)
		}
		diff, err := proof.Diff(before, after, proof.Options{})
		if err != nil {
			t.Fatalf("%v: undecided for %q\n%s\n%s", d, diff.Undecided, text1, text2)
		}
		if diff.Equal() {
			equal++
		}
		for _, agent := range []string{"FooBot", "BarBot", "OtherBot"} {
			b, a := before.For(agent), after.For(agent)
			// The answer for "*" is the answer for robots that no file names.
			if !strings.Contains(before.String()+after.String(), agent) {
				agent = "*"
			}
			var regions []proof.Region
			for _, c := range diff.Changes {
				if slices.Contains(c.Agents, agent) {
					for _, region := range c.Regions {
						if was, is := b.Allowed(site+region.Witness), a.Allowed(site+region.Witness); was == is ||
							is != c.Opened {
							t.Fatalf("%v, %s: %v is not a witness\n%s\n%s", d, agent, region, text1, text2)
						}
						if was, is := b.Match(site+region.Witness),
							a.Match(site+region.Witness); was != region.Before || is != region.After {
							t.Fatalf("%v, %s: %v, but was %v and is %v\n%s\n%s", d, agent, region, was, is, text1,
								text2)
						}
						regions = append(regions, region)
					}
				}
			}
			for _, path := range paths {
				url := site + path
				was, is := b.Match(url), a.Match(url)
				in := 0
				for _, region := range regions {
					if region.Now && is.Rule == region.Rule || !region.Now && was.Rule == region.Rule ||
						region.Rule.Line == 0 && was.Rule.Line+is.Rule.Line == 0 {
						in++
					}
				}
				if was.Allowed != is.Allowed && in == 0 {
					t.Fatalf("%v, %s: %s was %v and is %v, in no region of %v\n%s\n%s", d, agent, path, was, is,
						regions, text1, text2)
				}
			}
		}
	}
	t.Logf("%d of %d are equal", equal, n)
}

// TestDiffTellsOwnLines changes groups with the same rules: the deciding line of each robot
// belongs to the robot's own group.
func TestDiffTellsOwnLines(t *testing.T) {
	before := robots.Parse([]byte("User-agent: Aa\nDisallow:/\nCrawl-delay: 1\nUser-agent: BB\nUser-agent: cc\nDisallow:/\nCrawl-delay: 2\n"))
	d, _ := proof.Diff(before, robots.Parse(nil), proof.Options{})
	var got []string
	for _, c := range d.Changes {
		for _, r := range c.Regions {
			got = append(got, fmt.Sprintf("%v %s: was %v; is %v: %v, %v", c.Agents, r.Witness, r.Before, r.After,
				r.Rule, r.Rule.Line))
		}
	}
	for _, r := range d.Records {
		got = append(got, r.String())
	}
	want := []string{
		"[Aa] /: was disallowed by line 2: Disallow: /; is allowed: no group is for this robot: Disallow: /, 2",
		"[BB cc] /: was disallowed by line 6: Disallow: /; is allowed: no group is for this robot: Disallow: /, 6",
		"- Crawl-delay: 1 (for Aa)",
		"- Crawl-delay: 2 (for BB, cc)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestDiffFallback adds a group that other robots fall back on.
func TestDiffFallback(t *testing.T) {
	before := robots.Parse([]byte("User-agent: *\nDisallow: /x\n\nUser-agent: Googlebot-News\nDisallow: /x\n"))
	after := robots.Parse([]byte(before.String() + "\nUser-agent: Googlebot\nDisallow: /y\n"))
	d, _ := proof.Diff(before, after, proof.Options{})
	for _, c := range d.Changes {
		if c.Agents[0] != "Googlebot" || !slices.Contains(c.Followers, "Googlebot-Image") ||
			!slices.Contains(c.Followers, "Applebot") {
			t.Errorf("got a change of %q, of which %q follow, want Googlebot with Googlebot-Image and Applebot",
				c.Agents, c.Followers)
		}
		if slices.Contains(c.Agents, "Googlebot-News") || slices.Contains(c.Agents, "*") {
			t.Errorf("got a change of %q: nothing changes for Googlebot-News, which has a group of its own, and for others", c.Agents)
		}
		for _, name := range c.Agents {
			for _, r := range c.Regions {
				if was, is := groupOf(before, name).Match(r.Witness),
					groupOf(after, name).Match(r.Witness); was != r.Before || is != r.After {
					t.Errorf("%s: got %v, want %v and %v", name, r, was, is)
				}
			}
		}
	}
	if len(d.Changes) != 2 {
		t.Errorf("got %d changes, want 2:\n%v", len(d.Changes), d)
	}
	asked, _ := proof.Diff(before, after, proof.Options{Agents: []string{"Googlebot-Image"}})
	for _, c := range asked.Changes {
		if !slices.Equal(c.Agents, []string{"Googlebot-Image"}) || c.Followers != nil {
			t.Errorf("got %q and %q, want Googlebot-Image alone, which was asked about", c.Agents, c.Followers)
		}
	}
}

// groupOf returns the group of a policy that a robot obeys.
func groupOf(p *robots.Policy, token string) *robots.Group {
	var known *agent.Table
	return known.SubjectNamed(token).Group(p)
}
