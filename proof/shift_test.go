package proof_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/proof"
)

// readersNamed returns the readers with some names.
func readersNamed(names ...string) (all []proof.Reader) {
	for _, r := range proof.Readers() {
		if slices.Contains(names, r.Name) {
			all = append(all, r)
		}
	}
	return all
}

// others are the readers to which Minimize promises nothing by itself.
var others = readersNamed("bing", "yandex", "apple", "koster1994", "koster1996", "kollar1996")

func TestShifts(t *testing.T) {
	for _, test := range []struct{ name, before, after, want string }{
		{
			"a reader that takes the first rule that matches",
			"User-agent: *\nAllow: /\nDisallow: /a\n", "User-agent: *\nDisallow: /a\n",
			"koster1996: *: /a: was allowed by line 2: Allow: /; is disallowed by line 2: Disallow: /a",
		}, {
			"wildcards that are none",
			"User-agent: *\nDisallow: /*\nDisallow: /y\n", "User-agent: *\nDisallow: /*\n",
			"koster1994: *: /y: was disallowed by line 3: Disallow: /y; is allowed: no rule of the group matches; " +
				"koster1996: *: /y: was disallowed by line 3: Disallow: /y; is allowed: no rule of the group matches; " +
				"kollar1996: *: /y: was disallowed by line 3: Disallow: /y; is allowed: no rule of the group matches",
		}, {
			"another order that says the same",
			"User-agent: *\nDisallow: /a\nDisallow: /b\n", "User-agent: *\nDisallow: /b\nDisallow: /a\n",
			"",
		}, {
			"an engine that weighs rules otherwise",
			"User-agent: *\nDisallow: /a/*/*/*/b\nAllow: /a/x/y\n", "User-agent: *\nDisallow: /a/*/*/*/b\nAllow: /a/x/yz\n",
			"yandex: ",
		},
	} {
		shifts, undecided := proof.Shifts(robots.Parse([]byte(test.before)), robots.Parse([]byte(test.after)), others, proof.Options{})
		var got []string
		for _, s := range shifts {
			got = append(got, s.String())
		}
		if line := strings.Join(got, "; "); undecided || line != test.want && !(test.want == "yandex: " && strings.Contains(line, test.want)) {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, line, test.want)
		}
	}
}

