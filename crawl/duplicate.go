package crawl

import (
	"encoding/binary"
	"sync"
)

// fingerprints remembers what contents were seen, in a table of fixed size: of those
// that fall on one place the last stays. So what was seen long ago in a large crawl
// may be taken for new, and never the other way round.
type fingerprints struct {
	mu    sync.Mutex
	table [1 << 20]uint64
}

// add adds the digest of a content, and reports whether it is new.
func (f *fingerprints) add(digest []byte) bool {
	print := binary.LittleEndian.Uint64(digest) | 1
	at := binary.LittleEndian.Uint64(digest[8:]) % uint64(len(f.table))
	f.mu.Lock()
	defer f.mu.Unlock()
	fresh := f.table[at] != print
	f.table[at] = print
	return fresh
}
