package pathset_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/pathset"
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

