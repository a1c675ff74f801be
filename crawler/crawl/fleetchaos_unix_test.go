//go:build unix

package crawl_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestFleetChaos has random troubles for half an hour, or for the part that ROBOTS_WILD_ALL says:
// five workers on three servers are killed, stopped, cut off from the servers, and leave, their
// disks are full or lost; servers stop, one or two at a time, and are cut off from the others. A
// worker that starts gets another clock, up to two seconds ahead or behind. The pause between
// requests to an address keeps the crawl as long. ROBOTS_CHAOS_SEED repeats a run.
func TestFleetChaos(t *testing.T) {
	t.Parallel()
	if !isWhole() {
		t.Skip("what it finds by chance may be old: set " + wholeKey + " to run it")
	}
	const workers, whole, perHost = 5, 2000, 20
	seed, hosts := uint64(time.Now().UnixNano()), ofWhole(t, whole, 40)
	if text := os.Getenv("ROBOTS_CHAOS_SEED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		fatal.If(t, err)
		seed = n
	}
	t.Logf("ROBOTS_CHAOS_SEED=%d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	program := apartProgram(t)
	web := startWild(t, testweb.Options{Hosts: hosts, Pages: perHost * hosts, Addresses: 80, Scale: 0.01,
		Token: "TestBot", TLS: true, Kinds: quickKinds(), Texts: sharedTexts(), Seed: seed % 1000})
	b := newBand(t, web)
	b.pause, b.gap = longestRetryAfter, time.Second
	store := "file://" + filepath.ToSlash(t.TempDir())
	b.task = func(ch *robotTask) {
		ch.Hurried, ch.Gap, ch.Quota, ch.Store, ch.ArchiveAge = true, b.gap, 100_000, store, 5*time.Second
	}
	b.program = program
	b.clock = func() time.Duration { return time.Duration(random.IntN(5)-2) * time.Second }
	b.start(0)
	b.until(1)
	for n := 1; n < workers; n++ {
		b.start(n)
	}
	some := func() time.Duration { return time.Duration(random.Int64N(int64(long))) }
	counts := make(map[string]int)
	length := 30 * time.Minute * time.Duration(hosts) / whole
	for time.Since(web.Began()) < length && b.asks(40) {
		n, node := random.IntN(workers), random.IntN(3)
		troubles := []struct {
			name string
			do   func()
		}{
			{"kill", func() { b.kill(n); b.asks(random.IntN(40)); b.start(n) }},
			{"hang", func() { b.hang(n) }},
			{"leave", func() { b.leave(n); b.asks(random.IntN(40)); b.start(n) }},
			{"full disk", func() { b.fill(n); b.asks(random.IntN(40)); b.start(n) }},
			{"lost disk", func() {
				b.kill(n)
				fatal.If(t, os.RemoveAll(b.dir(n)))
				b.asks(random.IntN(40))
				b.start(n)
			}},
			{"cut off", func() { b.wires[n].Cut(true); time.Sleep(long); b.wires[n].Cut(false) }},
			{"server down", func() { b.nodes[node].Stop(); b.asks(random.IntN(20)); b.nodes[node].Start(t) }},
			{"two servers down", func() {
				other := (node + 1) % 3
				b.nodes[node].Stop()
				b.nodes[other].Stop()
				time.Sleep(some()) // nobody asks
				b.nodes[node].Start(t)
				b.nodes[other].Start(t)
			}},
			{"server cut off", func() { b.nodes.Cut(node, true); time.Sleep(some()); b.nodes.Cut(node, false) }},
		}
		what := troubles[random.IntN(len(troubles))]
		t.Logf("%v: %s of worker %d or server %d", time.Since(web.Began()).Round(time.Millisecond), what.name, n, node)
		what.do()
		counts[what.name]++
	}
	t.Logf("%v after its begin the troubles end: %v", time.Since(web.Began()), counts)
	for n := range workers {
		b.wait(n, "finished true")
	}
	t.Logf("%v after its begin the crawl has ended", time.Since(web.Began()))
	b.politely()
	_, known := b.reported(store)
	wantKnown(t, web, known)
}
