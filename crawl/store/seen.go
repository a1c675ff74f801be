package store

import (
	"encoding/binary"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
)

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
	origin, host := "", hostKey{}
	for i := range items {
		it := &items[i]
		if err := it.check(); err != nil {
			return nil, err
		}
		if o := originOf(it.URL); o != origin || it.Partition != host[0] {
			origin, host = o, l.hasher.host(it.Partition, o)
		}
		k := l.hasher.key(it, host)
		if !s.recent.has(&k) {
			l.queries = append(l.queries, query{k, int32(i)})
		}
	}
	if err := s.lookUp(l); err != nil {
		return nil, s.told("look up links", err)
	}
	fresh = make([]int, 0, len(l.queries))
	for i := range l.queries {
		fresh = append(fresh, int(l.queries[i].index))
	}
	slices.Sort(fresh)
	return fresh, nil
}

// A query is one key that is looked up, of an item with this index.
type query struct {
	key   key
	index int32
}

// A lookup is memory that is used again.
type lookup struct {
	queries []query
	hasher  hasher
	key     []byte
}

var lookups = sync.Pool{New: func() any { return new(lookup) }}

// lookup returns a lookup without queries. It is to be freed.
func (s *Store) lookup() *lookup {
	l := lookups.Get().(*lookup)
	l.queries = l.queries[:0]
	l.hasher = hasher{s, append(l.hasher.buf[:0], s.salt[:]...)}
	return l
}

func (l *lookup) free() {
	l.hasher.s = nil
	lookups.Put(l)
}

// lookUp leaves those queries whose key is not in the seen-set, one for each key, in
// the order of keys: neighbours are in one block.
func (s *Store) lookUp(l *lookup) error {
	slices.SortFunc(l.queries, func(a, b query) int {
		if c := compareKeys(&a.key, &b.key); c != 0 {
			return c
		}
		return int(a.index) - int(b.index)
	})
	l.queries = slices.CompactFunc(l.queries, func(a, b query) bool { return a.key == b.key })
	if len(l.queries) == 0 {
		return nil
	}
	it, err := s.db.NewIter(&pebble.IterOptions{
		LowerBound: seenLower,
		UpperBound: seenUpper,
		// Pebble would rather look into the last level itself. But what is not
		// there is asked for as often as what is.
		UseL6Filters: true,
	})
	if err != nil {
		return err
	}
	defer it.Close()
	left := l.queries[:0]
	for i := range l.queries {
		q := l.queries[i]
		l.key = append(append(l.key[:0], seenTable), q.key[:]...)
		if it.SeekPrefixGE(l.key) {
			s.recent.put(&q.key)
		} else if err := it.Error(); err != nil {
			return err
		} else {
			left = append(left, q)
		}
	}
	l.queries = left
	return nil
}

var seenLower, seenUpper = []byte{seenTable}, []byte{seenTable + 1}

// recent remembers 2^20 keys of the seen-set: half of the links are to what was
// linked to a moment ago. A key is known by 83 bits of its hash, 20 of which say
// where it is.
type recent [1 << 20]atomic.Uint64

func (r *recent) slot(k *key) (*atomic.Uint64, uint64) {
	// 0 stands for no key. Partition and crawl are part of what is hashed.
	return &r[binary.BigEndian.Uint32(k[7:])>>12], binary.BigEndian.Uint64(k[11:]) | 1
}

func (r *recent) has(k *key) bool {
	slot, print := r.slot(k)
	return slot.Load() == print
}

func (r *recent) put(k *key) {
	slot, print := r.slot(k)
	slot.Store(print)
}
