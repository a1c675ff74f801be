package store

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// someKey returns one of n keys, as random as hashes are.
func someKey(n uint64) (k key) {
	random := rand.New(rand.NewPCG(n, 3))
	for i := range k {
		k[i] = byte(random.Uint32())
	}
	return k
}

// TestRecent puts more items into recent than fit: recent has the items put last, and no
// item that was not put.
func TestRecent(t *testing.T) {
	r := newRecentItems()
	r.sets.Store(newRecentSets(mostSetBits))
	const n = 10_000
	for i := range uint64(n) {
		print := sharing(i)
		r.put(print)
		r.put(print)
		if !r.has(print) {
			t.Fatalf("item %d is not there", i)
		}
	}
	had := 0
	for i := range uint64(2 * n) {
		if r.has(sharing(i)) {
			had++
			if i >= n {
				t.Errorf("item %d is there, and was not put", i)
			}
		}
	}
	if had != 8*len(recentSet{}) {
		t.Errorf("%d items are there, want %d", had, 8*len(recentSet{}))
	}
}

// TestRecentGrows puts random items: the cache has nearly all of them, as long as they fit, in
// eight times their size at most.
func TestRecentGrows(t *testing.T) {
	r := newRecentItems()
	item := func(i uint64) uint64 { return Fingerprint(1, 2, fmt.Sprint("http://a.example/", i)) }
	const n = 200_000
	for i := range uint64(n) {
		r.put(item(i))
		if !r.has(item(i)) {
			t.Fatalf("item %d is not there", i)
		}
	}
	had := 0
	for i := range uint64(n) {
		if r.has(item(i)) {
			had++
		}
		if r.has(item(i + n)) {
			t.Errorf("item %d is there, and was not put", i+n)
		}
	}
	if size := len(r.sets.Load().sets) * len(recentSet{}); had < n*999/1000 || size > 8*n {
		t.Errorf("%d of %d items are there, in %d places", had, n, size)
	}
}

// sharing returns one of many fingerprints that share 8 sets.
func sharing(i uint64) uint64 {
	return Fingerprint(1, 2, fmt.Sprint("http://a.example/", i))&^(0xffff<<48) | 1
}

// TestAbsent checks when a key is known to be missing from the seen-set.
func TestAbsent(t *testing.T) {
	s, err := Open(Options{Dir: t.TempDir()})
	fatal.If(t, err)
	defer s.Close()
	items := []Item{{URL: "http://a.example/1"}, {URL: "http://a.example/2"}}
	var keys []key
	l := s.lookup()
	for i := range items {
		keys = append(keys, l.hasher.key(&items[i], l.hasher.host(0, "http://a.example")))
	}
	l.free()
	want := func(first, second bool) {
		t.Helper()
		if a, b := s.seen.absent.has(&keys[0]), s.seen.absent.has(&keys[1]); a != first || b != second {
			t.Errorf("absent are %v and %v, want %v and %v", a, b, first, second)
		}
	}
	want(false, false)
	if _, err := s.Unseen(items); err != nil {
		t.Fatal(err)
	}
	want(true, true)
	since := s.seen.absent.commits.Load()
	b := s.Batch(0)
	b.Seen(items[0])
	fatal.If(t, b.Commit(1))
	want(false, true)
	// Lookups before the commit no longer count.
	s.seen.absent.put([]query{{key: keys[0]}}, since)
	want(false, true)
	if _, err := s.Unseen(items); err != nil {
		t.Fatal(err)
	}
	want(false, true)
}

// TestAtOnce looks up and commits the same links in several goroutines, as records of
// their own partitions and of a shared one: each URL is seen once.
func TestAtOnce(t *testing.T) {
	s, err := Open(Options{Dir: t.TempDir()}.Small())
	fatal.If(t, err)
	defer s.Close()
	const workers, rounds, urls = 4, 30, 300
	var seq struct {
		sync.Mutex
		n uint64
	}
	var all sync.WaitGroup
	for w := range uint64(workers) {
		all.Go(func() {
			random := rand.New(rand.NewPCG(w, 4))
			for range rounds {
				items := make([]Item, 50)
				for i := range items {
					n := random.IntN(urls)
					items[i] = Item{Partition: 7, URL: fmt.Sprintf("http://h%d.example/%d", n%5, n)}
				}
				fresh, err := s.Unseen(items)
				if err != nil {
					t.Error(err)
					return
				}
				b := s.Batch(7)
				for _, i := range fresh {
					b.Seen(items[i])
				}
				seq.Lock()
				seq.n++
				err = b.Commit(seq.n)
				seq.Unlock()
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	if got := s.Counts(); got != (Counts{Hosts: 5, Seen: urls, Queued: urls}) {
		t.Errorf("counts %+v, want %d URLs of 5 hosts", got, urls)
	}
}

// TestFilter checks that a filter includes the keys of the seen-set, and not those of
// records and queues.
func TestFilter(t *testing.T) {
	w := filterPolicy.NewWriter(pebble.TableFilter)
	const n = 1000
	for i := range uint64(n) {
		k := someKey(i)
		for _, table := range []byte{seenTable, urlTable, queueTable} {
			w.AddKey(in(table, k[:]))
		}
	}
	f := w.Finish(nil)
	if bits := len(f) * 8 / n; bits > 11 {
		t.Errorf("%d bits a key", bits)
	}
	wrong := 0
	for i := range uint64(2 * n) {
		k := someKey(i)
		may := filterPolicy.MayContain(pebble.TableFilter, f, in(seenTable, k[:]))
		if i < n && !may {
			t.Errorf("key %d is not there", i)
		}
		if i >= n && may {
			wrong++
		}
		for _, table := range []byte{urlTable, queueTable} {
			if !filterPolicy.MayContain(pebble.TableFilter, f, in(table, k[:])) {
				t.Errorf("there is no key %d in table %c", i, table)
			}
		}
	}
	if wrong > n/20 {
		t.Errorf("%d of %d keys may be there", wrong, n)
	}
}

// TestManyLinks looks up enough links for several goroutines.
func TestManyLinks(t *testing.T) {
	s, err := Open(Options{Dir: t.TempDir()})
	fatal.If(t, err)
	defer s.Close()
	const n = 3 * maxSeekers * enoughQueries
	items := make([]Item, n)
	b := s.Batch(0)
	for i := range items {
		items[i].URL = fmt.Sprintf("http://h%d.example/%d", i%7, i)
		if i%3 == 0 {
			b.Seen(items[i])
		}
	}
	fatal.If(t, b.Commit(1))
	s.seen.recent = newRecentItems()
	fresh, err := s.Unseen(append(items, items...))
	fatal.If(t, err)
	want := 0
	for _, i := range fresh {
		if want%3 == 0 {
			want++
		}
		if i != want {
			t.Fatalf("unseen is %d, want %d", i, want)
		}
		want++
	}
	if want != n {
		t.Errorf("unseen are those up to %d, want %d", want, n)
	}
}
