package crawl_test

import (
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// TestSites crawls copies of real sites. It must visit every page that the rules and links allow
// once, and no other page. It crawls one site, or all three with ROBOTS_CORPUS_ALL.
func TestSites(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes some time")
	}
	names := []string{"jena-site", "opennlp-site", "httpd-manual"}
	if !corpus.All() {
		names = names[:1]
	}
	var sites []testweb.Site
	for _, name := range names {
		site := testweb.Site{Name: name + ".test", Files: make(map[string][]byte)}
		for _, f := range corpus.Untar(t, corpus.Path(t, "pages", name+".tar.gz")) {
			site.Files[strings.TrimPrefix(f.Name, "pages/")] = f.Data
		}
		sites = append(sites, site)
	}
	web := startWild(t, testweb.Options{Sites: sites, Hosts: 1, Kinds: []string{"ordinary"}, Texts: []string{"none"},
		Token: "TestBot"})
	seeds := web.Seeds()
	if corpus.All() {
		// No page of the second site links to its old documents.
		for i := range web.Len() {
			if origin := web.Origin(i); strings.Contains(origin, "opennlp") {
				seeds = append(seeds, origin+"/docs/1.5.3/manual/opennlp.html")
				for _, part := range []string{"tools", "maxent", "uima"} {
					seeds = append(seeds, origin+"/docs/1.5.3/apidocs/opennlp-"+part+"/index.html")
				}
			}
		}
	}
	ch := newTask(web, t.TempDir())
	ch.Delay = time.Millisecond
	summary, err := crawl.NewQuick(*ch.crawler()).Run(t.Context(), seeds...)
	if err != nil || !summary.Finished {
		t.Fatalf("%+v, %v", summary, err)
	}
	t.Logf("%d pages, %v", summary.Pages, summary.Reasons)
	check := wildCheck
	check.MinDelay, check.Seeds = time.Millisecond, seeds
	wantPolite(t, web, check)
}
