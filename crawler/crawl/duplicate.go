package crawl

import (
	"encoding/binary"
	"sync"
	"sync/atomic"
)

// fingerprints is a table of fixed size of the contents seen so far. A new content replaces an
// older one in the same slot. So a large crawl may take an old content for new, but never a
// new content for old.
type fingerprints struct {
	mu    sync.Mutex
	table [1 << 20]uint64
}

// add adds the digest of a content and reports whether it is new.
func (f *fingerprints) add(digest []byte) bool {
	print := binary.LittleEndian.Uint64(digest) | 1
	at := binary.LittleEndian.Uint64(digest[8:]) % uint64(len(f.table))
	f.mu.Lock()
	defer f.mu.Unlock()
	fresh := f.table[at] != print
	f.table[at] = print
	return fresh
}

// phrases is a table of the forms and phrases seen at a site, which works like fingerprints.
// It is safe for concurrent use.
type phrases [1 << 21]atomic.Uint32

// The limits of counting phrases.
const (
	samplePhrases = 256 // if a page has more phrases, one in eight is looked up
	newPhrases    = 50  // a page is new if at least one in this many of its phrases is new
)

// add adds a hash and reports whether it is new.
func (p *phrases) add(hash uint64) bool {
	print := uint32(hash>>32) | 1
	at := &p[hash%uint64(len(p))]
	if at.Load() == print {
		return false
	}
	at.Store(print)
	return true
}

// addAll adds the text, the form and the phrases of a page, and returns how much they repeat
// other pages.
func (p *phrases) addAll(site uint64, s *sketch) (r repeat) {
	if !p.add(mix(site ^ (s.form | s.brief))) {
		r = known
	}
	if s.text != 0 && !p.add(mix(site+s.text)) {
		r = near
	}
	hashes, unseen := s.sample(site), 0
	// The table is larger than the caches. A loop of loads waits for all slots at once, and
	// one that also stores waits for each.
	for _, hash := range hashes {
		p[hash%uint64(len(p))].Load()
	}
	for _, hash := range hashes {
		if p.add(hash) {
			unseen++
		}
	}
	if len(hashes) > 0 && unseen*newPhrases < len(hashes) {
		r = max(r, known)
	}
	return r
}

// sample returns the phrases of s to look up, as hashes for a site. It overwrites s.phrases.
func (s *sketch) sample(site uint64) []uint64 {
	if len(s.phrases) > samplePhrases {
		n := 0
		for _, phrase := range s.phrases {
			s.phrases[n] = phrase
			if phrase%8 == 0 {
				n++
			}
		}
		s.phrases = s.phrases[:n]
	}
	for i, phrase := range s.phrases {
		s.phrases[i] = mix(site ^ phrase)
	}
	return s.phrases
}
