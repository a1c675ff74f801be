package store_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/internal/test/disk"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestSmallDisk fills a real file system, enlarges it, and goes on. It needs permission
// to mount one.
func TestSmallDisk(t *testing.T) {
	dir := t.TempDir()
	if err := disk.Mount(dir, 3<<20); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { disk.Unmount(dir) })
	options := store.Options{Dir: dir}.Small()
	s, err := store.Open(options)
	fatal.If(t, err)
	n := 0
	for ; err == nil; n++ {
		err = large(n).commit(s)
	}
	wantFull(t, err)
	wantFull(t, s.Close())
	fatal.If(t, disk.Resize(dir, 50<<20))
	if s, err = store.Open(options); err != nil {
		t.Fatal(err)
	}
	defer closed(t, s)
	steps, w := prefix(t, s, large, n)
	w.compare(t, s)
	for i := steps; i < n+50; i++ {
		w.commit(large(i))
		fatal.If(t, large(i).commit(s))
	}
	w.compare(t, s)
}

// large returns a larger step of the journal.
func large(n int) step {
	x := journal(n)
	random := rand.New(rand.NewPCG(uint64(n), 0))
	state := make([]byte, 20000)
	for i := range state {
		state[i] = byte(random.Uint32())
	}
	x.changes = append(x.changes, change{method: "host", host: fmt.Sprintf("http://large%d.example", n%100),
		bytes: state})
	return x
}
