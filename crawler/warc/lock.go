package warc

import (
	"errors"
	"path/filepath"

	"github.com/robotsexclusion/robots/internal/filelock"
)

// errLocked is the error for a folder that has another writer.
var errLocked = errors.New("another writer is at work in this folder: wait for its end, or use another folder")

// lockFolder locks a folder against other writers, until the lock is removed, or the
// process ends for any reason.
func lockFolder(dir string) (*filelock.Lock, error) {
	l, err := filelock.Try(filepath.Join(dir, "lock"), filelock.Exclusive)
	if errors.Is(err, filelock.ErrLocked) {
		return nil, errLocked
	}
	return l, err
}
