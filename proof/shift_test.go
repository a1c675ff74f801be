package proof_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
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

// others are the readers that Minimize preserves only if they are listed in its options.
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
			"User-agent: *\nDisallow: /a/*/*/*/b\nAllow: /a/x/y\n",
			"User-agent: *\nDisallow: /a/*/*/*/b\nAllow: /a/x/yz\n",
			"yandex: ",
		},
	} {
		shifts, err := proof.Shifts(robots.Parse([]byte(test.before)), robots.Parse([]byte(test.after)), others,
			proof.Options{})
		var got []string
		for _, s := range shifts {
			got = append(got, s.String())
		}
		if line := strings.Join(got, "; "); err != nil || line != test.want &&
			!(test.want == "yandex: " && strings.Contains(line, test.want)) {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, line, test.want)
		}
	}
}

// TestMinimizeKeep minimizes generated files for more readers, and compares these readers'
// answers for all short paths. If Minimize reports no shift for a file minimized for RFC 9309
// and Google only, the other readers' answers must not have changed. It generates 150 files, or 400
// with ROBOTS_CORPUS_ALL.
func TestMinimizeKeep(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 19))
	n := corpus.Cases(100, 400)
	if testing.Short() {
		n = 40
	}
	smaller, shifted := 0, 0
	for range n {
		text := messyText(r)
		keep := others[r.IntN(len(others)):][:1]
		before := robots.Parse([]byte(text))
		kept, keptErr := proof.Minimize(before, proof.Options{Readers: keep})
		if len(kept.Text) < len(text) {
			smaller++
		}
		sameAnswers(t, keep[0], text, kept.Text)
		if again, _ := proof.Minimize(robots.Parse([]byte(kept.Text)), proof.Options{Readers: keep}); keptErr == nil &&
			again.Text != kept.Text {
			t.Errorf("%v: minimized\n%s\nand again\n%s\nof\n%s", keep, kept.Text, again.Text, text)
		}
		least, _ := proof.Minimize(before, proof.Options{})
		shifts, err := proof.Shifts(before, robots.Parse([]byte(least.Text)), keep, proof.Options{})
		switch {
		case err != nil:
			t.Errorf("%v for %v:\n%s\n%s", err, keep, text, least.Text)
		case len(shifts) > 0:
			shifted++
		default:
			sameAnswers(t, keep[0], text, least.Text)
		}
	}
	t.Logf("%d of %d files smaller, %d with a shift", smaller, n, shifted)
	if smaller < n/4 || shifted < n/20 {
		t.Errorf("only %d of %d files were made smaller, and %d had a shift", smaller, n, shifted)
	}
}

// sameAnswers asks a reader about two files for all short paths.
func sameAnswers(t *testing.T, reader proof.Reader, before, after string) {
	t.Helper()
	if before == after {
		return
	}
	p, q := robots.Parse([]byte(before)), robots.Parse([]byte(after))
	agents := []string{"*", "FooBot", "BarBot", "Googlebot"}
	if engine := map[string]string{"yandex": "YandexBot", "bing": "bingbot",
		"apple": "Applebot"}[reader.Name]; engine != "" {
		agents = []string{engine} // only its own robots read so
	}
	for _, agent := range agents {
		for _, path := range corpus.ShortPaths()[:150] {
			if was, is := reader.Match(p, agent, site+path), reader.Match(q, agent, site+
				path); was.Allowed != is.Allowed {
				t.Fatalf("%v, %s: %s was %v, is %v\n%s\n%s", reader, agent, path, was, is, before, after)
			}
		}
	}
}
