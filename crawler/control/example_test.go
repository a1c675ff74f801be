package control_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/robotsexclusion/robots/crawler/control"
	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/fetch"
)

// Another process asks a running crawl for its status. Here the crawl asks itself.
func ExampleAsk() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "<title>Home</title>")
	}))
	defer site.Close()
	dir, err := os.MkdirTemp("", "crawl")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()

	config := crawl.Config{
		Dir:        dir,
		UserAgent:  "ExampleBot/1.0 (+https://example.com/bot)",
		DialFilter: fetch.DialFilter{AllowPrivate: true},
		OnPage: func(p *crawl.Page) {
			report, err := control.Ask(ctx, dir, 20)
			if err != nil {
				panic(err)
			}
			fmt.Println(p.Line.Title, report.State)
		},
	}
	config.Attend = func(c *crawl.Crawl) (leave func()) {
		server, err := control.Listen(dir, c)
		if err != nil {
			panic(err)
		}
		return func() { server.Close() }
	}
	_, err = crawl.New(config).Run(ctx, site.URL)
	fmt.Println(err)
	// Output:
	// Home running
	// <nil>
}
