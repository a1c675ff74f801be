package export_test

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
)

// TestVarnishLongTargets checks that no expression fails at a request, for which Varnish answers 503.
func TestVarnishLongTargets(t *testing.T) {
	p := robots.Parse([]byte("user-agent: *\ndisallow: /*a*b*c*d*e$\ndisallow: /*x/y\ndisallow: /" + strings.Repeat("q", 420) + "\nallow: /*" + strings.Repeat("r", 400)))
	s := start(t, "varnish", write(t, "varnish", p, export.Options{}), write(t, "varnish", p, export.Options{Site: "strict", Equivalents: true}))
	var targets []string
	for _, unit := range []string{"a", "abcd", "x/", "%61", "%C3%A9", "q", "%71", "r%72"} {
		targets = append(targets, "/"+strings.Repeat(unit, 8000/len(unit)), "/"+strings.Repeat(unit, 400), "/"+strings.Repeat(unit, 8000/len(unit))+"e")
	}
	s.compare(t, []*robots.Policy{p}, requestsOf(0, targets, []string{googlebot, chrome}))
	for _, unit := range []string{"/", "/.", "/../", "%2F", "/%2e", "/a/..", "a/", "/x./"} {
		targets = append(targets, "/"+strings.Repeat(unit, 8000/len(unit)), "/"+strings.Repeat(unit, 8000/len(unit))+"?x", "/"+strings.Repeat("/a", 3900)+strings.Repeat("/..", 7)+"/b")
	}
	for i, status := range s.ask(t, requestsOf(1, targets, []string{googlebot, chrome})) {
		if status != 200 && status != 403 {
			t.Errorf("%.40q: %d", targets[i/2], status)
		}
	}
}
