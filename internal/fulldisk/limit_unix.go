//go:build linux || darwin || freebsd

package fulldisk

import (
	"fmt"
	"os/signal"
	"syscall"
)

// Limit sets how long a file of this process may become, in bytes, in place of the limit
// before. It is as if the disk were full: a write ends in its midst, with the error "file
// too large". On systems that have no such limit the error wraps
// [errors.ErrUnsupported].
func Limit(octets uint64) error {
	signal.Ignore(syscall.SIGXFSZ) // the error is enough
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &l); err != nil {
		return fmt.Errorf("read the limit of the length of files: %w", err)
	}
	l.Cur = atMost(octets, l.Max)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &l); err != nil {
		return fmt.Errorf("limit the length of files to %d bytes: %w", octets, err)
	}
	return nil
}

// atMost returns the smaller number. Systems do not agree about the type of limits.
func atMost[T int64 | uint64](octets uint64, most T) T { return min(T(octets), most) }
