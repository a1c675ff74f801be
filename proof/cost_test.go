package proof_test

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/proof"
)

// allocated returns the fewest bytes that f allocates in some runs. Each run starts
// with empty pools: else a small run uses memory that a large one left in them, or the
// other way round, and the race detector drops some of what is put into a pool.
func allocated(f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection would empty them in the middle
	least := uint64(math.MaxUint64)
	for range 3 {
		runtime.GC()
		runtime.GC() // pools keep what they have for one collection
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

// hugeLine is a valid file with one line of 2n bytes.
func hugeLine(n int) *robots.Policy {
	return robots.Parse([]byte("User-agent: *\nDisallow: /" + strings.Repeat("*a", n) + "\nDisallow: /x\n"))
}

// TestHugeLineIsLinear asks all questions about all paths of a file with one huge
// pattern. A pattern of 8 times the length takes about 8 times the memory: twice that
// where a pool kept nothing, and 64 times where the cost is quadratic. The bound is
// between these.
func TestHugeLineIsLinear(t *testing.T) {
	claims, err := proof.ParseClaims("* may fetch /y\n* may not fetch /x\n")
	fatal.If(t, err)
	for _, test := range []struct {
		name string
		ask  func(*robots.Policy)
	}{
		{"prove", func(p *robots.Policy) { proof.Prove(p, claims, proof.Options{Limit: 100}) }},
		{"minimize", func(p *robots.Policy) { proof.Minimize(p, proof.Options{Limit: 100}) }},
		{"portable", func(p *robots.Policy) { proof.Portable(p, proof.Options{Limit: 100}) }},
		{"diff", func(p *robots.Policy) { proof.Diff(p, robots.Parse(nil), proof.Options{Limit: 100}) }},
	} {
		small := allocated(func() { test.ask(hugeLine(5_000)) })
		large := allocated(func() { test.ask(hugeLine(40_000)) })
		t.Logf("%s: %d KB, then %d KB", test.name, small>>10, large>>10)
		if large > 24*small {
			t.Errorf("%s: 8 times the wildcards take %d bytes, not about 8 times %d", test.name, large, small)
		}
	}
}

// TestProveCompilesOnce proves many claims about one group: only the first claim compiles
// the rules.
func TestProveCompilesOnce(t *testing.T) {
	claimsOf := func(n int) []proof.Claim {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "* may fetch /y%d\n", i)
		}
		claims, err := proof.ParseClaims(b.String())
		fatal.If(t, err)
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

// TestCoveredIsSeen removes a rule that a shorter rule makes redundant, among rules with
// several wildcards. Comparing the positions of a path in all of these rules would take too
// many cases.
func TestCoveredIsSeen(t *testing.T) {
	covered := "Disallow: /x/*/facets/feature-materialtype\n"
	others := "Disallow: /x/*/facets/feature-material\nAllow: /x/*/facets/*fit*/*/\n"
	for _, word := range strings.Fields("apparel clothes stretch graphic gender distress closure sustained") {
		others += "Disallow: */facets/*" + word + "*/*/*\nAllow: *" + word + "/*colorgroup*\n"
	}
	with := robots.Parse([]byte("User-agent: *\n" + others + covered))
	without := robots.Parse([]byte("User-agent: *\n" + others))
	few := proof.Options{Limit: 5000}
	for _, test := range [][2]*robots.Policy{{with, without}, {without, with}} {
		if d, err := proof.Diff(test[0], test[1], few); err != nil || !d.Equal() {
			t.Errorf("changes %v, undecided for %v", d.Changes, d.Undecided)
		}
	}
	if breaches, err := proof.Breaches(with, []*robots.Policy{without, with}, few); err != nil || len(breaches) > 0 {
		t.Errorf("breaches: error %v, %v", err, breaches)
	}
}

// TestExamplesAreGuessed minimizes and compares files for which a search would try very many
// ways to match some of the rules before it found the plain path that is an example.
func TestExamplesAreGuessed(t *testing.T) {
	var b strings.Builder
	b.WriteString("User-agent: *\nAllow: /*.css\n")
	for _, word := range strings.Fields("app shoe diapers hdd perfume display ship price color brand rating") {
		fmt.Fprintf(&b, "Disallow: /*%s_size=\nDisallow: *%s&*node=\nDisallow: /jobs/*%s*town\nAllow: /jobs/*%s\n",
			word, word, word, word)
	}
	few := proof.Options{Limit: 2000}
	if _, err := proof.Minimize(robots.Parse([]byte(b.String())), few); err != nil {
		t.Error(err)
	}
	more := robots.Parse([]byte(b.String() + "Disallow: /*new_size=\nAllow: *new&*node=\n"))
	if d, err := proof.Diff(robots.Parse([]byte(b.String())), more, few); err != nil || len(d.Changes) != 2 {
		t.Errorf("undecided for %v; %v", d.Undecided, d.Changes)
	}
}
