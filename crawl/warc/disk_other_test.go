//go:build !(linux || darwin)

package warc_test

import "time"

// cpuTime returns 0 where it is not known.
func cpuTime() time.Duration { return 0 }

// writeUntilFull is not run where a process cannot limit its files.
func writeUntilFull(string) {}
