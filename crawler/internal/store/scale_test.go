package store_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/internal/test/child"
)

// BenchmarkScale opens a store of many URLs in child processes, 10 million URLs if
// ROBOTS_BENCH_ALL is set: after a process was killed, after the store was closed, and
// with 5,000 active hosts. It logs the time and the memory. If ROBOTS_BENCH_STORES names
// a folder, only the last twentieth is filled in each time.
func BenchmarkScale(b *testing.B) {
	urls := 200_000
	if os.Getenv("ROBOTS_BENCH_ALL") != "" {
		urls = 10_000_000
	}
	dir := filepath.Join(b.TempDir(), "store")
	restore(b, web{hosts: 20_000}, urls*19/20, dir)
	b.ResetTimer()
	for _, what := range []string{"fill and be killed", "open after kill -9", "open, and 5000 hosts live",
		"open after Close"} {
		c := child.Start(b, "scale", dir, "STORE_TEST_URLS="+strconv.Itoa(urls))
		c.Say(what)
		for line := range c.Lines() {
			if line == "kill me" {
				c.Process.Kill()
			} else {
				b.Logf("%s: %s", what, line)
			}
		}
		if err := c.Wait(); err != nil && !strings.Contains(err.Error(), "killed") {
			b.Fatal(err)
		}
	}
	b.ReportMetric(0, "ns/op")
}

// scale runs in the child processes.
func scale(dir string) {
	n, err := strconv.Atoi(os.Getenv("STORE_TEST_URLS"))
	child.Check(err)
	what, err := bufio.NewReader(os.Stdin).ReadString('\n')
	child.Check(err)
	used := child.CPU()
	say := func(what string, start time.Time) {
		now, most := child.Memory(os.Getpid())
		fmt.Printf("%s: %v (%v of CPU), RSS %d MB, %d MB at most\n",
			what, time.Since(start).Round(time.Millisecond/10), child.CPU()-used, now>>20, most>>20)
		used = child.CPU()
	}
	w := web{hosts: 20_000}
	start := time.Now()
	s, err := store.Open(store.Options{Dir: dir})
	child.Check(err)
	say("opened", start)
	switch {
	case strings.HasPrefix(what, "fill"):
		start = time.Now()
		fill(fataler{}, s, w, int(s.Counts().Seen), n)
		say("filled", start)
		fmt.Println("kill me")
		select {}
	case strings.Contains(what, "live"):
		child.Check(live(s, w, n, say))
	}
	start = time.Now()
	child.Check(s.Close())
	say("closed", start)
}

// live visits 5,000 hosts, each ten times, and looks up the links of each page.
func live(s *store.Store, w web, n int, say func(string, time.Time)) error {
	start := time.Now()
	var hosts []store.Host
	err := s.Hosts(func(h store.Host) error {
		if h.Queued > 0 {
			h.State = make([]byte, 500)
			hosts = append(hosts, h)
		}
		return nil
	})
	if err != nil {
		return err
	}
	say(fmt.Sprintf("read %d hosts", len(hosts)), start)
	hosts = hosts[:min(len(hosts), 5000)]
	r := &reader{w, young, rand.New(rand.NewPCG(1, 2)), n}
	var links [60]store.Item
	queues := make([][]store.Entry, len(hosts))
	start = time.Now()
	now := start
	for i, h := range hosts {
		if queues[i], err = s.Next(h.Partition, h.Origin, now, 10); err != nil {
			return err
		}
	}
	say(fmt.Sprintf("items of %d hosts", len(hosts)), start)
	start = time.Now()
	pages := 0
	var batches [256]*store.Batch
	batch := func(p uint8) *store.Batch {
		if batches[p] == nil {
			batches[p] = s.Batch(p)
		}
		return batches[p]
	}
	for visit := range 10 {
		for i, h := range hosts {
			if visit >= len(queues[i]) {
				continue
			}
			r.links(links[:])
			fresh, err := s.Unseen(links[:])
			if err != nil {
				return err
			}
			batch(h.Partition).Done(queues[i][visit].Item, store.State{Fetched: now, Status: 200, ETag: `"abcdef"`,
				Digest: make([]byte, 32)})
			batch(h.Partition).SetHost(h.Origin, h.State)
			for _, j := range fresh {
				batch(links[j].Partition).Seen(links[j])
			}
			// Like a journal that writes the results of 50 ms in one record.
			if pages++; pages%100 != 0 {
				continue
			}
			for p, b := range batches {
				if b == nil {
					continue
				}
				if err := b.Commit(s.Applied(uint8(p)) + 1); err != nil {
					return err
				}
				batches[p] = nil
			}
		}
	}
	say(fmt.Sprintf("%d pages of 60 links", pages), start)
	return nil
}

// A fataler ends the process.
type fataler struct{ testing.TB }

func (fataler) Helper() {}

func (fataler) Fatal(args ...any) {
	fmt.Fprintln(os.Stderr, args...)
	os.Exit(1)
}
