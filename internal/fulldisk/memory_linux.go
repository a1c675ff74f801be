package fulldisk

import (
	"os"
	"syscall"
)

// shared is the folder of Linux that is in memory.
const shared = "/dev/shm"

// tmpfs is how Linux calls a file system in memory.
const tmpfs = 0x01021994

// InMemory makes the temporary folders of this process in memory, if the system has a file
// system there with at least so many bytes free. Tests that sync many small files then do not
// wait for a disk; what a process that is killed leaves behind is the same. It reports whether
// it did, and does nothing where TMPDIR says already where temporary folders are to be.
func InMemory(free int64) bool {
	var s syscall.Statfs_t
	if os.Getenv("TMPDIR") != "" || syscall.Statfs(shared, &s) != nil || s.Type != tmpfs || int64(s.Bavail)*int64(s.Bsize) < free {
		return false
	}
	dir, err := os.MkdirTemp(shared, "robots")
	if err != nil {
		return false
	}
	os.Remove(dir)
	return os.Setenv("TMPDIR", shared) == nil
}
