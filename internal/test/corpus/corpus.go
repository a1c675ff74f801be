// Package corpus finds, for tests, real files that are not part of this repository:
// robots.txt files, pages, logs, lists of robots, and the verdicts of other test
// suites.
package corpus

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

// Path returns the path of a folder or file of the corpus: below the folder in
// ROBOTS_CORPUS, or else below ../shared/corpus beside the repository. Without a corpus
// the test is skipped; it fails if ROBOTS_CORPUS names a missing one.
func Path(tb testing.TB, elem ...string) string {
	tb.Helper()
	dir := os.Getenv("ROBOTS_CORPUS")
	if dir == "" {
		dir = filepath.Join(root(tb), "..", "shared", "corpus")
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if os.Getenv("ROBOTS_CORPUS") != "" {
			tb.Fatalf("ROBOTS_CORPUS names %s, which does not exist", dir)
		}
		tb.Skip("the corpus is not here: set ROBOTS_CORPUS to its folder to run this")
	}
	return filepath.Join(append([]string{dir}, elem...)...)
}

// root returns the folder of the repository: the folder of the first go.mod above the
// test that has internal/test/corpus beside it.
func root(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "internal", "test", "corpus", "corpus.go")); err == nil {
			return dir
		}
		if parent := filepath.Dir(dir); parent != dir {
			dir = parent
			continue
		}
		tb.Skip("the test does not run in the repository")
	}
}

// All reports whether tests should read all files instead of their default sample:
// ROBOTS_CORPUS_ALL is set.
func All() bool { return os.Getenv("ROBOTS_CORPUS_ALL") != "" }

// A File is one file of the corpus.
type File struct {
	Name string // with the folder of its source
	Data []byte
}

// robotsFiles are the robots.txt files that this process has read, by archive: several tests
// of a package read the same archives.
var robotsFiles = struct {
	sync.Mutex
	of map[string][]File
}{of: make(map[string][]File)}

// Files returns the robots.txt files of one source of the corpus, or of all sources for
// "*". Their data is not to be modified.
func Files(tb testing.TB, source string) (files []File) {
	tb.Helper()
	archives, err := filepath.Glob(Path(tb, "robots", source, "files.tar.gz"))
	if err != nil || len(archives) == 0 {
		tb.Fatalf("no robots.txt files of source %q in the corpus", source)
	}
	robotsFiles.Lock()
	defer robotsFiles.Unlock()
	for _, archive := range archives {
		read, ok := robotsFiles.of[archive]
		if !ok {
			read = Untar(tb, archive)
			robotsFiles.of[archive] = read
		}
		files = append(files, read...)
	}
	return files
}

// Sample returns about n files of all kinds and sources: the largest, and an even sample of the
// others.
func Sample(tb testing.TB, n int) (some []File) {
	tb.Helper()
	const largest = 25
	files := Files(tb, "*")
	slices.SortStableFunc(files, func(a, b File) int { return len(b.Data) - len(a.Data) })
	some = slices.Clone(files[:min(largest, len(files))])
	for i := largest; i < len(files); i += max(1, len(files)/(n-largest)) {
		some = append(some, files[i])
	}
	return some
}

// Untar returns the files of a gzipped tar archive.
func Untar(tb testing.TB, archive string) (files []File) {
	tb.Helper()
	f, err := os.Open(archive)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatalf("%s: %v", archive, err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			tb.Fatalf("%s: %v", archive, err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		data := make([]byte, h.Size)
		if _, err := io.ReadFull(r, data); err != nil {
			tb.Fatalf("%s: %s: %v", archive, h.Name, err)
		}
		files = append(files, File{filepath.Base(filepath.Dir(archive)) + "/" + h.Name, data})
	}
}
