// Package filelock has processes take turns by locking a file. A lock is held until it is
// closed, or until the process ends in whatever way: one that is killed leaves none
// behind. It keeps other goroutines of the process out as well.
//
// It works the same on Linux, macOS, the BSDs and Windows, on file systems of this
// machine. On other systems it locks nothing: there the user has to take care that
// only one process writes to a folder.
package filelock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"
)

// ErrLocked is wrapped by errors that tell that somebody else holds a lock.
var ErrLocked = errors.New("another process has locked it")

// A Mode says who else may hold a lock at the same time.
type Mode uint8

// The modes.
const (
	Exclusive Mode = iota // nobody
	Shared                // all others who share it
)

// A Lock is held. It is closed or removed once.
type Lock struct{ file *os.File }

// Try locks a file, which it makes if need be, and which is for nothing else: Windows
// does not let others read what is locked. Where somebody else holds the lock, the
// error wraps ErrLocked.
func Try(name string, mode Mode) (*Lock, error) {
	for {
		file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		if err := lock(file, mode); err != nil {
			file.Close()
			return nil, &os.PathError{Op: "lock", Path: name, Err: err}
		}
		if inPlace(file) {
			return &Lock{file}, nil
		}
		file.Close() // somebody removed it meanwhile, and others lock the next
	}
}

// TryRead shares the lock of a file that the process can read and perhaps not write to. It does
// not make the file: where there is none, the error wraps [os.ErrNotExist].
func TryRead(name string) (*Lock, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if err := lock(file, Shared); err != nil {
		file.Close()
		return nil, &os.PathError{Op: "lock", Path: name, Err: err}
	}
	return &Lock{file}, nil
}

// inPlace reports whether the name of a file still stands for it.
func inPlace(f *os.File) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(f.Name())
	return err == nil && os.SameFile(open, named)
}

// Wait is Try that waits for others, until ctx is done or the time is up. The order in
// which those who wait get the lock is not that in which they came.
func Wait(ctx context.Context, name string, mode Mode, most time.Duration) (*Lock, error) {
	const shortest, longest = time.Millisecond / 4, 10 * time.Millisecond
	start := time.Now()
	for pause := shortest; ; pause = min(2*pause, longest) {
		l, err := Try(name, mode)
		if err == nil || !errors.Is(err, ErrLocked) {
			return l, err
		}
		if waited := time.Since(start); waited >= most {
			return nil, fmt.Errorf("%w for %v", err, waited.Round(time.Millisecond))
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}

// Remove gives an exclusive lock up, and removes the file where the system lets it.
func (l *Lock) Remove() error {
	if runtime.GOOS == "windows" { // which removes no file that is open, here or in the next process
		err := l.file.Close()
		os.Remove(l.file.Name())
		return err
	}
	return errors.Join(os.Remove(l.file.Name()), l.file.Close())
}

// Close gives the lock up. The file stays.
func (l *Lock) Close() error { return errors.Join(unlock(l.file), l.file.Close()) }
