package journal_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// entry returns a record of some 200 bytes, like the one that a robot writes for a page.
func entry(b []byte, random *rand.Rand) []byte {
	return fmt.Appendf(b[:0],
		`{"url":"https://www.site-%d.example/articles/2026/%02d/story-%d.html?page=%d","status":200,"octets":%d,"digest":"%016x","found":%d,"title":"A page about robots and other subjects"}`,
		random.IntN(5000), random.IntN(12)+1, random.IntN(1e7), random.IntN(10), random.IntN(1e5), random.Uint64(),
		random.IntN(100))
}

// claimAll claims all partitions.
func claimAll(tb testing.TB, j *journal.Journal, n int) []*journal.Partition {
	tb.Helper()
	partitions := make([]*journal.Partition, n)
	var claims sync.WaitGroup
	for i := range partitions {
		claims.Go(func() {
			var err error
			if partitions[i], err = j.Claim(tb.Context(), i); err != nil {
				tb.Error(err)
			}
		})
	}
	claims.Wait()
	if tb.Failed() {
		tb.FailNow()
	}
	return partitions
}

// resident returns the bytes of memory that the process has, or 0.
func resident() float64 {
	now, _ := child.Memory(os.Getpid())
	return float64(now)
}

// bytesOf returns the total size of the files of a folder.
func bytesOf(dir string) (size float64) {
	filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			size += float64(info.Size())
		}
		return nil
	})
	return size
}

// BenchmarkBulk appends records to all partitions as fast as it can.
func BenchmarkBulk(b *testing.B) {
	for _, active := range []int{1, 16, 256} {
		b.Run(fmt.Sprint(active), func(b *testing.B) {
			dir := b.TempDir()
			before := resident()
			j, err := journal.Open(b.Context(), journal.Options{Dir: dir})
			fatal.If(b, err)
			defer j.Close()
			partitions := claimAll(b, j, active)
			random := rand.New(rand.NewPCG(1, 2))
			records := make([][]byte, 10000)
			size := 0
			for i := range records {
				records[i] = entry(nil, random)
				size += len(records[i])
			}
			cpu := child.CPU()
			var next atomic.Int64
			b.ReportAllocs()
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				var last journal.Ticket
				for pb.Next() {
					i := int(next.Add(1))
					last = partitions[i%active].Append(b.Context(), records[i%len(records)])
				}
				if _, err := last.Wait(b.Context()); err != nil {
					b.Error(err)
				}
			})
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
			b.ReportMetric((child.CPU()-cpu).Seconds()/float64(b.N)*1e9, "cpu-ns/op")
			b.ReportMetric(bytesOf(dir)/float64(b.N), "disk-B/op")
			b.ReportMetric((resident()-before)/1e6, "RSS-MB")
		})
	}
}
