package page_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/corpus"
)

// corpusPages returns the pages of HTML of all sites, or every nth of them.
func corpusPages(tb testing.TB, nth int) (pages []corpus.File) {
	tb.Helper()
	sites, err := filepath.Glob(corpus.Path(tb, "pages", "*.tar.gz"))
	if err != nil || len(sites) == 0 {
		tb.Fatal("no pages in the corpus")
	}
	n := 0
	for _, site := range sites {
		for _, f := range corpus.Untar(tb, site) {
			if !strings.Contains(f.Name, ".html") {
				continue
			}
			if n++; n%nth == 0 {
				pages = append(pages, f)
			}
		}
	}
	return pages
}
