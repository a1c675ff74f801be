package feed_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/feed"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestOldFolder follows the crawl of a folder that the program at commit 55caa0f wrote
// before it was killed. Its index has an older format, and is refused with an error
// that says what to do. After that, results and archive are read.
func TestOldFolder(t *testing.T) {
	dir := t.TempDir()
	for _, f := range corpus.Untar(t, filepath.Join("..", "..", "crawl", "testdata", "crawl-55caa0f.tar.gz")) {
		name := filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(f.Name, "testdata/old-crawl/")))
		fatal.If(t, os.MkdirAll(filepath.Dir(name), 0o777))
		fatal.If(t, os.WriteFile(name, f.Data, 0o666))
	}
	_, err := feed.Open(dir, feed.Options{})
	const want = `it has format "1", and this program knows 2: use the one that made it, or remove the folder and index the pages again`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Fatalf("got %v, want %s", err, want)
	}
	fatal.If(t, os.RemoveAll(filepath.Join(dir, "index")))

	f, err := feed.Open(dir, feed.Options{})
	fatal.If(t, err)
	fatal.If(t, f.Update(t.Context()))
	// Five pages may be indexed, and two of them are the same.
	if got, want := f.Status(), (feed.Status{Indexed: 4, Left: 1, Lines: 13}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	fatal.If(t, f.Close())
}
