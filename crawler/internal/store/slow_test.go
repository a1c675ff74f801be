package store_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A twin is a model of a store in plain maps.
type twin struct {
	urls    map[id]*entry
	hosts   map[origin]*store.Host
	applied [256]uint64
	order   [256]int
	refused [store.MaxReasons]int64
}

// An id identifies an item, and an origin a host.
type (
	id struct {
		partition uint8
		crawl     uint16
		url       string
	}
	origin struct {
		partition uint8
		host      string
	}
)

func idOf(it store.Item) id { return id{it.Partition, it.Crawl, it.URL} }

// An entry is the state of a seen URL in a twin.
type entry struct {
	queued, done bool
	item         store.Item
	state        store.State
	order        int
}

func newTwin() *twin {
	return &twin{urls: make(map[id]*entry), hosts: make(map[origin]*store.Host)}
}

// A step is one record of a journal.
type step struct {
	partition uint8
	seq       uint64
	changes   []change
}

// A change is a call of a method of a batch.
type change struct {
	method string
	item   store.Item
	due    time.Time
	state  store.State
	host   string
	bytes  []byte
	why    uint8
}

// commit commits a step to a store.
func (x step) commit(s *store.Store) error {
	b := s.Batch(x.partition)
	for _, c := range x.changes {
		switch c.method {
		case "seen":
			b.Seen(c.item)
		case "done":
			b.Done(c.item, c.state)
		case "defer":
			b.Defer(c.item, c.due)
		case "drop":
			b.Drop(c.item)
		case "refuse":
			b.Refuse(c.item, c.why)
		case "host":
			b.SetHost(c.host, c.bytes)
		}
	}
	return b.Commit(x.seq)
}

func (w *twin) host(partition uint8, host string) *store.Host {
	h := w.hosts[origin{partition, host}]
	if h == nil {
		h = &store.Host{Partition: partition, Origin: host, Counts: store.Counts{Hosts: 1}}
		w.hosts[origin{partition, host}] = h
	}
	return h
}

// commit commits a step to the twin.
func (w *twin) commit(x step) {
	if x.seq <= w.applied[x.partition] {
		return
	}
	w.applied[x.partition] = x.seq
	for _, c := range x.changes {
		if c.method == "host" {
			w.host(x.partition, c.host).State = c.bytes
			continue
		}
		e := w.urls[idOf(c.item)]
		if e != nil && c.method == "seen" {
			continue
		}
		if e == nil {
			e = new(entry)
			w.urls[idOf(c.item)] = e
			w.host(x.partition, c.item.Host())
		}
		// A dropped URL is like a new one, except that it is seen.
		if !e.queued && !e.done && c.method != "drop" && c.method != "refuse" {
			*e = entry{item: c.item, order: w.order[x.partition]}
			w.order[x.partition]++
		}
		switch c.method {
		case "seen":
			e.queued = true
			e.item.Tries = 0
		case "done":
			e.done, e.state, e.item.Tries = true, c.state, 0
			e.queued, e.item.Due = !c.state.Due.IsZero(), c.state.Due
		case "defer":
			e.queued, e.item.Due = true, c.due
			e.item.Tries++
		case "drop", "refuse":
			if c.method == "refuse" {
				w.refused[c.why]++
			}
			e.queued, e.item.Due, e.item.Tries = false, time.Time{}, 0
		}
	}
}

// next returns all due items of a host, in order.
func (w *twin) next(o origin, now time.Time) (items []store.Item) {
	var due []*entry
	for k, e := range w.urls {
		if k.partition == o.partition && e.item.Host() == o.host && e.queued && !e.item.Due.After(now) {
			due = append(due, e)
		}
	}
	slices.SortFunc(due, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(a.item.Priority, b.item.Priority), a.item.Due.Compare(b.item.Due),
			cmp.Compare(a.order, b.order))
	})
	for _, e := range due {
		items = append(items, e.item)
	}
	return items
}

// all returns the hosts that Hosts should return.
func (w *twin) all() map[origin]store.Host {
	hosts := make(map[origin]store.Host)
	for o, h := range w.hosts {
		hosts[o] = *h
	}
	first := make(map[origin]time.Time)
	for k, e := range w.urls {
		it := store.Item{URL: k.url}
		o := origin{k.partition, it.Host()}
		h := hosts[o]
		h.Seen++
		if e.queued {
			if due, ok := first[o]; !ok || e.item.Due.Before(due) {
				first[o] = e.item.Due
			}
			h.Queued++
			h.FirstDue = first[o]
		}
		if e.done {
			h.Done++
		}
		hosts[o] = h
	}
	return hosts
}

