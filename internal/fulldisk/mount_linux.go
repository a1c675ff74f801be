package fulldisk

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// Isolate has a command get mounts of its own, and the rights to make some, which Mount
// needs. Not every machine lets it: then the command does not start.
func Isolate(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	return nil
}

// Mount makes a folder a file system of its own that has so many bytes, in memory. It is
// seen by the processes with the mounts of this one. When it is full, the error is "no
// space left on device". Where there are no such file systems the error wraps
// [errors.ErrUnsupported].
func Mount(dir string, octets int64) error { return mount(dir, octets, 0) }

// Resize makes a file system that Mount made larger or smaller.
func Resize(dir string, octets int64) error { return mount(dir, octets, syscall.MS_REMOUNT) }

func mount(dir string, octets int64, flags uintptr) error {
	if err := syscall.Mount("fulldisk", dir, "tmpfs", flags, fmt.Sprintf("size=%d", octets)); err != nil {
		return fmt.Errorf("mount a small disk at %s: %w", dir, err)
	}
	return nil
}

// Unmount takes a file system away that Mount made, with what it has.
func Unmount(dir string) error { return syscall.Unmount(dir, syscall.MNT_DETACH) }
