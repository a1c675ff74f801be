package warc_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// writeUntilKilled runs in the child process: several goroutines write, sync, and print
// which records are on the disk.
func writeUntilKilled(dir string) {
	w, err := warc.Open(dir, warc.Options{MaxSize: 300e3, Memory: 20e3})
	child.Check(err)
	var out sync.Mutex
	var writers sync.WaitGroup
	for g := range 3 {
		writers.Go(func() {
			random := rand.New(rand.NewPCG(uint64(os.Getpid()), uint64(g)))
			for i := 0; ; i++ {
				var captures []warc.Capture
				for n := range 1 + random.IntN(4) {
					x := visit(fmt.Sprintf("http://h%d.example/%d/%d/%d", g, os.Getpid(), i, n),
						page(random, random.IntN(60e3)))
					if random.IntN(8) == 0 {
						x.Response.Rest = strings.NewReader(page(random, 50e3))
					}
					c, err := w.Write(x)
					child.Check(err)
					captures = append(captures, c)
				}
				child.Check(w.Sync())
				out.Lock()
				for _, c := range captures {
					line, _ := json.Marshal(c)
					fmt.Printf("%s\n", line)
				}
				out.Unlock()
			}
		})
	}
	writers.Wait()
}

// page returns compressible text of a size in bytes.
func page(random *rand.Rand, size int) string {
	words := []string{"robots ", "may ", "fetch ", "this ", "page ", "and ", "that ", "<p>"}
	var b strings.Builder
	for b.Len() < size {
		b.WriteString(words[random.IntN(len(words))])
		if random.IntN(3) == 0 {
			fmt.Fprint(&b, random.Uint32())
		}
	}
	return b.String()[:size]
}

// visit returns an exchange with a request, a response and metadata.
func visit(url, body string) *warc.Exchange {
	return &warc.Exchange{
		URL:     url,
		Request: warc.Message{Head: []byte("GET / HTTP/1.1\r\nHost: h.example\r\n\r\n")},
		Response: warc.Message{Head: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"),
			Body: []byte(body)},
		Metadata: []warc.Field{{Name: "via", Value: "http://h.example/"}},
	}
}

// TestKill kills a process that writes an archive, over and over, at any moment. After
// reopening the folder, all records that the process reported synced are there, every
// file can be read to its end, and the index matches the files exactly.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(1, 2))
	var said []warc.Capture
	for round := range corpus.Cases(10, 20) {
		child.Start(t, "write", dir).KillAfter(random.IntN(40), func(line string) {
			var c warc.Capture
			if err := json.Unmarshal([]byte(line), &c); err != nil {
				t.Errorf("%s: %v", line, err)
			}
			said = append(said, c)
		})
		if round%5 == 4 {
			checkArchive(t, dir, said)
		}
	}
	if len(said) < 20 {
		t.Errorf("the processes wrote %d records in all", len(said))
	}
}

// checkArchive opens and closes an archive, and checks that all files can be read, that
// they have the records, and that the index matches the files.
func checkArchive(t *testing.T, dir string, said []warc.Capture) {
	t.Helper()
	w, err := warc.Open(dir, warc.Options{})
	fatal.If(t, err)
	fatal.If(t, w.Close())
	there, want := make(map[string]bool), []string{}
	for _, name := range glob(t, dir, "*") {
		if strings.HasSuffix(name, ".warc.gz") {
			for _, c := range captures(t, name) {
				there[c.String()+c.ID] = true
				want = append(want, c.String())
			}
		} else if filepath.Base(name) != "index.cdxj" {
			t.Errorf("%s is left", name)
		}
	}
	for _, c := range said {
		if !there[c.String()+c.ID] {
			t.Errorf("lost: %v", c)
		}
	}
	checkIndex(t, dir, want)
}
