//go:build !amd64 || purego

package marks

// Vectors says that marks are found faster than by searches for each of them.
const Vectors = false

func (l *List) find(text []byte) { l.add(text, 0) }
