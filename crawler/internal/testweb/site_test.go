package testweb_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// TestSite serves a few files.
func TestSite(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{
		"robots.txt":        []byte("User-agent: *\nDisallow: /closed/\n"),
		"index.html":        []byte(`<a href=/a/>a</a> <a href="b%2ehtml">b</a> <a href=/closed/x.html>c</a> <a href=http://other.test/>o</a> <link rel=next href=next.html>`),
		"a/index.html":      []byte(`<base href="/sub/"><a href=c.html#top>c</a> <a href="?q=1">q</a> <a href="missing page.html">m</a>`),
		"b.html":            []byte(`<meta name=robots content=nofollow><a href=only.html>o</a>`),
		"sub/c.html":        []byte(`<meta http-equiv=refresh content="0; url=/map.html"><frame src=/a><area href=é.html>`),
		"sub/é.html":        []byte(`<a rel="x nofollow" href=/only.html>`),
		"only.html":         []byte(""),
		"map.html":          []byte("URI: map.html.de\nContent-Language: de\nContent-type: text/html\n\nURI: map.html.en\nContent-Language: en\nContent-type: text/html; charset=UTF-8\n"),
		"map.html.de":       []byte("Karte"),
		"map.html.en":       []byte(`<a href="de/map.html">de</a><a href="fr/map.html">fr</a><a href="fr/de/map.html">de</a>`),
		"unlinked.html":     []byte(""),
		"closed/x.html":     []byte(""),
		"next.html":         []byte(""),
		"a/unread/file.txt": []byte(""),
	}
	w := start(t, testweb.Options{Sites: []testweb.Site{{Name: "site.test", Files: files}}, Scale: 0.001})
	if got, want := w.Seeds(), []string{w.Origin(0) + "/"}; !slices.Equal(got, want) {
		t.Fatalf("got seeds %q, want %q", got, want)
	}
	var got []string
	for _, url := range w.Reachable(testweb.CheckOptions{}) {
		got = append(got, strings.TrimPrefix(url, w.Origin(0)))
	}
	want := []string{"/", "/a", "/a/", "/b.html", "/de/map.html", "/fr/de/map.html", "/fr/map.html", "/map.html",
		"/sub/%C3%A9.html", "/sub/?q=1", "/sub/c.html", "/sub/missing%20page.html"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
	(&naive{}).crawl(t, w)
	wantNone(t, w.Check(testweb.CheckOptions{Whole: true}))
}

// TestCorpusSites serves sites of the corpus. A crawler visits the first of them, or
// all three with ROBOTS_CORPUS_ALL.
func TestCorpusSites(t *testing.T) {
	t.Parallel()
	names := []string{"jena-site", "opennlp-site", "httpd-manual"}
	atLeast := []int{250, 1300, 1000} // reachable pages
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
	w := start(t, testweb.Options{Sites: sites})
	seeds := w.Seeds()
	if corpus.All() {
		// No page of the second site links to its old documents.
		seeds = append(seeds, w.Origin(1)+"/docs/1.5.3/manual/opennlp.html")
		for _, part := range []string{"tools", "maxent", "uima"} {
			seeds = append(seeds, w.Origin(1)+"/docs/1.5.3/apidocs/opennlp-"+part+"/index.html")
		}
	}
	counts := make([]int, len(sites))
	for _, url := range w.Reachable(testweb.CheckOptions{Seeds: seeds}) {
		for i := range sites {
			if strings.HasPrefix(url, w.Origin(i)+"/") {
				counts[i]++
			}
		}
	}
	t.Log(counts)
	for i, count := range counts {
		if count < atLeast[i] {
			t.Errorf("%s has %d pages that can be reached, want %d at least", sites[i].Name, count, atLeast[i])
		}
	}
	(&naive{seeds: seeds, patience: 1 << 20}).crawl(t, w)
	wantNone(t, w.Check(testweb.CheckOptions{Whole: true, Seeds: seeds}))
}
