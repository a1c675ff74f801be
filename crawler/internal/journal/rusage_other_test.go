//go:build !unix

package journal_test

// processor returns 0: the standard library has no measure on this system.
func processor() float64 { return 0 }
