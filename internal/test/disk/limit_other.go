//go:build !(linux || darwin || freebsd)

package disk

import (
	"errors"
	"fmt"
)

// Limit sets the maximum size of files of this process, in bytes, in place of the
// previous limit. The effect is that of a full disk: a write ends midway with the error
// "file too large". On systems without such a limit the error wraps
// [errors.ErrUnsupported].
func Limit(size uint64) error {
	return fmt.Errorf("limit the length of files to %d bytes: %w", size, errors.ErrUnsupported)
}
