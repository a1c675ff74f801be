package weburl_test

import (
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestSites resolves the links of real sites with this package and with the library: every third
// link, or all with ROBOTS_CORPUS_ALL.
func TestSites(t *testing.T) {
	for _, site := range sites {
		links := 0
		siteLinks(t, site, func(page string, refs []string) {
			base, err := exact.Parse("https://example.com/" + page)
			fatal.If(t, err)
			for _, ref := range refs {
				if links++; links%corpus.Cases(9, 1) != 0 {
					continue
				}
				_, u, why := exact.AppendResolved(nil, base, ref)
				if want, ok := twin(base.String(), ref); u.String() != want || ok != (why == weburl.None) {
					t.Errorf("%q at %q: got %q (%v), want %q", ref, base, u, why, want)
				}
			}
		})
		if links < 1000 {
			t.Errorf("%s has only %d links", site, links)
		}
	}
}
