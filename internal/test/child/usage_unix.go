//go:build unix

package child

import (
	"os"
	"runtime"
	"syscall"
	"time"
)

// CPU returns the processor time of this process, or the time since it started where the standard
// library has no measure. On a busy machine the time of the clock says little.
func CPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Peak returns the peak memory in bytes of a process that has ended, or 0 if the system does not
// report it.
func Peak(p *os.ProcessState) int64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	switch {
	case !ok:
		return 0
	case runtime.GOOS == "darwin":
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}
