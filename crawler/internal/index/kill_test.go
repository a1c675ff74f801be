package index_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// writeUntilKilled is the task of the child process: several goroutines put and remove
// pages, sync, and print the synced changes: "+ URL" or "- URL".
func writeUntilKilled(dir string) {
	x, err := index.Open(dir, index.Options{Memory: 20_000})
	child.Check(err)
	var out sync.Mutex
	var writers sync.WaitGroup
	for g := range 3 {
		writers.Go(func() {
			random := rand.New(rand.NewPCG(uint64(os.Getpid()), uint64(g)))
			for i := 0; ; i++ {
				var said strings.Builder
				for n := range 1 + random.IntN(20) {
					url := fmt.Sprintf("http://h%d.example/%d/%d/%d", g, os.Getpid(), i, n)
					text := fmt.Sprintf("word unique%dx%dx%dx%d %s", os.Getpid(), g, i, n,
						strings.Repeat("more ", random.IntN(500)))
					child.Check(x.Put(page(url, text)))
					if random.IntN(5) == 0 {
						child.Check(x.Remove(url))
						fmt.Fprintf(&said, "- %s\n", url)
					} else {
						fmt.Fprintf(&said, "+ %s\n", url)
					}
				}
				child.Check(x.Sync())
				out.Lock()
				os.Stdout.WriteString(said.String())
				out.Unlock()
			}
		})
	}
	writers.Wait()
}

// TestKill kills a writing process twenty times, at any moment. Each time the index
// opens again for writing and for searches, and has all changes that were reported as
// synced.
func TestKill(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "index")
	closed(t, open(t, dir, index.Options{}))
	random := rand.New(rand.NewPCG(1, 2))
	said := make(map[string]bool)
	rounds := corpus.Cases(8, 20)
	if testing.Short() {
		rounds = 5
	}
	for round := range rounds {
		n, wanted := 0, random.IntN(200)
		child.Start(t, "write", dir).KillAfter(wanted, func(line string) {
			sign, url, _ := strings.Cut(line, " ")
			said[url] = sign == "+"
			if n == wanted {
				if _, err := index.Open(dir, index.Options{}); !errors.Is(err, index.ErrLocked) {
					t.Errorf("opened while another process writes: %v", err)
				}
			}
			n++
		})
		x := open(t, dir, index.Options{ReadOnly: round%5 != 4})
		check(t, x, said)
		closed(t, x)
	}
	if len(said) < 10*rounds {
		t.Errorf("the processes wrote %d pages in all", len(said))
	}
}

// check looks for pages that must be in the index, or must not. It looks them up one by
// one: the number of pages depends on the speed of the machine.
func check(t *testing.T, x *index.Index, said map[string]bool) {
	t.Helper()
	searched := 0
	for url, there := range said {
		got, err := x.Has(url)
		if got != there || err != nil {
			t.Errorf("%s is there: %t, want %t, %v", url, got, there, err)
		}
		if searched++; searched > 100 {
			continue // a sample is enough
		}
		// The URL http://h1.example/2/3/4 has the word unique2x1x3x4.
		n := strings.FieldsFunc(url, func(r rune) bool { return r < '0' || r > '9' })
		r := search(t, x, fmt.Sprintf("word unique%sx%sx%sx%s", n[1], n[0], n[2], n[3]))
		if found := r.Total == 1; found != there {
			t.Errorf("a search for the words of %s finds it: %t, want %t", url, found, there)
		}
	}
}

// TestDamage opens indexes with cut, changed or removed files.
func TestDamage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	x := open(t, dir, index.Options{})
	for i := range 50 {
		put(t, x, page(fmt.Sprintf("https://example.com/%d", i), fmt.Sprintf("word number%d", i)))
	}
	closed(t, x)
	files, err := filepath.Glob(filepath.Join(dir, "store", "*"))
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		whole, err := os.ReadFile(file)
		fatal.If(t, err)
		for damage, data := range map[string][]byte{
			"empty":   {},
			"half":    whole[:len(whole)/2],
			"garbage": []byte(strings.Repeat("garbage ", len(whole)/8)),
			"gone":    nil,
		} {
			name := filepath.Base(file) + " " + damage
			replaced(t, file, data)
			if x, err := index.Open(dir, index.Options{}); err == nil {
				// The cut part may have been unused space.
				if n, err := count(x); n != 50 || err != nil {
					t.Errorf("%s: opened with %d pages, %v", name, n, err)
				}
				x.Close()
			} else if !errors.Is(err, index.ErrDamaged) || strings.Contains(err.Error(), "goroutine") ||
				strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v", name, err)
			}
			replaced(t, file, whole)
			x := open(t, dir, index.Options{})
			if n, err := count(x); n != 50 || err != nil {
				t.Errorf("%s, and whole again: %d pages, %v", name, n, err)
			}
			closed(t, x)
		}
	}
}

// replaced writes another file with the name of a file, to which snapshots have links, or
// none if data is nil.
func replaced(t *testing.T, file string, data []byte) {
	t.Helper()
	err := os.Remove(file)
	if data != nil {
		err = os.WriteFile(file, data, 0o600)
	}
	fatal.If(t, err)
}

// TestRemovedFolder removes the folder of an index during writes.
func TestRemovedFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	x := open(t, dir, index.Options{})
	put(t, x, page("https://example.com/", "word"))
	synced(t, x)
	if err := os.RemoveAll(dir); err != nil {
		t.Skip(err) // the system keeps open files
	}
	put(t, x, page("https://example.com/more", "word"))
	err := x.Sync()
	if err == nil || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "removed or renamed") {
		t.Errorf("got %v", err)
	}
	if again := x.Put(page("https://example.com/more", "word")); again == nil {
		t.Error("a page is taken after an error")
	}
	if err := x.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}
