package journal_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// ofKills are the options of the journals in the kill tests.
var ofKills = journal.Options{Partitions: 6, Streams: 2, Bytes: 3000, Flush: time.Millisecond}

// writeUntilKilled runs in the child process: it claims all partitions, appends and
// sends, trims at times, and prints which records are durable and which it is about to
// trim.
func writeUntilKilled(dir string) {
	ctx := context.Background()
	o := ofKills
	o.Dir = dir
	j, err := journal.Open(ctx, o)
	child.Check(err)
	ps := make([]*journal.Partition, o.Partitions)
	var claims sync.WaitGroup
	for n := range ps {
		claims.Go(func() {
			var err error
			ps[n], err = j.Claim(ctx, n)
			child.Check(err)
		})
	}
	claims.Wait()
	var out sync.Mutex
	say := func(lines []string) {
		out.Lock()
		os.Stdout.WriteString(strings.Join(lines, ""))
		out.Unlock()
	}
	for _, p := range ps {
		go func() {
			random := rand.New(rand.NewPCG(uint64(os.Getpid()), uint64(p.Number())))
			for i := 0; ; {
				var tickets []journal.Ticket
				var texts []string
				for range 1 + random.IntN(50) {
					text := fmt.Sprintf("%d-%d-%s", os.Getpid(), i, strings.Repeat("x", random.IntN(200)))
					i++
					texts = append(texts, text)
					tickets = append(tickets, p.Append(ctx, []byte(text)))
					if random.IntN(20) == 0 {
						texts = append(texts, "in"+text)
						tickets = append(tickets, j.Send(ctx, random.IntN(len(ps)), []byte("in"+text)))
					}
				}
				var lines []string
				for i, ticket := range tickets {
					at, err := ticket.Wait(ctx)
					child.Check(err)
					lines = append(lines, fmt.Sprintf("is %d %d %s\n", p.Number(), at, texts[i]))
				}
				say(lines)
			}
		}()
	}
	reached := make(map[*journal.Partition]uint64)
	for {
		upTo := maps.Clone(reached)
		time.Sleep(30 * time.Millisecond)
		var lines []string
		for _, p := range ps {
			reached[p] = p.Last()
			lines = append(lines, fmt.Sprintf("trim %d %d x\n", p.Number(), upTo[p]))
		}
		say(lines)
		child.Check(j.Trim(ctx, upTo))
	}
}

// A memory is what a killed process printed about a partition.
type memory struct {
	at    []uint64
	texts map[uint64]string
	cut   uint64
}

// TestKill kills a process that writes a journal, over and over, at any moment. All
// records that a process reported durable are in the log, in order and once, and the
// records of each process have no gaps.
func TestKill(t *testing.T) {
	t.Parallel()
	rounds := corpus.Cases(12, 20)
	if testing.Short() {
		rounds = 4
	}
	dir, random := t.TempDir(), rand.New(rand.NewPCG(1, 2))
	said := make([]memory, ofKills.Partitions)
	for n := range said {
		said[n].texts = make(map[uint64]string)
	}
	sent := make(map[string]bool)
	for round := range rounds {
		c := child.Start(t, "write", dir)
		wanted := random.IntN(800) // lines; 0 is while it opens
		if wanted < 200 {
			time.AfterFunc(time.Duration(random.IntN(200))*time.Millisecond, func() { c.Process.Kill() })
		}
		for line := range c.Lines() {
			var word, text string
			var n int
			var at uint64
			if _, err := fmt.Sscan(line, &word, &n, &at, &text); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			switch {
			case word == "trim":
				said[n].cut = max(said[n].cut, at)
			case strings.HasPrefix(text, "in"):
				sent[text] = true
			default:
				said[n].at = append(said[n].at, at)
				said[n].texts[at] = text
			}
			if wanted--; wanted < 0 {
				c.Process.Kill()
			}
		}
		c.Kill()
		if round%4 == 3 {
			checkKilled(t, dir, said, sent)
		}
	}
	if len(sent) < 10 || len(said[0].at) < 10 {
		t.Errorf("the processes wrote too little: %d, %d", len(sent), len(said[0].at))
	}
}

