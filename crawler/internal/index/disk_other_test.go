//go:build !(linux || darwin)

package index_test

// writeUntilFull does nothing where a process cannot limit its files.
func writeUntilFull(string) {}

// peakMemory and cpuTime are 0 if unknown.
func peakMemory() int64 { return 0 }
func cpuTime() float64  { return 0 }
