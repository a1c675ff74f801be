//go:build !(linux || darwin || freebsd)

package fulldisk

import (
	"errors"
	"fmt"
)

// Limit sets how long a file of this process may become, in bytes, in place of the limit
// before. It is as if the disk were full: a write ends in its midst, with the error "file
// too large". On systems that have no such limit the error wraps
// [errors.ErrUnsupported].
func Limit(octets uint64) error {
	return fmt.Errorf("limit the length of files to %d bytes: %w", octets, errors.ErrUnsupported)
}