// compare compares everything that a store returns with the twin.
func (w *twin) compare(t *testing.T, s *store.Store) {
	t.Helper()
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	var sum store.Counts
	want := w.all()
	for _, h := range want {
		sum.Hosts++
		sum.Seen += h.Seen
		sum.Queued += h.Queued
		sum.Done += h.Done
	}
	if got := s.Counts(); got != sum {
		t.Errorf("counts %+v, want %+v", got, sum)
	}
	if got := s.Refused(); got != w.refused {
		t.Errorf("refused are %v, want %v", got, w.refused)
	}
	for p := range w.applied {
		if got := s.Applied(uint8(p)); got != w.applied[p] {
			t.Errorf("partition %d: applied %d, want %d", p, got, w.applied[p])
		}
	}
	got := make(map[origin]store.Host)
	err := s.Hosts(func(h store.Host) error {
		got[origin{h.Partition, h.Origin}] = h
		one, ok, err := s.Host(h.Partition, h.Origin)
		if err != nil || !ok || !reflect.DeepEqual(one, h) {
			t.Errorf("host %s: %+v, %v; among all hosts it is %+v", h.Origin, one, err, h)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("hosts %+v, want %+v", got, want)
	}
	for k, e := range w.urls {
		known, err := s.URL(store.Item{Partition: k.partition, Crawl: k.crawl, URL: k.url})
		fatal.If(t, err)
		want := store.Entry{Seen: true, Queued: e.queued, Done: e.done, Item: e.item}
		switch {
		case e.done:
			want.State = e.state
			want.State.Due = e.item.Due
		case !e.queued:
			want.Item = store.Item{Partition: k.partition, Crawl: k.crawl, URL: k.url}
		}
		if !reflect.DeepEqual(known, want) {
			t.Errorf("%s is %+v, want %+v", k.url, known, want)
		}
	}
	for o := range w.hosts {
		for _, now := range []time.Time{at(30), at(1 << 20)} {
			w.compareNext(t, s, o, now)
		}
	}
	w.compareUnseen(t, s)
}

// compareNext takes all items out of a queue in two steps, checks the rest after the
// first step, and releases the items.
func (w *twin) compareNext(t *testing.T, s *store.Store, o origin, now time.Time) {
	t.Helper()
	want := w.next(o, now)
	got, err := s.Next(o.partition, o.host, now, 1+len(want)/2)
	fatal.If(t, err)
	if len(got) > 1+len(want)/2 {
		t.Errorf("%d items, want %d at most", len(got), 1+len(want)/2)
	}
	left := slices.DeleteFunc(w.next(o, at(1<<26)), func(it store.Item) bool {
		return slices.ContainsFunc(got, func(k store.Entry) bool {
			return k.Item.URL == it.URL && k.Item.Crawl == it.Crawl
		})
	})
	queue, err := s.Queue(o.partition, o.host, len(left)/2+1)
	fatal.If(t, err)
	for i, k := range queue {
		if !reflect.DeepEqual(k.Item, left[i]) {
			t.Errorf("item %d that is left of %s: got %+v, want %+v", i, o.host, k.Item, left[i])
		}
	}
	if want := min(len(left), len(left)/2+1); len(queue) != want {
		t.Errorf("%d items are left of %s, want %d", len(queue), o.host, want)
	}
	rest, err := s.Next(o.partition, o.host, now, 1000)
	fatal.If(t, err)
	got = append(got, rest...)
	var items []store.Item
	for _, k := range got {
		items = append(items, k.Item)
		if known, err := s.URL(k.Item); err != nil || !reflect.DeepEqual(known, k) {
			t.Errorf("next is %+v; asked for it is %+v, %v", k, known, err)
		}
	}
	s.Release(items...)
	if len(got)+len(want) > 0 && !reflect.DeepEqual(items, want) {
		t.Errorf("queue of %s at %v:\ngot  %+v\nwant %+v", o.host, now, items, want)
	}
}

// compareUnseen looks up all URLs of the universe, some of them twice.
func (w *twin) compareUnseen(t *testing.T, s *store.Store) {
	t.Helper()
	var items []store.Item
	var want []int
	asked := make(map[id]bool)
	for i := range 2 * universe {
		it := made(i * 7 % universe)
		if w.urls[idOf(it)] == nil && !asked[idOf(it)] {
			want = append(want, len(items))
		}
		asked[idOf(it)] = true
		items = append(items, it)
	}
	got, err := s.Unseen(items)
	fatal.If(t, err)
	if !slices.Equal(got, want) {
		t.Errorf("unseen are %d, want %d", got, want)
	}
}

// at returns a time by its minutes.
func at(minutes int) time.Time {
	return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC).Add(time.Duration(minutes) * time.Minute)
}

// universe is the number of items.
const universe = 400

// made returns an item of the universe: of 4 partitions with 3 hosts each.
func made(i int) store.Item {
	return store.Item{
		Partition: uint8(i % 4 * 80),
		Crawl:     uint16(i / 4 % 2 * 300),
		URL:       fmt.Sprintf("http://h%d.example:8080/%d?q=%[2]d", i%12, i/8),
	}
}

// journal returns the step with a number, always the same one. Numbers of records have
// gaps, like those of a stream from which messages were removed.
func journal(n int) step {
	random := rand.New(rand.NewPCG(uint64(n), 1994))
	x := step{partition: uint8(random.IntN(4) * 80), seq: uint64(3*n + 5)}
	for range random.IntN(20) {
		c := change{item: made(random.IntN(universe/4)*4 + int(x.partition)/80)}
		switch random.IntN(10) {
		case 0, 1, 2, 3:
			c.method = "seen"
		case 4, 5, 6:
			c.method = "done"
			c.state = store.State{
				Fetched: at(n), Status: 200, ETag: fmt.Sprintf(`"%d"`, n),
				LastModified: "Wed, 30 Jun 1994 12:00:00 GMT",
				Digest:       []byte{1, 2, byte(n)}, Simhash: random.Uint64(), Interval: time.Duration(n) * time.Second,
			}
			if random.IntN(2) == 0 {
				c.state.Due = at(random.IntN(60))
			}
		case 7:
			c.method, c.due = "defer", at(random.IntN(60))
		case 8:
			if c.method = "drop"; random.IntN(2) == 0 {
				c.method, c.why = "refuse", uint8(random.IntN(store.MaxReasons))
			}
		case 9:
			c.method, c.host, c.bytes = "host", c.item.Host(), fmt.Appendf(nil, "state %d", n)
		}
		c.item.Priority = uint8(random.IntN(3) * 100)
		c.item.Depth = random.Uint32N(5)
		c.item.Tries = random.Uint32N(3)
		if random.IntN(2) == 0 {
			c.item.Due = at(random.IntN(60))
		}
		if random.IntN(2) == 0 {
			c.item.Via = "http://via.example/"
			c.item.Hints = []byte{0, byte(n), 0xff}
		}
		x.changes = append(x.changes, c)
	}
	return x
}

// clone returns a copy of the twin.
func (w *twin) clone() *twin {
	c := &twin{maps.Clone(w.urls), maps.Clone(w.hosts), w.applied, w.order, w.refused}
	for k, e := range c.urls {
		again := *e
		c.urls[k] = &again
	}
	for k, h := range c.hosts {
		again := *h
		c.hosts[k] = &again
	}
	return c
}

// TestTwin commits a journal to a store, and to a twin, and compares them. Now and then
// the test reopens the store, leases items, and repeats records.
func TestTwin(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	w := newTwin()
	w.compare(t, s)
	random := rand.New(rand.NewPCG(5, 6))
	steps := 600
	if testing.Short() {
		steps = 200
	}
	for n := range steps {
		x := journal(n)
		// The fronts of queues must be right while items are leased.
		o := origin{x.partition, made(int(x.partition) / 80).Host()}
		var out []store.Item
		if random.IntN(2) == 0 {
			next, err := s.Next(o.partition, o.host, at(random.IntN(60)), random.IntN(8))
			fatal.If(t, err)
			for _, k := range next {
				out = append(out, k.Item)
			}
		}
		fatal.If(t, x.commit(s))
		w.commit(x)
		s.Release(out...)
		if random.IntN(5) == 0 {
			fatal.If(t, journal(n-random.IntN(n+1)).commit(s))
		}
		switch random.IntN(60) {
		case 0:
			w.compare(t, s)
		case 1:
			closed(t, s)
			s = open(t, dir)
			w.compare(t, s)
		case 2:
			fatal.If(t, s.Compact())
			w.compare(t, s)
		}
		if t.Failed() {
			t.Fatalf("after step %d", n)
		}
	}
	w.compare(t, s)
	closed(t, s)
}

// open opens a store, and closes it at the end of the test.
func open(t testing.TB, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(store.Options{Dir: dir})
	fatal.If(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func closed(t testing.TB, s *store.Store) {
	t.Helper()
	fatal.If(t, s.Close())
}

// TestSeenLately checks that recently committed items are known, and no others.
func TestSeenLately(t *testing.T) {
	s := open(t, t.TempDir())
	b := s.Batch(7)
	var prints []uint64
	for i := range 200 {
		it := store.Item{Partition: 7, Crawl: 1, URL: fmt.Sprint("http://a.example/", i)}
		prints = append(prints, store.Fingerprint(it.Partition, it.Crawl, it.URL))
		if i%3 == 0 {
			b.Seen(it)
		}
	}
	check := func(when string, known func(i int) bool) {
		t.Helper()
		now := slices.Clone(prints)
		s.SeenLately(now)
		for i, print := range now {
			if want := prints[i]; known(i) && print != 0 || !known(i) && print != want {
				t.Errorf("%s: the fingerprint of item %d is %x", when, i, print)
			}
		}
	}
	check("before", func(int) bool { return false })
	fatal.If(t, b.Commit(1))
	check("after", func(i int) bool { return i%3 == 0 })
	for _, other := range []uint64{store.Fingerprint(8, 1, "http://a.example/0"),
		store.Fingerprint(7, 2, "http://a.example/0")} {
		some := []uint64{other}
		if s.SeenLately(some); some[0] == 0 {
			t.Error("an item of another partition or crawl is known")
		}
	}
}
