//go:build !unix

package userfile

import (
	"io/fs"
	"os"
)

// keepOwner does nothing where files have no owner that a program may set.
func keepOwner(*os.File, fs.FileInfo) {}
