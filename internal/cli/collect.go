package cli

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
)

// CollectEarly lets the garbage collector run when the heap has grown by so many percent, and not
// only when it has doubled, unless the user set GOGC. It suits crawls and audits on machines with
// little memory: what they keep lives long, and what they read does not.
func CollectEarly(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// CollectFrom is CollectEarly for a program whose heap soon has a number of bytes. The collector
// does not run before, unless the user set GOMEMLIMIT: while the heap grows from nothing it would
// run a dozen times.
func CollectFrom(bytes int64, percent int) {
	if os.Getenv("GOMEMLIMIT") != "" || os.Getenv("GOGC") != "" {
		CollectEarly(percent)
		return
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(bytes)
	type garbage struct{ _ *garbage }
	runtime.AddCleanup(new(garbage), func(percent int) { // after the first collection
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(math.MaxInt64)
	}, percent)
}
