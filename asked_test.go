package robots_test

import (
	"testing"

	"github.com/robotsexclusion/robots"
)

// TestDialectAnswers checks the exported answers of the dialects against what the dialects do.
func TestDialectAnswers(t *testing.T) {
	paths := map[robots.Dialect]string{
		robots.RFC9309:    "/%3B~%C3%A9",
		robots.Google:     "/%3B%7E\u00e9",
		robots.Koster1994: "/;~\u00e9",
		robots.Koster1996: "/;~\u00e9",
		robots.Kollar1996: "/;~\u00e9",
	}
	for _, d := range robots.Dialects() {
		g := d.Parse([]byte("User-agent: *\nDisallow: /\nDisallow: /ab\n")).For("a")
		if got := g.Match("/ab").Rule.Line == 2; got != d.FirstMatch() {
			t.Errorf("%v: the first rule decides: %t, FirstMatch says %t", d, got, d.FirstMatch())
		}
		if got := g.Match("/robots.txt").Allowed; got != d.AllowsRobotsFile() {
			t.Errorf("%v: robots.txt is allowed: %t, AllowsRobotsFile says %t", d, got, d.AllowsRobotsFile())
		}
		if got := d.Path("/%3B%7E\u00e9"); got != paths[d] {
			t.Errorf("%v: compares %s, want %s", d, got, paths[d])
		}
	}
}
