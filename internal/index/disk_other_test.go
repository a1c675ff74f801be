//go:build !(linux || darwin)

package index_test

// writeUntilFull is not run where a process cannot limit its files.
func writeUntilFull(string) {}

// peakMemory and cpuTime are 0 where they are not known.
func peakMemory() int64 { return 0 }
func cpuTime() float64  { return 0 }
