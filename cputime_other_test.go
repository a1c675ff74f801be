//go:build !unix

package robots_test

import "time"

var started = time.Now()

// cpuTime returns the time since the process started, on systems without a call for its processor
// time.
func cpuTime() time.Duration { return time.Since(started) }
