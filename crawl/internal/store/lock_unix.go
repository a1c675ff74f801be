//go:build unix

package store

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// lockToRead keeps others from writing to a folder whose lock file cannot be written to, as
// long as it is read. Where there is no such file, or no locks at all, nobody writes there.
func lockToRead(name string) (io.Closer, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return io.NopCloser(nil), nil
	}
	if err != nil {
		return nil, err
	}
	err = syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &syscall.Flock_t{Type: syscall.F_RDLCK, Whence: io.SeekStart})
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) {
		f.Close()
		return nil, ErrLocked
	}
	return f, nil
}
