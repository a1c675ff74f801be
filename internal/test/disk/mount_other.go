//go:build !linux

package disk

import (
	"errors"
	"fmt"
	"os/exec"
)

var errNoMounts = fmt.Errorf("mounts of a process's own: %w", errors.ErrUnsupported)

// Isolate gives a command its own mounts, and the right to make some, which Mount
// needs. Some machines forbid it: then the command does not start.
func Isolate(*exec.Cmd) error { return errNoMounts }

// Mount mounts a file system of the given size in bytes at a folder, in memory. It is
// visible to the processes that share the mounts of this one. When it is full, the
// error is "no space left on device". On systems without such file systems the error
// wraps [errors.ErrUnsupported].
func Mount(dir string, size int64) error { return errNoMounts }

// Resize changes the size of a file system that Mount made.
func Resize(dir string, size int64) error { return errNoMounts }

// Unmount removes a file system that Mount made, with its contents.
func Unmount(dir string) error { return errNoMounts }
