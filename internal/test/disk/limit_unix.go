//go:build linux || darwin || freebsd

package disk

import (
	"fmt"
	"os/signal"
	"syscall"
)

// Limit sets the maximum size of files of this process, in bytes, in place of the
// previous limit. The effect is that of a full disk: a write ends midway with the error
// "file too large". On systems without such a limit the error wraps
// [errors.ErrUnsupported].
func Limit(size uint64) error {
	signal.Ignore(syscall.SIGXFSZ) // the error suffices
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &l); err != nil {
		return fmt.Errorf("read the limit of the length of files: %w", err)
	}
	l.Cur = atMost(size, l.Max)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &l); err != nil {
		return fmt.Errorf("limit the length of files to %d bytes: %w", size, err)
	}
	return nil
}

// atMost returns the smaller number. The type of limits differs between systems.
func atMost[T int64 | uint64](size uint64, most T) T { return min(T(size), most) }
