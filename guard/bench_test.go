package guard_test

import (
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/guard"
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

// TestCost checks that a decision about a plain target allocates nothing.
func TestCost(t *testing.T) {
	g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte(text)))}
	for _, userAgent := range []string{firefox, nobody, gptBot, image} {
		r := request(t, "/private/page?a=b", userAgent)
		g.Decide(r)
		if n := testing.AllocsPerRun(100, func() { g.Decide(r) }); n > 0 {
			t.Errorf("%s: %v allocations", userAgent, n)
		}
	}
}
