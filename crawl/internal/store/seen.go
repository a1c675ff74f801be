package store

import (
	"encoding/binary"
	"hash/maphash"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
)

// A seenSet looks URLs up in the seen-set, with what is known of it in memory.
type seenSet struct {
	db     *pebble.DB
	recent *recent
	absent *absent
}

// Unseen tells which of the items are not in the seen-set: their indexes, in order.
// Of items that are twice among them only the first counts. It does not put them
// there, and what is in a [Batch] that has not been committed counts as unseen;
// committing an item that is in the seen-set by then changes nothing.
//
// An item whose URL is too long, or not in canonical form, is an error.
func (s *Store) Unseen(items []Item) (fresh []int, err error) {
	if err := s.use(); err != nil {
		return nil, err
	}
	defer s.done()
	l := s.lookup()
	defer l.free()
	l.queries = slices.Grow(l.queries, len(items))
	since := s.seen.absent.commits.Load()
	origin, host := "", hostKey{}
	for i := range items {
		it := &items[i]
		if err := it.check(); err != nil {
			return nil, err
		}
		print := Fingerprint(it.Partition, it.Crawl, it.URL)
		if s.seen.recent.has(print) {
			continue
		}
		if o := originOf(it.URL); o != origin || it.Partition != host[0] {
			origin, host = o, l.hasher.host(it.Partition, o)
		}
		l.queries = append(l.queries, query{l.hasher.key(it, host), print, int32(i)})
	}
	if err := s.seen.lookUp(l); err != nil {
		return nil, s.wrap("look up links", err)
	}
	s.seen.absent.put(l.queries, since)
	fresh = make([]int, 0, len(l.queries))
	for i := range l.queries {
		fresh = append(fresh, int(l.queries[i].index))
	}
	slices.Sort(fresh)
	return fresh, nil
}

// SeenLately sets those fingerprints to 0 whose items are known to be in the seen-set
// without looking there, as most links are that many pages have. Where they are not,
// [Store.Unseen] tells. It takes some nanoseconds for each, and least for many at once,
// as the memory in which they are is waited for together.
func (s *Store) SeenLately(prints []uint64) {
	for len(prints) > 0 {
		some := prints[:min(len(prints), 64)]
		prints = prints[len(some):]
		for _, print := range some {
			s.seen.recent.set(print)[0].Load() // which others need not wait for
		}
		for i, print := range some {
			if s.seen.recent.has(print) {
				some[i] = 0
			}
		}
	}
}

// A query is one key that is looked up, of an item with this index.
type query struct {
	key   key
	print uint64 // of the item
	index int32
}

// A lookup is memory that is used again.
type lookup struct {
	queries []query
	hasher  hasher
}

var lookups = sync.Pool{New: func() any { return new(lookup) }}

// lookup returns a lookup without queries. It is to be freed.
func (s *Store) lookup() *lookup {
	l := lookups.Get().(*lookup)
	l.queries = l.queries[:0]
	l.hasher = hasher{&s.hostIDs, append(l.hasher.buf[:0], s.salt[:]...)}
	return l
}

func (l *lookup) free() {
	l.hasher.ids = nil
	lookups.Put(l)
}

// A goroutine is worth it for so many queries, which are some milliseconds of work.
// More goroutines than so many are more than a crawler needs.
const (
	enoughQueries = 1 << 10
	maxSeekers    = 4
)

// lookUp leaves those queries whose key is not in the seen-set, one for each key, in
// the order of keys: neighbours are in one block.
func (s *seenSet) lookUp(l *lookup) error {
	slices.SortFunc(l.queries, func(a, b query) int {
		if c := compareKeys(&a.key, &b.key); c != 0 {
			return c
		}
		return int(a.index) - int(b.index)
	})
	l.queries = slices.CompactFunc(l.queries, func(a, b query) bool { return a.key == b.key })
	n := len(l.queries)
	seekers := min(n/enoughQueries, maxSeekers, runtime.GOMAXPROCS(0))
	if seekers <= 1 {
		left, err := s.missing(l.queries)
		l.queries = left
		return err
	}
	var parts [maxSeekers][]query
	var errs [maxSeekers]error
	var all sync.WaitGroup
	for i := range seekers {
		some := l.queries[i*n/seekers : (i+1)*n/seekers]
		all.Go(func() { parts[i], errs[i] = s.missing(some) })
	}
	all.Wait()
	l.queries = l.queries[:0]
	for i, part := range parts {
		if errs[i] != nil {
			return errs[i]
		}
		l.queries = append(l.queries, part...)
	}
	return nil
}

