//go:build !unix

package robots_test

import "time"

var started = time.Now()

// cpuTime returns the time since the process started, where nothing tells how much of
// it processors have spent on it.
func cpuTime() time.Duration { return time.Since(started) }
