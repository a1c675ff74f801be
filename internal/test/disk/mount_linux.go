package disk

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// Isolate gives a command its own mounts, and the right to make some, which Mount
// needs. Some machines forbid it: then the command does not start.
func Isolate(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	return nil
}

// Mount mounts a file system of the given size in bytes at a folder, in memory. It is
// visible to the processes that share the mounts of this one. When it is full, the
// error is "no space left on device". On systems without such file systems the error
// wraps [errors.ErrUnsupported].
func Mount(dir string, size int64) error { return mount(dir, size, 0) }

// Resize changes the size of a file system that Mount made.
func Resize(dir string, size int64) error { return mount(dir, size, syscall.MS_REMOUNT) }

func mount(dir string, size int64, flags uintptr) error {
	if err := syscall.Mount("fulldisk", dir, "tmpfs", flags, fmt.Sprintf("size=%d", size)); err != nil {
		return fmt.Errorf("mount a small disk at %s: %w", dir, err)
	}
	return nil
}

// Unmount removes a file system that Mount made, with its contents.
func Unmount(dir string) error { return syscall.Unmount(dir, syscall.MNT_DETACH) }
