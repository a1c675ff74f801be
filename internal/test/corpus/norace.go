//go:build !race

package corpus

import "testing"

// Unraced skips the test under the race detector.
func Unraced(testing.TB) {}
