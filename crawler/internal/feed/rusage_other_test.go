//go:build !unix

package feed_test

// processor returns 0 where the standard library has no getrusage.
func processor() float64 { return 0 }
