package pathset_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// allocated returns how many bytes f allocates: copies of a text that grows show in
// them, whatever else the machine does.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestCompileIsLinear compiles one pattern of very many wildcards.
func TestCompileIsLinear(t *testing.T) {
	compile := func(n int) uint64 {
		g := robots.Parse([]byte("User-agent: *\nDisallow: /" + strings.Repeat("*a", n) + "\n")).For("*")
		return allocated(func() { pathset.Compile(g) })
	}
	small, large := compile(12_500), compile(100_000)
	if large > 12*small {
		t.Errorf("8 times the wildcards take %d bytes, not about 8 times %d", large, small)
	}
}

// TestSpendFirst asks for paths that are tried before a search.
func TestSpendFirst(t *testing.T) {
	s := pathset.Of(robots.RFC9309, "/*a")
	for _, test := range []struct {
		first, want string
		budget      int
	}{
		{"/longer/than/a", "/longer/than/a", 10},
		{"/b", "/a", 10},                                // it is not in the set
		{"/" + strings.Repeat("a", 20_000), "/a", 10},   // it costs more than there is
		{"/%61a", "/a", 10},                             // it is not in normal form
		{"xa", "/a", 10},                                // it is not a path
		{"/x" + strings.Repeat("y", 50_000), "/a", 100}, // it costs much, and is not in the set
	} {
		budget := test.budget
		got, ok, err := s.Spend(&budget, test.first)
		if got != test.want || !ok || err != nil || budget < 0 {
			t.Errorf("%.20s: got %s, %v, %v with %d left, want %s", test.first, got, ok, err, budget, test.want)
		}
	}
}
