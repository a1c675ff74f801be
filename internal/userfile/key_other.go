//go:build !unix

package userfile

import "io/fs"

// isOpenToOthers returns false: the mode of a file does not say who may read it.
func isOpenToOthers(fs.FileInfo) bool { return false }
