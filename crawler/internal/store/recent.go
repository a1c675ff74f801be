package store

import (
	"sync"
	"sync/atomic"
)

// A recentItems caches the items of the seen-set that were looked up or committed last: up to 4
// million, in 32 MB. It begins with 128 KB and grows with the number of items, so that a small
// crawl stays small. It identifies an item by a hash of 63 bits, the first of which select the set.
// The hash differs in each process: nobody can make a URL that is mistaken for a seen one, and in a
// thousand million links less than one is mistaken by chance.
//
// The cache pays off because half of the links are to URLs that were linked to a moment
// ago, and because it needs 8 bytes for an item, while a block of a table, read from the
// disk, needs 21.
type recentItems struct {
	sets    atomic.Pointer[recentSets]
	items   atomic.Int64
	growing sync.Mutex
}

// recentSets are sets of items. The index of an item's set is its hash without so many bits.
type recentSets struct {
	sets  []recentSet
	shift uint
}

// A recentSet fits in one cache line.
type recentSet [8]atomic.Uint64

const (
	fewestSetBits = 11 // log2 of the number of sets at the start
	mostSetBits   = 19
)

func newRecentItems() *recentItems {
	r := new(recentItems)
	r.sets.Store(newRecentSets(fewestSetBits))
	return r
}

func newRecentSets(bits uint) *recentSets {
	return &recentSets{make([]recentSet, 1<<bits), 64 - bits}
}

func (s *recentSets) set(print uint64) *recentSet { return &s.sets[print>>s.shift] }

// touch starts to load the memory of an item's set.
func (r *recentItems) touch(print uint64) { r.sets.Load().set(print)[0].Load() }

func (r *recentItems) has(print uint64) bool {
	set := r.sets.Load().set(print)
	for i := range set {
		if set[i].Load() == print {
			return true
		}
	}
	return false
}

// put adds an item, and replaces any other if the set is full.
func (r *recentItems) put(print uint64) {
	sets := r.sets.Load()
	if more := sets.set(print).put(print); more && len(sets.sets) < 1<<mostSetBits &&
		r.items.Add(1) > 2*int64(len(sets.sets)) {
		r.grow(sets)
	}
}

// put reports whether the set has more items than before.
func (s *recentSet) put(print uint64) (more bool) {
	for i := range s {
		switch s[i].Load() {
		case 0:
			s[i].Store(print)
			return true
		case print:
			return false
		}
	}
	s[print>>1%uint64(len(s))].Store(print)
	return false
}

// grow doubles the sets, which have two items each on average, so that hardly one is full. Items
// that are put meanwhile may be missing afterwards.
func (r *recentItems) grow(full *recentSets) {
	r.growing.Lock()
	defer r.growing.Unlock()
	if r.sets.Load() != full {
		return
	}
	next := newRecentSets(64 - full.shift + 1)
	for i := range full.sets {
		for j := range full.sets[i] {
			if print := full.sets[i][j].Load(); print != 0 {
				next.set(print).put(print)
			}
		}
	}
	r.sets.Store(next)
}
