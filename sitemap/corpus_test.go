package sitemap_test

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/sitemap"
)

// TestCorpus reads the sitemaps and feeds of real sites and compares the results with the
// slow twin. Other files of these sites must not be read as sitemaps.
func TestCorpus(t *testing.T) {
	sitemaps, entries, others := 0, 0, 0
	for _, site := range []string{"jena-site", "opennlp-site"} {
		for _, file := range corpus.Untar(t, corpus.Path(t, "pages", site+".tar.gz")) {
			var root struct{ XMLName xml.Name }
			if strings.HasSuffix(file.Name, ".xml") && xml.Unmarshal(file.Data, &root) == nil {
				switch root.XMLName.Local {
				case "urlset", "sitemapindex", "rss":
					sitemaps++
					entries += compare(t, file.Data)
					continue
				}
			}
			others++
			n := 0
			var last error
			for _, last = range sitemap.Read(bytes.NewReader(file.Data), sitemap.Options{}) {
				n++
			}
			if n == 0 || last == nil {
				t.Errorf("%s: %d entries and errors, the last %v; want the error that it is not a sitemap", file.Name,
					n, last)
			}
		}
	}
	t.Logf("%d sitemaps and feeds with %d entries; %d other files", sitemaps, entries, others)
	if sitemaps < 15 || entries < 1000 || others < 1000 {
		t.Errorf("%d sitemaps and feeds with %d entries and %d other files are not all", sitemaps, entries, others)
	}
}
