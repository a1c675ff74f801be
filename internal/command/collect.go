package command

import (
	"os"
	"runtime/debug"
)

// CollectEarly lets the garbage collector run when the heap has grown by so many percent, and not only when
// it has doubled, unless the user set GOGC. It suits crawls and audits on machines with little memory: what
// they keep lives long, and what they read does not.
func CollectEarly(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