func checkKilled(t *testing.T, dir string, said []memory, sent map[string]bool) {
	t.Helper()
	j := place{dir: dir}.open(t, ofKills)
	defer j.Close()
	after := make(map[*journal.Partition]uint64)
	for n, p := range claimAll(t, j, ofKills.Partitions) {
		after[p] = said[n].cut
	}
	last := make([]map[string]int, len(said)) // by process
	there := make([]map[uint64]bool, len(said))
	for n := range said {
		last[n], there[n] = make(map[string]int), make(map[uint64]bool)
	}
	err := j.Replay(t.Context(), after, func(p *journal.Partition, at uint64, record []byte) error {
		n := p.Number()
		process, rest, _ := strings.Cut(string(record), "-")
		var i int
		fmt.Sscanf(rest, "%d-", &i)
		if before, ok := last[n][process]; ok && i != before+1 {
			t.Errorf("partition %d: record %d of process %s follows %d", n, i, process, before)
		}
		last[n][process] = i
		if want, ok := said[n].texts[at]; ok && want != string(record) {
			t.Errorf("partition %d, position %d: got %.40q, want %.40q", n, at, record, want)
		}
		there[n][at] = true
		return nil
	})
	fatal.If(t, err)
	for n := range said {
		slices.Sort(said[n].at)
		for _, at := range said[n].at {
			if at > said[n].cut && !there[n][at] {
				t.Errorf("partition %d: lost the record at %d: %.40q", n, at, said[n].texts[at])
			}
		}
	}
	got := make(map[string]bool)
	for p := range after {
		after[p] = 0
	}
	missing := len(sent)
	if missing == 0 {
		return
	}
	enough := errors.New("enough")
	if err := j.Receive(t.Context(), after, func(_ *journal.Partition, _ uint64, batch []byte) error {
		if text := string(batch); sent[text] && !got[text] {
			got[text] = true
			missing--
		}
		if missing == 0 {
			return enough
		}
		return nil
	}); !errors.Is(err, enough) {
		t.Error(err)
	}
}

// writeManyUntilKilled appends many small records, prints that they are durable, and
// waits.
func writeManyUntilKilled(dir string) {
	ctx := context.Background()
	var records int
	fmt.Sscan(os.Getenv("JOURNAL_TEST_RECORDS"), &records)
	j, err := journal.Open(ctx, journal.Options{Dir: dir})
	child.Check(err)
	var writers sync.WaitGroup
	for n := range 256 {
		writers.Go(func() {
			p, err := j.Claim(ctx, n)
			child.Check(err)
			random := rand.New(rand.NewPCG(uint64(n), 2))
			var b []byte
			var last journal.Ticket
			for range records / 256 {
				b = entry(b, random)
				last = p.Append(ctx, b)
			}
			_, err = last.Wait(ctx)
			child.Check(err)
		})
	}
	writers.Wait()
	fmt.Println("written")
	select {}
}

// BenchmarkStart opens a journal after its process was killed, with 15 million records in
// the log, and replays some of them.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	c := child.Start(b, "bulk", dir, "JOURNAL_TEST_RECORDS=15000000")
	c.Line()
	c.Kill()
	before := resident()
	start := time.Now()
	j, err := journal.Open(b.Context(), journal.Options{Dir: dir})
	fatal.If(b, err)
	defer j.Close()
	opened := time.Since(start)
	ps := claimAll(b, j, 256)
	claimed := time.Since(start) - opened
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(opened.Seconds(), "open-s")
	b.ReportMetric(claimed.Seconds(), "claim-s")
	b.ReportMetric((resident()-before)/1e6, "RSS-MB")
	b.ReportMetric(bytesOf(dir)/1e6, "disk-MB")
	// The whole log; its end, as after a crash of a store that was nearly up to date; and
	// one partition alone.
	tail := make(map[*journal.Partition]uint64)
	for _, part := range []string{"all", "tail", "one"} {
		after, near := make(map[*journal.Partition]uint64), make(map[*journal.Partition]uint64)
		for _, p := range ps {
			if after[p] = 0; part == "tail" {
				after[p] = tail[p]
			}
			near[p] = p.Last() - min(p.Last(), 1000<<16)
		}
		if part == "one" {
			after = map[*journal.Partition]uint64{ps[7]: 0}
		}
		records := 0
		start := time.Now()
		if err := j.Replay(b.Context(), after, func(p *journal.Partition, at uint64, _ []byte) error {
			records++
			if at < near[p] {
				tail[p] = at
			}
			return nil
		}); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(start).Seconds(), part+"-s")
		b.ReportMetric(float64(records), part+"-records")
	}
	b.ReportMetric((resident()-before)/1e6, "replayed-RSS-MB")
}
