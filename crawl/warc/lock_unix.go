//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package warc

import (
	"os"
	"syscall"
)

// lockFolder keeps other processes from writing to a folder, until the file that it
// returns is closed, or the process ends in whatever way.
func lockFolder(name string) (*os.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if err == syscall.EWOULDBLOCK {
			return nil, errLocked
		}
		return nil, os.NewSyscallError("flock", err)
	}
	return f, nil
}
