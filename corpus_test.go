package robots_test

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// corpus returns the path of a folder or file of the corpus: real robots.txt
// files that are not part of this repository. A test that asks for it is
// skipped where there is none.
func corpus(tb testing.TB, elem ...string) string {
	tb.Helper()
	dir := os.Getenv("ROBOTS_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "shared", "corpus")
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if os.Getenv("ROBOTS_CORPUS") != "" {
			tb.Fatalf("ROBOTS_CORPUS names %s, which does not exist", dir)
		}
		tb.Skip("the corpus is not here: set ROBOTS_CORPUS to its folder to run this")
	}
	return filepath.Join(append([]string{dir}, elem...)...)
}

// A corpusFile is one robots.txt of the corpus.
type corpusFile struct {
	name string
	data []byte
}

// corpusFiles returns the files of one source of the corpus, or of all for "*".
func corpusFiles(tb testing.TB, source string) []corpusFile {
	tb.Helper()
	archives, err := filepath.Glob(corpus(tb, "robots", source, "files.tar.gz"))
	if err != nil || len(archives) == 0 {
		tb.Fatalf("no robots.txt files of source %q in the corpus", source)
	}
	var files []corpusFile
	for _, archive := range archives {
		files = append(files, untar(tb, archive)...)
	}
	return files
}

func untar(tb testing.TB, archive string) (files []corpusFile) {
	tb.Helper()
	f, err := os.Open(archive)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
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
		data, err := io.ReadAll(r)
		if err != nil {
			tb.Fatalf("%s: %s: %v", archive, h.Name, err)
		}
		files = append(files, corpusFile{filepath.Base(filepath.Dir(archive)) + "/" + h.Name, data})
	}
}
