//go:build unix

package robots_test

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time of this process. The time of the clock says little on a busy
// machine.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
