package trap_test

import (
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/trap"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// TestSites checks every file of real sites: none is a trap.
func TestSites(t *testing.T) {
	for _, site := range []string{"httpd-manual", "jena-site", "opennlp-site"} {
		files := corpus.Untar(t, corpus.Path(t, "pages", site+".tar.gz"))
		if len(files) < 100 {
			t.Errorf("%s has only %d files", site, len(files))
		}
		for _, file := range files {
			u, err := weburl.Exact.Parse("https://example.com/" + file.Name)
			if err != nil {
				t.Error(err)
				continue
			}
			if f := check(u); f.Rule != trap.None {
				t.Errorf("%s: %v", file.Name, f)
			}
		}
	}
}
