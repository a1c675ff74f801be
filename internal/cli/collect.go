package cli

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
)

// CollectEarly sets the percentage by which the heap grows between two runs of the garbage
// collector, unless the user set GOGC. A low percentage suits crawls and audits on machines with
// little memory: the data they keep is long-lived, and the data they read is not.
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
