//go:build unix

package warc_test

import (
	"syscall"
	"time"
)

// cpuTime returns what this process has used of processors. On a machine that others
// use too it is a better measure than time.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
