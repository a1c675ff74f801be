//go:build !amd64 || purego

package marks

func (l *List) find(text []byte) { l.addSearched(text) }
