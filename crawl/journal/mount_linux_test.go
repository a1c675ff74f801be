package journal_test

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// isolate has a process get mounts of its own.
func isolate(t *testing.T, cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
}

// mountSmall mounts a small file system at a folder, for this process.
func mountSmall(dir string) error {
	return syscall.Mount("journal", dir, "tmpfs", 0, "size=8m")
}
