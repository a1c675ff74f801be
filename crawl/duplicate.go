package crawl

import (
	"encoding/binary"
	"sync"
	"sync/atomic"
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

// phrases remembers which forms and phrases were seen at a site, as fingerprints does
// with contents. It is safe for concurrent use.
type phrases [1 << 21]atomic.Uint32

// How phrases are counted.
const (
	samplePhrases = 256 // of a page with more, one in eight is looked up
	newPhrases    = 50  // one in so many is to be new where a page says something new
)

// add adds a hash, and reports whether it is new.
func (p *phrases) add(hash uint64) bool {
	print := uint32(hash>>32) | 1
	at := &p[hash%uint64(len(p))]
	if at.Load() == print {
		return false
	}
	at.Store(print)
	return true
}

// addAll adds the text, the form and the phrases of a page, and returns how much they
// repeat those of others.
func (p *phrases) addAll(site uint64, s *sketch) (r repeat) {
	if !p.add(mix(site ^ (s.form | s.brief))) {
		r = known
	}
	if s.text != 0 && !p.add(mix(site+s.text)) {
		r = near
	}
	n, unseen := 0, 0
	for _, phrase := range s.phrases {
		if len(s.phrases) > samplePhrases && phrase%8 != 0 {
			continue
		}
		if n++; p.add(mix(site ^ phrase)) {
			unseen++
		}
	}
	if n > 0 && unseen*newPhrases < n {
		r = max(r, known)
	}
	return r
}
