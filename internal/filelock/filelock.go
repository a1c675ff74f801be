// Package filelock coordinates processes by locking files. A lock is held until it is
// closed, or until the process ends in any way: a killed process leaves no lock behind.
// A lock also excludes other goroutines of the process.
//
// The package works the same on Linux, macOS, the BSDs and Windows, on local file
// systems. On other systems it locks nothing: the user must make sure that only one
// process writes to a folder.
package filelock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"
)

// ErrLocked is wrapped by errors for a file that another holder has locked.
var ErrLocked = errors.New("another process has locked it")

// A Mode decides which other locks may be held at the same time.
type Mode uint8

// The modes.
const (
	Exclusive Mode = iota // none
	Shared                // all other shared locks
)

// A Lock is a held lock. Close or remove it once.
type Lock struct{ file *os.File }

// Try locks a file and creates the file if it is missing. Use the file for nothing
// else: Windows does not let other processes read a locked file. If another holder has
// the lock, the error wraps ErrLocked.
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
		file.Close() // the file was removed meanwhile, and others lock its successor
	}
}

// TryRead shares the lock of a file that the process can read, even without permission
// to write. It does not create the file: if the file is missing, the error wraps
// [os.ErrNotExist].
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

// inPlace reports whether the name of a file still refers to it.
func inPlace(f *os.File) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(f.Name())
	return err == nil && os.SameFile(open, named)
}

// Wait is Try with a wait for other holders, until ctx is done or the time is up.
// Waiters do not get the lock in the order of their arrival.
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

// Remove releases an exclusive lock, and removes the file if the system allows.
func (l *Lock) Remove() error {
	if runtime.GOOS == "windows" { // Windows does not remove open files, here or in the next process
		err := l.file.Close()
		os.Remove(l.file.Name())
		return err
	}
	return errors.Join(os.Remove(l.file.Name()), l.file.Close())
}

// Close releases the lock. The file stays.
func (l *Lock) Close() error { return errors.Join(unlock(l.file), l.file.Close()) }
