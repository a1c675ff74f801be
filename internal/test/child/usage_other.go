//go:build !unix

package child

import (
	"os"
	"time"
)

var started = time.Now()

// CPU returns the processor time of this process, or the time since it started where the standard
// library has no measure. On a busy machine the time of the clock says little.
func CPU() time.Duration { return time.Since(started) }

// Peak returns the peak memory in bytes of a process that has ended, or 0 if the system does not
// report it.
func Peak(*os.ProcessState) int64 { return 0 }
