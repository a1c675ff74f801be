//go:build unix

package robots_test

import (
	"syscall"
	"time"
)

// cpuTime returns the time that processors have spent on this process: that of the
// clock says little on a busy machine.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
