package proof_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/proof"
)

// allocated returns how many bytes f allocates: what is made again and again shows
// in them, whatever else the machine does.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// hugeLine is a valid file with one line of 2n bytes.
func hugeLine(n int) *robots.Policy {
	return robots.Parse([]byte("User-agent: *\nDisallow: /" + strings.Repeat("*a", n) + "\nDisallow: /x\n"))
}

// TestHugeLineIsLinear asks all that is asked about all paths of a file with one
// huge pattern.
func TestHugeLineIsLinear(t *testing.T) {
	claims, err := proof.ParseClaims("* may fetch /y\n* may not fetch /x\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		ask  func(*robots.Policy)
	}{
		{"prove", func(p *robots.Policy) { proof.Prove(p, claims, proof.Options{Limit: 100}) }},
		{"minimize", func(p *robots.Policy) { proof.Minimize(p, proof.Options{Limit: 100}) }},
		{"portable", func(p *robots.Policy) { proof.Portable(p, proof.Options{Limit: 100}) }},
		{"diff", func(p *robots.Policy) { proof.Diff(p, robots.Parse(nil), proof.Options{Limit: 100}) }},
	} {
		small := allocated(func() { test.ask(hugeLine(12_500)) })
		large := allocated(func() { test.ask(hugeLine(100_000)) })
		t.Logf("%s: %d KB, then %d KB", test.name, small>>10, large>>10)
		if large > 12*small {
			t.Errorf("%s: 8 times the wildcards take %d bytes, not about 8 times %d", test.name, large, small)
		}
	}
}

// TestProveCompilesOnce proves many claims about one group: the rules are made
// ready for the first claim only.
func TestProveCompilesOnce(t *testing.T) {
	claimsOf := func(n int) []proof.Claim {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "* may fetch /y%d\n", i)
		}
		claims, err := proof.ParseClaims(b.String())
		if err != nil {
			t.Fatal(err)
		}
		return claims
	}
	p := hugeLine(50_000)
	one, many := claimsOf(1), claimsOf(20)
	few := allocated(func() { proof.Prove(p, one, proof.Options{Limit: 1}) })
	all := allocated(func() { proof.Prove(p, many, proof.Options{Limit: 1}) })
	if all > few+few/2 {
		t.Errorf("20 claims take %d bytes, and one %d", all, few)
	}
}

