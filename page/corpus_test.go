package page_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpus returns the path of a folder or file of the corpus: real pages that
// are not part of this repository. A test that asks for it is skipped where
// there is none.
func corpus(tb testing.TB, elem ...string) string {
	tb.Helper()
	dir := os.Getenv("ROBOTS_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "corpus")
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if os.Getenv("ROBOTS_CORPUS") != "" {
			tb.Fatalf("ROBOTS_CORPUS names %s, which does not exist", dir)
		}
		tb.Skip("the corpus is not here: set ROBOTS_CORPUS to its folder to run this")
	}
	return filepath.Join(append([]string{dir}, elem...)...)
}

// A corpusPage is one page of the corpus.
type corpusPage struct {
	name string
	data []byte
}

// corpusPages returns the pages of HTML of all sites, or every nth of them.
func corpusPages(tb testing.TB, nth int) (pages []corpusPage) {
	tb.Helper()
	sites, err := filepath.Glob(corpus(tb, "pages", "*.tar.gz"))
	if err != nil || len(sites) == 0 {
		tb.Fatal("no pages in the corpus")
	}
	n := 0
	for _, site := range sites {
		data, err := os.ReadFile(site)
		if err != nil {
			tb.Fatal(err)
		}
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			tb.Fatalf("%s: %v", site, err)
		}
		for r := tar.NewReader(z); ; {
			h, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				tb.Fatalf("%s: %v", site, err)
			}
			if h.Typeflag != tar.TypeReg || !strings.Contains(h.Name, ".html") {
				continue
			}
			if n++; n%nth != 0 {
				continue
			}
			page, err := io.ReadAll(r)
			if err != nil {
				tb.Fatalf("%s: %s: %v", site, h.Name, err)
			}
			pages = append(pages, corpusPage{filepath.Base(site) + "/" + h.Name, page})
		}
	}
	return pages
}
