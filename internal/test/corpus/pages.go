package corpus

import (
	"path/filepath"
	"strings"
	"testing"
)

// Pages returns every nth HTML page of all sites in the folder "pages".
func Pages(tb testing.TB, nth int) (pages []File) {
	tb.Helper()
	sites, err := filepath.Glob(Path(tb, "pages", "*.tar.gz"))
	if err != nil || len(sites) == 0 {
		tb.Fatal("no pages in the corpus")
	}
	n := 0
	for _, site := range sites {
		for _, f := range Untar(tb, site) {
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
