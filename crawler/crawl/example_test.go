package crawl_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/fetch"
)

// OnPage gives each page with what robots.txt and the page itself say about it.
func ExampleCrawl() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			fmt.Fprint(w, "User-agent: *\nDisallow: /closed\n")
		case "/":
			fmt.Fprint(w, `<title>Home</title> <a href="/club">Club</a> <a href="/closed">Closed</a>`)
		case "/club":
			fmt.Fprint(w, `<title>Club</title> <meta name="robots" content="noindex">`)
		}
	}))
	defer site.Close()
	dir, err := os.MkdirTemp("", "crawl")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)

	c := crawl.New(crawl.Config{
		Dir:        dir,
		UserAgent:  "ExampleBot/1.0 (+https://example.com/bot)",
		Pauses:     crawl.Pauses{MinDelay: -1, Slowness: -1}, // the site is our own
		DialFilter: fetch.DialFilter{AllowPrivate: true},
		OnPage: func(p *crawl.Page) {
			fmt.Println(p.Doc.Title, len(p.Doc.Links), "links:", p.Verdict)
		},
	})
	summary, err := c.Run(context.Background(), site.URL)
	fmt.Println(summary.Pages, "pages,", summary.Finished, err)
	// Output:
	// Home 2 links: may be fetched: allowed: no rule of the group matches; may be indexed, links may be followed
	// Club 0 links: may be fetched: allowed: no rule of the group matches; may not be indexed (line 1: noindex), links may be followed
	// 2 pages, true <nil>
}
