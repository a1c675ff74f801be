//go:build !linux

package disk

// InMemory moves the temporary folders of this process to memory, if the system has an
// in-memory file system with at least the given number of bytes free. This system has
// none, and InMemory returns false.
func InMemory(free int64) bool { return false }
