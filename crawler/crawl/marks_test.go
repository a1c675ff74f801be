package crawl_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestMarksFirst cuts the log of the store wherever a kill may have cut it. In each state the
// mark of the results must cover the line of each page that is done: otherwise the loss of that
// line stays unnoticed.
func TestMarksFirst(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	ch := newTask(startWild(t, testweb.Options{Hosts: 8, Pages: 400, Scale: 0.01, Token: "TestBot"}),
		filepath.Join(t.TempDir(), "crawl"))
	p := ch.start(t)
	name := filepath.Join(ch.Dir, "store", "000002.log")
	size := int64(0)
	for began := time.Now(); size < 90<<10; time.Sleep(time.Millisecond) {
		if info, err := os.Stat(name); err == nil {
			size = info.Size()
		}
		if time.Since(began) > time.Minute {
			t.Fatalf("the log of the store has %d bytes after a minute", size)
		}
	}
	p.Process.Kill()
	p.Wait()
	text := readFile(t, filepath.Join(ch.Dir, "results.jsonl"))
	const cuts = 60
	pages := 0
	for i := range int64(cuts) {
		dir := filepath.Join(t.TempDir(), "store")
		fatal.If(t, os.CopyFS(dir, os.DirFS(filepath.Join(ch.Dir, "store"))))
		at := size/8 + size*7/8*(i+1)/cuts // the part before is the start of the store
		fatal.If(t, os.Truncate(filepath.Join(dir, filepath.Base(name)), at))
		covered, known, done := storeSays(t, dir)
		for visit := range linesIn(t, bytes.NewReader(text[:known])) {
			if !done[visit] {
				t.Errorf("the log cut at %d of %d bytes: %s is in the %d bytes of results of which the store knows all, by its mark, and is not done", at, size, visit, known)
				break
			}
		}
		within := linesIn(t, bytes.NewReader(text[:covered]))
		for visit := range done {
			if pages++; !within[visit] {
				t.Errorf("the log cut at %d of %d bytes: %s is done, and not in the %d bytes of results that the mark covers", at, size, visit, covered)
				break
			}
		}
	}
	if pages < cuts {
		t.Errorf("only %d pages were done in all", pages)
	}
}

// storeSays returns the size of the results in the mark of a store, the offset up to which the
// store knows their lines, and the visits that are done.
func storeSays(t *testing.T, dir string) (size, known int64, done map[string]bool) {
	t.Helper()
	s, err := store.Open(store.Options{Dir: dir, ReadOnly: true})
	fatal.If(t, err)
	defer s.Close()
	var mark struct{ Size, Ahead int64 }
	err = s.Marks(func(name string, value []byte) error {
		if name == "results" {
			return json.Unmarshal(value, &mark)
		}
		return nil
	})
	fatal.If(t, err)
	done = make(map[string]bool)
	err = s.Records(func(k store.Entry) error {
		if k.Done {
			done[fmt.Sprint(k.Item.URL, " ", k.State.Fetched.UnixMilli())] = true
		}
		return nil
	})
	fatal.If(t, err)
	return mark.Size, mark.Size - mark.Ahead, done
}

// linesIn returns the visits that have a line in results.
func linesIn(t *testing.T, r io.Reader) map[string]bool {
	t.Helper()
	visits := make(map[string]bool)
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			return visits
		}
		var one struct {
			URL       string    `json:"url"`
			FetchedAt time.Time `json:"fetched_at"`
		}
		fatal.If(t, json.Unmarshal([]byte(strings.TrimSpace(line)), &one))
		if one.FetchedAt.IsZero() {
			continue
		}
		visits[fmt.Sprint(one.URL, " ", one.FetchedAt.UnixMilli())] = true
	}
}
