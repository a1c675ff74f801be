//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package journal

import (
	"fmt"
	"os"
	"syscall"
)

// lockFile makes a file, and keeps other processes from locking it until it is closed,
// or the process ends in whatever way.
func lockFile(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if err == syscall.EWOULDBLOCK {
			return nil, ErrLocked
		}
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	return f, nil
}
