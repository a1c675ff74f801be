//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package warc

import "os"

// lockFolder locks nothing: where the standard library has no way to, the user has
// to take care that only one process writes to a folder.
func lockFolder(string) (*os.File, error) { return nil, nil }
