//go:build !linux

package fulldisk

import (
	"errors"
	"fmt"
	"os/exec"
)

var errNoMounts = fmt.Errorf("mounts of a process's own: %w", errors.ErrUnsupported)

// Isolate has a command get mounts of its own, and the rights to make some, which Mount
// needs. Not every machine lets it: then the command does not start.
func Isolate(*exec.Cmd) error { return errNoMounts }

// Mount makes a folder a file system of its own that has so many bytes, in memory. It is
// seen by the processes with the mounts of this one. When it is full, the error is "no
// space left on device". Where there are no such file systems the error wraps
// [errors.ErrUnsupported].
func Mount(dir string, octets int64) error { return errNoMounts }

// Resize makes a file system that Mount made larger or smaller.
func Resize(dir string, octets int64) error { return errNoMounts }

// Unmount takes a file system away that Mount made, with what it has.
func Unmount(dir string) error { return errNoMounts }
