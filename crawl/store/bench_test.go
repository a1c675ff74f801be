package store_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawl/store"
)

// sizes are how many URLs there are: 7 million if ROBOTS_BENCH_ALL is set.
func sizes() []int {
	if os.Getenv("ROBOTS_BENCH_ALL") != "" {
		return []int{1e6, 7e6}
	}
	return []int{2e5}
}

// fill puts so many URLs of a web into a store, in records of a crawl.
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
			if err := b.Commit(s.Applied(p) + 1); err != nil {
				tb.Fatal(err)
			}
		}
		from += n
	}
}

// BenchmarkUnseen looks up the links of pages, 60 each, in a store of so many URLs.
func BenchmarkUnseen(b *testing.B) {
	for _, n := range sizes() {
		b.Run(fmt.Sprintf("urls=%d", n), func(b *testing.B) {
			w := web{hosts: 20000}
			s, dir := filled(b, w, n)
			report(b, s, n, dir)
			r := &reader{w, rand.New(rand.NewPCG(1, 2)), n}
			pages := make([][]store.Item, 2000)
			for i := range pages {
				pages[i] = make([]store.Item, 60)
				r.links(pages[i])
			}
			b.Run("look", func(b *testing.B) {
				i := 0
				used := cpu()
				for b.Loop() {
					if _, err := s.Unseen(pages[i%len(pages)]); err != nil {
						b.Fatal(err)
					}
					i++
				}
				b.ReportMetric(float64(b.N*60)/b.Elapsed().Seconds(), "links/s")
				b.ReportMetric(float64(b.N*60)/(cpu()-used).Seconds(), "links/cpu-s")
			})
			// With what comes after it: the new ones are committed, some pages at
			// a time.
			b.Run("keep", func(b *testing.B) {
				r.known = n
				var batches [256]*store.Batch
				var items [60]store.Item
				pages := 0
				var spent time.Duration
				for b.Loop() {
					r.links(items[:])
					start := time.Now()
					fresh, err := s.Unseen(items[:])
					if err != nil {
						b.Fatal(err)
					}
					for _, i := range fresh {
						p := items[i].Partition
						if batches[p] == nil {
							batches[p] = s.Batch(p)
						}
						batches[p].Seen(items[i])
					}
					if pages++; pages%500 == 0 {
						for p, batch := range batches {
							if batch != nil {
								if err := batch.Commit(s.Applied(uint8(p)) + 1); err != nil {
									b.Fatal(err)
								}
								batches[p] = nil
							}
						}
					}
					spent += time.Since(start)
				}
				b.ReportMetric(float64(b.N*60)/spent.Seconds(), "links/s")
			})
		})
	}
}

// filled returns a store of so many URLs, and its folder.
func filled(b *testing.B, w web, n int) (*store.Store, string) {
	b.Helper()
	dir := b.TempDir()
	s, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	start := time.Now()
	fill(b, s, w, 0, n)
	b.Logf("%d URLs committed in %v", n, time.Since(start))
	return s, dir
}

// report logs how large the store is.
func report(b *testing.B, s *store.Store, n int, dir string) {
	b.Helper()
	log := func(when string) {
		seen, err := s.SeenSize()
		if err != nil {
			b.Fatal(err)
		}
		all, err := s.Size()
		if err != nil {
			b.Fatal(err)
		}
		b.Logf("%s: %.1f octets a URL in the seen-set, %.1f in all; RSS %d MB", when, float64(seen)/float64(n), float64(all)/float64(n), rss()>>20)
	}
	log("before compaction")
	if os.Getenv("ROBOTS_BENCH_ALL") != "" {
		if err := s.Compact(); err != nil {
			b.Fatal(err)
		}
		log("after compaction")
	}
}

// rss returns how many octets of memory the process has, where /proc tells it.
func rss() int64 { return status("VmRSS:") }

// cpu returns how much time of a processor the process has used, where /proc tells
// it: on a busy machine that says more than the time that has passed.
func cpu() time.Duration {
	data, _ := os.ReadFile("/proc/self/stat")
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(string(fields[11]))
	system, _ := strconv.Atoi(string(fields[12]))
	return time.Duration(user+system) * (time.Second / 100)
}

// status returns a number of octets from /proc/self/status.
func status(name string) int64 {
	data, _ := os.ReadFile("/proc/self/status")
	for line := range bytes.Lines(data) {
		if rest, ok := bytes.CutPrefix(line, []byte(name)); ok {
			kb, _ := strconv.ParseInt(string(bytes.Fields(rest)[0]), 10, 64)
			return kb << 10
		}
	}
	return 0
}
