//go:build !unix

package warc_test

import "time"

// cpuTime returns 0: the standard library has no measure on this system.
func cpuTime() time.Duration { return 0 }
