package warc

import (
	"errors"
	"path/filepath"

	"github.com/robotsexclusion/robots/internal/filelock"
)

// errLocked is the error for a folder that another writer writes to.
var errLocked = errors.New("another writer is at work in this folder: wait for its end, or use another folder")

// lockFolder keeps other processes from writing to a folder, until the lock is removed,
// or the process ends in whatever way.
func lockFolder(dir string) (*filelock.Lock, error) {
	l, err := filelock.Try(filepath.Join(dir, "lock"), filelock.Exclusive)
	if errors.Is(err, filelock.ErrLocked) {
		return nil, errLocked
	}
	return l, err
}
