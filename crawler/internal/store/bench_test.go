package store_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// sizes returns the numbers of URLs of the benchmarks: 7 million if ROBOTS_BENCH_ALL is
// set.
func sizes() []int {
	if os.Getenv("ROBOTS_BENCH_ALL") != "" {
		return []int{1e6, 7e6}
	}
	return []int{2e5}
}

// fill puts URLs of a web into a store, in records of a crawl.
func fill(tb testing.TB, s *store.Store, w web, from, to int) {
	tb.Helper()
	for from < to {
		n := min(to-from, 20000)
		batches := make(map[uint8]*store.Batch)
		for i := range n {
			it := w.item(from + i)
			b := batches[it.Partition]
			if b == nil {
				b = s.Batch(it.Partition)
				batches[it.Partition] = b
			}
			b.Seen(it)
		}
		for p, b := range batches {
			fatal.If(tb, b.Commit(s.Applied(p)+1))
		}
		from += n
	}
}

// atOnce is the number of pages that the crawler commits together in these benchmarks:
// the pages read while the disk syncs the journal, at 4,000 pages a second.
const atOnce = 100

// BenchmarkUnseen looks up the links of pages, 60 each, in stores of several sizes, and
// commits the results. One op is:
//
//   - look: the links of one page are looked up. As in young, 24 % are not found, and
//     half of the others were looked up a moment ago.
//   - young and grown: the links of 100 pages are looked up in one call, and the new
//     ones, 24 % or 5 %, are committed, in a batch for each partition, with record and
//     queue entry, as the crawler does. The URLs are on up to 20,000 hosts in 251
//     partitions. New ones come in runs of 20 of one host, so that 100 pages of young
//     commit some 1,440 URLs in 60 batches.
//   - visits: as young, but each page is first taken from a queue with Next, and is
//     then done, with a state of its URL and 500 bytes of its host.
//
// The metric links/s is by elapsed time during calls. The metric links/cpu-s is by the
// processor time of the whole process from the first to the last op, including all merges
// of tables that the ops cause, even after the last op. Neither includes the time to
// generate the links.
func BenchmarkUnseen(b *testing.B) {
	for _, n := range sizes() {
		b.Run(fmt.Sprintf("urls=%d", n), func(b *testing.B) {
			w := web{hosts: 20000}
			s := filled(b, w, n)
			report(b, s, n)
			r := &reader{w, young, rand.New(rand.NewPCG(1, 2)), n}
			b.Run("look", func(b *testing.B) {
				pages := make([][60]store.Item, 2000)
				for i := range pages {
					r.links(pages[i][:])
				}
				i := 0
				m := start(60)
				for b.Loop() {
					if _, err := s.Unseen(pages[i%len(pages)][:]); err != nil {
						b.Fatal(err)
					}
					i++
				}
				m.report(b, b.Elapsed())
			})
			r.known = n
			b.Run("young", func(b *testing.B) { keep(b, s, r, young, false) })
			b.Run("grown", func(b *testing.B) { keep(b, s, r, grown, false) })
			b.Run("visits", func(b *testing.B) { keep(b, s, r, young, true) })
		})
	}
}

// keep looks up the links of pages, and commits the new links and the visits.
func keep(b *testing.B, s *store.Store, r *reader, of mix, visits bool) {
	r.mix = of
	settle(b, s)
	var links [60 * atOnce]store.Item
	p := &pages{s: s, now: time.Now()}
	if visits {
		fatal.If(b, p.find())
	}
	m := start(len(links))
	var spent time.Duration
	for b.Loop() {
		m.without(func() { r.links(links[:]) })
		start := time.Now()
		fatal.If(b, p.keep(links[:]))
		spent += time.Since(start)
	}
	b.StopTimer()
	settle(b, s)
	b.Log(s.Work())
	m.report(b, spent)
}

// pages visits pages.
type pages struct {
	s       *store.Store
	now     time.Time
	hosts   []store.Host // to visit, if any
	next    int
	batches [256]*store.Batch
}

// find finds hosts to visit.
func (p *pages) find() error {
	return p.s.Hosts(func(h store.Host) error {
		if h.State = make([]byte, 500); h.Queued > 0 {
			p.hosts = append(p.hosts, h)
		}
		return nil
	})
}

func (p *pages) batch(partition uint8) *store.Batch {
	if p.batches[partition] == nil {
		p.batches[partition] = p.s.Batch(partition)
	}
	return p.batches[partition]
}

// keep visits pages with these links, if there are hosts, and commits the new links.
func (p *pages) keep(links []store.Item) error {
	for visited := 0; visited < atOnce && len(p.hosts) > 0; {
		h := &p.hosts[p.next%len(p.hosts)]
		items, err := p.s.Next(h.Partition, h.Origin, p.now, 10)
		if err != nil {
			return err
		}
		for _, k := range items {
			p.batch(h.Partition).Done(k.Item, store.State{Fetched: p.now, Status: 200, ETag: `"abcdef"`,
				Digest: make([]byte, 32)})
			p.batch(h.Partition).SetHost(h.Origin, h.State)
		}
		visited += len(items)
		if p.next++; len(items) == 0 && p.next%len(p.hosts) == 0 {
			return errors.New("all queues are empty")
		}
	}
	fresh, err := p.s.Unseen(links)
	if err != nil {
		return err
	}
	for _, i := range fresh {
		p.batch(links[i].Partition).Seen(links[i])
	}
	for partition, b := range p.batches {
		if b == nil {
			continue
		}
		if err := b.Commit(p.s.Applied(uint8(partition)) + 1); err != nil {
			return err
		}
		p.batches[partition] = nil
	}
	return nil
}

// A meter measures the cost of an operation.
type meter struct {
	links  int // links of an op
	used   time.Duration
	except time.Duration
}

func start(links int) *meter { return &meter{links: links, used: child.CPU()} }

// without excludes the cost of make.
func (m *meter) without(make func()) {
	start := time.Now()
	make()
	m.except += time.Since(start)
}

func (m *meter) report(b *testing.B, spent time.Duration) {
	links := float64(b.N * m.links)
	b.ReportMetric(links/spent.Seconds(), "links/s")
	b.ReportMetric(links/(child.CPU()-m.used-m.except).Seconds(), "links/cpu-s")
}

// settle waits until Pebble has no more tables to merge.
func settle(b *testing.B, s *store.Store) {
	b.Helper()
	for calm := 0; calm < 5; calm++ {
		time.Sleep(10 * time.Millisecond)
		if s.Merging() {
			calm = 0
		}
	}
}

// filled returns a store of so many URLs.
func filled(b *testing.B, w web, n int) *store.Store {
	b.Helper()
	s := open(b, b.TempDir())
	start, used := time.Now(), child.CPU()
	fill(b, s, w, 0, n)
	b.Logf("%d URLs committed in %v (%v of CPU)", n, time.Since(start), child.CPU()-used)
	return s
}

// report logs how large the store is.
func report(b *testing.B, s *store.Store, n int) {
	b.Helper()
	log := func(when string) {
		seen, err := s.SeenSize()
		fatal.If(b, err)
		all, err := s.Size()
		fatal.If(b, err)
		memory, _ := child.Memory(os.Getpid())
		b.Logf("%s: %.1f bytes a URL in the seen-set, %.1f in all; RSS %d MB", when, float64(seen)/float64(n),
			float64(all)/float64(n), memory>>20)
	}
	log("before compaction")
	if os.Getenv("ROBOTS_BENCH_ALL") != "" {
		fatal.If(b, s.Compact())
		settle(b, s)
		log("after compaction")
	}
}
