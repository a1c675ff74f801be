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

// A seenSet looks up URLs in the seen-set, with caches in memory.
type seenSet struct {
	db     *pebble.DB
	recent *recentItems
	absent *absentKeys
}

// Unseen returns the indexes of the items that are not in the seen-set, in order. Of
// equal items only the first counts. Unseen does not add them to the seen-set, and items
// of an uncommitted [Batch] count as unseen; committing an item that has been added
// meanwhile changes nothing.
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

// SeenLately sets the fingerprints of items to 0 if a cache in memory shows that the
// items are in the seen-set, as for links that many pages share. For the others, ask
// [Store.Unseen]. SeenLately takes some nanoseconds for each fingerprint, and least for
// many at once, because it waits for their memory together.
func (s *Store) SeenLately(prints []uint64) {
	for len(prints) > 0 {
		some := prints[:min(len(prints), 64)]
		prints = prints[len(some):]
		for _, print := range some {
			s.seen.recent.touch(print) // the others do not wait for its memory
		}
		for i, print := range some {
			if s.seen.recent.has(print) {
				some[i] = 0
			}
		}
	}
}

// A query is the lookup of one key. The index is that of its item.
type query struct {
	key   key
	print uint64 // fingerprint of the item
	index int32
}

// A lookup is reusable memory for queries.
type lookup struct {
	queries []query
	hasher  hasher
}

var lookups = sync.Pool{New: func() any { return new(lookup) }}

// lookup returns a lookup without queries. The caller must free it.
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

// A goroutine pays off for this many queries, which are some milliseconds of work. A
// crawler does not need more goroutines than this maximum.
const (
	enoughQueries = 1 << 10
	maxSeekers    = 4
)

// lookUp keeps the queries whose key is not in the seen-set, one for each key, sorted by
// key: neighbours are in one block.
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

// missing keeps the queries whose key is not in the seen-set.
func (s *seenSet) missing(queries []query) ([]query, error) {
	left := queries[:0]
	if len(queries) == 0 {
		return left, nil
	}
	it, err := s.db.NewIter(&pebble.IterOptions{
		LowerBound: seenLower,
		UpperBound: seenUpper,
		// By default Pebble searches the last level without a filter. But missing keys
		// are as frequent here as present ones.
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

var printSeed = maphash.MakeSeed()

// Fingerprint returns the hash of an item for [Store.SeenLately], which is not 0. The
// hash of the same item differs in another process.
func Fingerprint(partition uint8, crawl uint16, url string) uint64 {
	which := uint64(partition)<<16 | uint64(crawl)
	return maphash.String(printSeed, url) ^ which*0x9e3779b97f4a7c15 | 1
}

// An absentKeys caches some keys that Unseen did not find, because most of them are committed
// next: Commit need not look them up again. None of them is in the seen-set.
type absentKeys struct {
	commits atomic.Uint64 // number of commits

	mu   sync.Mutex
	keys [1 << 15]key
}

func (a *absentKeys) slot(k *key) *key { return &a.keys[binary.BigEndian.Uint16(k[7:])>>1] }

// put adds keys that were not found, unless there was a commit since.
func (a *absentKeys) put(queries []query, since uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.commits.Load() != since {
		return
	}
	for i := range queries {
		*a.slot(&queries[i].key) = queries[i].key
	}
}

// has reports whether a key is known to be missing from the seen-set. The caller must
// prevent commits meanwhile.
func (a *absentKeys) has(k *key) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return *a.slot(k) == *k
}

// committed removes the keys of committed changes.
func (a *absentKeys) committed(changes []change) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.commits.Add(1)
	for i := range changes {
		if k := &changes[i].key; *a.slot(k) == *k {
			*a.slot(k) = key{}
		}
	}
}
