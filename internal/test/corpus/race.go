//go:build race

package corpus

import "testing"

// Unraced skips the test under the race detector, which makes allocations of its own: a test that
// counts them. It also skips a long test where the detector can find nothing new: one of a single
// goroutine, or one whose goroutines a shorter test runs too.
func Unraced(tb testing.TB) {
	tb.Helper()
	tb.Skip("the race detector is on")
}
