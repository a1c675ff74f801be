package proof_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/proof"
)

func TestPortable(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"User-agent: *\nDisallow: /a\n", nil},
		{"User-agent: *\nDisallow: /*.pdf$\n", []string{
			"*: /.pdf: disallowed by line 2: Disallow: /*.pdf$; but koster1994: allowed: no rule of the group matches",
			"*: /.pdf: disallowed by line 2: Disallow: /*.pdf$; but koster1996: allowed: no rule of the group matches",
			"*: /.pdf: disallowed by line 2: Disallow: /*.pdf$; but kollar1996: allowed: no rule of the group matches",
		}},
		{"User-agent: a\n\nUser-agent: *\nDisallow: /\n", []string{
			"a: /: disallowed by line 4: Disallow: /; but koster1994: allowed: no rule of the group matches",
			"a: /: disallowed by line 4: Disallow: /; but koster1996: allowed: no rule of the group matches",
			"a: /: disallowed by line 4: Disallow: /; but kollar1996: allowed: no rule of the group matches",
		}},
		{"User-agent: *\nDisallow: /\nAllow: /a/index.html\n", []string{
			"*: /a/: disallowed by line 2: Disallow: /; but google: allowed by line 3: Allow: /a/index.html",
			"*: /a/index.html: allowed by line 3: Allow: /a/index.html; but koster1994: disallowed by line 2: Disallow: /",
			"*: /a/index.html: allowed by line 3: Allow: /a/index.html; but koster1996: disallowed by line 2: Disallow: /",
			"*: /a/index.html: allowed by line 3: Allow: /a/index.html; but kollar1996: disallowed by line 2: Disallow: /",
		}},
	} {
		divergences, undecided := proof.Portable(parse(test.text), proof.Options{})
		var got []string
		for _, d := range divergences {
			got = append(got, d.String())
		}
		if undecided || !slices.Equal(got, test.want) {
			t.Errorf("%q: undecided %t, got\n%q\nwant\n%q", test.text, undecided, got, test.want)
		}
	}
}

// TestPortableBrute looks at all short paths for divergences that were missed.
func TestPortableBrute(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 19))
	n := 200
	if testing.Short() {
		n = 20
	}
	for range n {
		text := randomText(r)
		policy := parse(text)
		divergences, undecided := proof.Portable(policy, proof.Options{Agents: []string{"FooBot"}})
		if undecided {
			t.Fatalf("undecided\n%s", text)
		}
		for _, d := range robots.Dialects() {
			closed, opened := false, false
			for _, path := range paths {
				here, there := policy.For("FooBot").Allowed(site+path), policy.In(d).For("FooBot").Allowed(site+path)
				closed, opened = closed || here && !there, opened || !here && there
			}
			for _, v := range divergences {
				if v.Dialect == d {
					closed, opened = closed && !v.Match.Allowed, opened && v.Match.Allowed
				}
			}
			if closed || opened {
				t.Fatalf("%v: closes %t, opens %t, in none of %v\n%s", d, closed, opened, divergences, text)
			}
		}
	}
}
