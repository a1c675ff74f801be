package crawl_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

)

// TestQueryEncoding: the query of a link is asked for in the encoding of its page, as
// browsers do, and the path in UTF-8.
func TestQueryEncoding(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			http.NotFound(w, r)
		case "/":
			w.Header().Set("Content-Type", "text/html; charset=windows-1251")
			io.WriteString(w, "<a href='/\xef?q=\xef\xf0&x=&#233;'>a</a><a href='/two?q=\xef\xf0'>the same</a><a href='/two?q=%EF%F0'>again</a>")
		default:
			asked <- r.RequestURI
		}
	}))
	defer s.Close()
	c := newCrawler(t)
	if _, err := c.Run(t.Context(), s.URL); err != nil {
		t.Fatal(err)
	}
	close(asked)
	got := make(map[string]int)
	for url := range asked {
		got[url]++
	}
	if fmt.Sprint(got) != "map[/%D0%BF?q=%EF%F0&x=%26%23233%3B:1 /two?q=%EF%F0:1]" {
		t.Errorf("got %v", got)
	}
}

