//go:build unix

package userfile

import (
	"io/fs"
	"os"
	"syscall"
)

// isOpenToOthers reports whether a file of the user may be read or written by others.
func isOpenToOthers(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid() && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0
}