// missing leaves those queries whose key is not in the seen-set.
func (s *seenSet) missing(queries []query) ([]query, error) {
	left := queries[:0]
	if len(queries) == 0 {
		return left, nil
	}
	it, err := s.db.NewIter(&pebble.IterOptions{
		LowerBound: seenLower,
		UpperBound: seenUpper,
		// Pebble would rather look into the last level itself. But what is not
		// there is asked for as often as what is.
		UseL6Filters: true,
	})
	if err != nil {
		return left, err
	}
	defer it.Close()
	buf := make([]byte, 0, 1+len(key{}))
	for i := range queries {
		q := queries[i]
		if it.SeekPrefixGE(appendSeenKey(buf, &q.key)) {
			s.recent.put(q.print)
		} else if err := it.Error(); err != nil {
			return left, err
		} else {
			left = append(left, q)
		}
	}
	return left, nil
}

var seenLower, seenUpper = []byte{seenTable}, []byte{seenTable + 1}

// recent remembers 4 million items of the seen-set, in 32 MB: those that were looked up
// or committed last. An item is known by a hash of 63 bits, 19 of which say which set it
// is in. The hash is another in each process: nobody can make a URL that is taken for one
// that was seen, and in a thousand million links less than one is by chance.
//
// It is there because half of the links are to what was linked to a moment ago, and
// because it needs 8 bytes for an item, where a block of a table, read from the disk,
// has 21.
type recent [1 << 19]recentSet

// A recentSet is of one cache line.
type recentSet [8]atomic.Uint64

var printSeed = maphash.MakeSeed()

// Fingerprint returns the hash by which [Store.SeenLately] knows an item, which is not 0.
// The same item has another one in another process.
func Fingerprint(partition uint8, crawl uint16, url string) uint64 {
	which := uint64(partition)<<16 | uint64(crawl)
	return maphash.String(printSeed, url) ^ which*0x9e3779b97f4a7c15 | 1
}

func (r *recent) set(print uint64) *recentSet { return &r[print>>45] }

func (r *recent) has(print uint64) bool {
	set := r.set(print)
	for i := range set {
		if set[i].Load() == print {
			return true
		}
	}
	return false
}

// put puts an item there, in place of any other if the set is full.
func (r *recent) put(print uint64) {
	set := r.set(print)
	for i := range set {
		switch set[i].Load() {
		case 0:
			set[i].Store(print)
			return
		case print:
			return
		}
	}
	set[print>>1%uint64(len(set))].Store(print)
}

// absent remembers some keys that Unseen did not find, as most of them are committed
// next: they need not be looked up again. None of them is in the seen-set.
type absent struct {
	commits atomic.Uint64 // how many there were

	mu   sync.Mutex
	keys [1 << 15]key
}

func (a *absent) slot(k *key) *key { return &a.keys[binary.BigEndian.Uint16(k[7:])>>1] }

// put puts keys there that were not found, if nothing was committed since.
func (a *absent) put(queries []query, since uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.commits.Load() != since {
		return
	}
	for i := range queries {
		*a.slot(&queries[i].key) = queries[i].key
	}
}

// has reports whether a key is known not to be in the seen-set. Nothing is to be
// committed meanwhile.
func (a *absent) has(k *key) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return *a.slot(k) == *k
}

// committed says that changes have been committed.
func (a *absent) committed(changes []change) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.commits.Add(1)
	for i := range changes {
		if k := &changes[i].key; *a.slot(k) == *k {
			*a.slot(k) = key{}
		}
	}
}
