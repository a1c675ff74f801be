package proof_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/proof"
)

func TestMinimize(t *testing.T) {
	for _, test := range []struct{ name, text, want, why string }{
		{
			"a longer rule says the same",
			"User-agent: *\nDisallow: /a\nDisallow: /a/b\nAllow: /c\n",
			"User-agent: *\nDisallow: /a\n",
			"line 3: Disallow: /a/b: line 2 says the same; line 4: Allow: /c: allowed without it",
		}, {
			"a rule that another one always beats",
			"User-agent: *\nDisallow: /x\nAllow: /x\n",
			"User-agent: *\nAllow: /x\n",
			"line 2: Disallow: /x: never decides",
		}, {
			"a rule in between matters",
			"User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\n",
			"User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\n",
			"",
		}, {
			"wildcards",
			"User-agent: *\nDisallow: /*.php$\nDisallow: /x/*.php$\nDisallow: /*\nDisallow: /y\n",
			"User-agent: *\nDisallow: /*\n",
			"line 2: Disallow: /*.php$: line 4 says the same; line 3: Disallow: /x/*.php$: line 2 says the same; line 5: Disallow: /y: never decides",
		}, {
			"comments, blank lines and records stay",
			"# a\n\nUser-agent: * # b\n# c\nDisallow: /a # d\nCrawl-delay: 3\n\nDisallow: /a/b\n\n# e\nSitemap: http://h/s\n",
			"# a\n\nUser-agent: * # b\n# c\nDisallow: /a # d\nCrawl-delay: 3\n\n# e\nSitemap: http://h/s\n",
			"line 8: Disallow: /a/b: line 5 says the same",
		}, {
			"groups that are equal are told together",
			"User-agent: a\nDisallow: /x\nDisallow: /y\n\nUser-agent: b\nDisallow: /z\n\nUser-agent: c\nDisallow: /y\nDisallow: /x\n",
			"User-agent: a\nUser-agent: c\nDisallow: /x\nDisallow: /y\n\nUser-agent: b\nDisallow: /z\n\n",
			"line 8: User-agent: c: has the rules of the group of line 1; line 9: Disallow: /y: has the rules of the group of line 1; line 10: Disallow: /x: has the rules of the group of line 1",
		}, {
			"a group that repeats that for everyone, but not of a robot that does not obey it",
			"User-agent: *\nDisallow: /x\n\nUser-agent: b\nDisallow: /x\n\nUser-agent: AdsBot-Google\nDisallow: /x\n",
			"User-agent: *\nDisallow: /x\n\nUser-agent: AdsBot-Google\nDisallow: /x\n",
			"line 4: User-agent: b: repeats the group for everyone of line 1; line 5: Disallow: /x: repeats the group for everyone of line 1",
		}, {
			"a group keeps a rule, or it would be joined with the next",
			"User-agent: a\nAllow: /\n\nUser-agent: *\nDisallow: /\n",
			"User-agent: a\nAllow: /\n\nUser-agent: *\nDisallow: /\n",
			"",
		}, {
			"a group that is another one to Google's parser, does not keep others from being told together",
			"User-agent: a\nDisallow: /q\n\nUser-agent: b\nDisallow: /q\n\nUser-agent: c\nDisallow: /q\nDisalow: /z\n\nUser-agent: d\nDisallow: /q\n",
			"User-agent: a\nUser-agent: b\nUser-agent: d\nDisallow: /q\n\nUser-agent: c\nDisallow: /q\nDisalow: /z\n\n",
			"line 4: User-agent: b: has the rules of the group of line 1; line 5: Disallow: /q: has the rules of the group of line 1; line 11: User-agent: d: has the rules of the group of line 1; line 12: Disallow: /q: has the rules of the group of line 1",
		}, {
			"a group with a record of its own is another one",
			"User-agent: a\nDisallow: /x\nCrawl-delay: 1\n\nUser-agent: b\nDisallow: /x\n",
			"User-agent: a\nDisallow: /x\nCrawl-delay: 1\n\nUser-agent: b\nDisallow: /x\n",
			"",
		},
	} {
		m := proof.Minimize(robots.Parse([]byte(test.text)), proof.Options{})
		var why []string
		for _, r := range m.LeftOut {
			why = append(why, r.String())
		}
		if m.Text != test.want || m.Undecided || strings.Join(why, "; ") != test.why {
			t.Errorf("%s: got\n%s\n%s\nwant\n%s\n%s", test.name, m.Text, strings.Join(why, "; "), test.want, test.why)
		}
	}
}

// TestMinimizeBrute compares a file with its minimized form for all short paths.
func TestMinimizeBrute(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 7))
	n := 600
	if testing.Short() {
		n = 60
	}
	before, after := 0, 0
	for range n {
		text := randomText(r)
		if r.IntN(2) == 0 {
			text = changeText(r, text+randomText(r))
		}
		m := proof.Minimize(robots.Parse([]byte(text)), proof.Options{})
		before, after = before+len(text), after+len(m.Text)
		if again := proof.Minimize(robots.Parse([]byte(m.Text)), proof.Options{}); len(again.Text) > len(m.Text) {
			t.Errorf("minimized again, it is longer:\n%s\n%s", m.Text, again.Text)
		}
		for _, d := range []robots.Dialect{robots.RFC9309, robots.Google} {
			p, q := d.Parse([]byte(text)), d.Parse([]byte(m.Text))
			for _, agent := range []string{"FooBot", "BarBot", "OtherBot"} {
				g, h := p.For(agent), q.For(agent)
				for _, path := range paths {
					if g.Allowed(site+path) != h.Allowed(site+path) {
						t.Fatalf("%v, %s: %s was %v, is %v\n%s\n%s", d, agent, path, g.Match(site+path), h.Match(site+path), text, m.Text)
					}
				}
			}
		}
	}
	t.Logf("%d octets, minimized %d", before, after)
}
