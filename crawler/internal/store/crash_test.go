package store_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// prefix returns the number of steps of a journal that a store has, and the twin with the
// same steps. It fails if the store does not equal a prefix of the steps: if it has a
// later record of one partition, but lacks an earlier record of another.
func prefix(t *testing.T, s *store.Store, journal func(int) step, most int) (steps int, w *twin) {
	t.Helper()
	w = newTwin()
	last, at := newTwin(), -1
	var applied [256]uint64
	for p := range applied {
		applied[p] = s.Applied(uint8(p))
	}
	for n := 0; ; n++ {
		if w.applied == applied {
			last, at = w.clone(), n
		}
		if n == most {
			break
		}
		w.commit(journal(n))
	}
	if at < 0 {
		t.Fatal("what is applied is not the beginning of the journal")
	}
	return at, last
}

// TestPowerLoss simulates losses of power, over and over, each of which drops any part of
// the unsynced data. The store must then equal a prefix of its journal, no shorter than
// the last sync.
func TestPowerLoss(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	fs := vfs.NewCrashableMem()
	// SyncEvery is off, so that only Sync counts.
	options := store.Options{Dir: "/crawl/store", SyncEvery: -1}.Small()
	steps, lost := 0, 0
	rounds := corpus.Cases(12, 20)
	if testing.Short() {
		rounds = 6
	}
	for round := range rounds {
		s, err := store.Open(options.On(fs))
		fatal.If(t, err)
		synced := steps
		for range random.IntN(100) {
			fatal.If(t, journal(steps).commit(s))
			if steps++; random.IntN(50) == 0 {
				fatal.If(t, s.Sync())
				synced = steps
			}
		}
		after := fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: random.IntN(101),
			RNG: rand.New(rand.NewPCG(uint64(round), 8))})
		closed(t, s)
		fs = after
		again, err := store.Open(options.On(fs))
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		now, w := prefix(t, again, journal, steps)
		w.compare(t, again)
		if now < synced {
			t.Errorf("round %d: %d steps after power was lost, and %d were synced", round, now, synced)
		}
		lost += steps - now
		steps = now
		closed(t, again)
		if t.Failed() {
			break
		}
	}
	if lost == 0 {
		t.Error("nothing was ever lost: this shows nothing")
	}
}

// commitUntilKilled runs in the child process: it continues the journal, and prints each
// commit and each sync.
func commitUntilKilled(dir string) {
	s, err := store.Open(store.Options{Dir: dir, SyncEvery: -1}.Small())
	child.Check(err)
	n := 0
	for ; ; n++ {
		x := journal(n)
		if x.seq > s.Applied(x.partition) {
			break
		}
	}
	for ; ; n++ {
		child.Check(journal(n).commit(s))
		fmt.Println("committed", n+1)
		if n%40 == 0 {
			child.Check(s.Sync())
			fmt.Println("synced", n+1)
		}
	}
}

// TestKill kills a process that commits a journal, over and over, at any moment. The
// store must then equal a prefix of the steps, and the next process continues from there.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(1, 2))
	rounds := corpus.Cases(12, 20)
	if testing.Short() {
		rounds = 5
	}
	for round := range rounds {
		committed, synced := 0, 0
		child.Start(t, "commit", dir).KillAfter(random.IntN(120), func(line string) {
			fmt.Sscanf(line, "committed %d", &committed)
			fmt.Sscanf(line, "synced %d", &synced)
		})
		s := open(t, dir)
		// The process may have committed one step more than it could print.
		steps, w := prefix(t, s, journal, committed+1)
		if steps < synced {
			t.Errorf("round %d: %d steps, and %d were synced", round, steps, synced)
		}
		if round%4 == 3 {
			w.compare(t, s)
		}
		closed(t, s)
	}
}

// TestLocked opens a store that is open in another process, and one that is open in this
// process.
func TestLocked(t *testing.T) {
	dir := t.TempDir()
	child.Start(t, "commit", dir).Line()
	wantLocked(t, dir)
	own := t.TempDir()
	open(t, own)
	wantLocked(t, own)
}

func wantLocked(t *testing.T, dir string) {
	t.Helper()
	s, err := store.Open(store.Options{Dir: dir})
	if err == nil {
		s.Close()
	}
	want := "open store " + dir + ": it is open in another process"
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}
