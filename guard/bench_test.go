package guard_test

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

func BenchmarkDecide(b *testing.B) {
	g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte(text)))}
	for _, test := range []struct{ name, userAgent, target string }{
		{"browser", firefox, "/private/page"},
		{"robot", nobody, "/private/page"},
		{"named", gptBot, "/private/page?a=b"},
		{"escaped", nobody, "/a%2Fb/../c/page"},
	} {
		b.Run(test.name, func(b *testing.B) {
			r := request(b, test.target, test.userAgent)
			b.ReportAllocs()
			for b.Loop() {
				g.Decide(r)
			}
		})
	}
}

// TestCost checks that a decision about a target allocates nothing, unless the target is refused in
// another form.
func TestCost(t *testing.T) {
	corpus.Unraced(t)
	g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte(text)))}
	for _, target := range []string{"/private/page?a=b", "/a%2Fb/../c/page", "//a*$/%2f..//b/%c3%a4?" +
		strings.Repeat("%c3*", 25)} {
		for _, userAgent := range []string{firefox, nobody, gptBot, image} {
			r := request(t, target, userAgent)
			g.Decide(r)
			if n := testing.AllocsPerRun(100, func() { g.Decide(r) }); n > 0 {
				t.Errorf("%s of %s: %v allocations", target, userAgent, n)
			}
		}
	}
}
