//go:build unix

package userfile

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a new file to the owner of the one that it replaces. Only the superuser may give
// files away; for others a file that somebody else owns becomes theirs.
func keepOwner(f *os.File, info fs.FileInfo) {
	if was, ok := info.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(was.Uid), int(was.Gid)) // the text matters more
	}
}
