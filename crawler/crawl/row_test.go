package crawl_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

// brokenPages are ways in which a server answers for a page, and gives none.
var brokenPages = map[string]string{
	"silence":       "",
	"two lengths":   "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
	"large head":    "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1<<20) + "\r\n\r\n",
	"HTTP/0.9":      "<html><p>an old page</html>",
	"another one":   "SSH-2.0-OpenSSH_9.6\r\n",
	"half a head":   "HTTP/1.1 200 OK\r\nContent-Ty",
	"half a body":   "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\n<p>half",
	"broken chunks": "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n<p>half",
	"refusal":       "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n",
	"waiting":       "wait",
}

// serveBroken returns the origin of a server on which the targets that broken reports get a broken
// answer, and all others a page with the links.
func serveBroken(t *testing.T, answer string, links []string, broken func(path string) bool) string {
	t.Helper()
	return "http://" + ports.Serve(t, func(c net.Conn) {
		r, err := http.ReadRequest(bufio.NewReader(c))
		switch path := ""; {
		case err != nil:
		case r.URL.Path == "/robots.txt":
			io.WriteString(c, "HTTP/1.0 404 Not Found\r\n\r\n")
		case broken(r.URL.String()) && answer == "wait":
			io.Copy(io.Discard, c)
		case broken(r.URL.String()):
			io.WriteString(c, answer)
		default:
			if path = r.URL.Path; path == "/" {
				for _, link := range links {
					path += " <a href='" + link + "'>a</a>"
				}
			}
			io.WriteString(c, "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<title>"+r.URL.Path+"</title>"+path)
		}
	})
}

// patient returns a configuration whose pauses after failures are short, and outlast a test without
// limits for failures.
func patient(t *testing.T) *crawl.Config {
	c := newCrawler(t)
	c.Archive, c.DialFilter = nil, fetch.DialFilter{} // the servers are seeds on this machine
	c.Pauses.FirstPause, c.Pauses.LastPause = 5*time.Millisecond, 10*time.Millisecond
	c.Limits.HeaderTimeout = 250 * time.Millisecond
	return c
}

// fetched returns the number of good pages that were fetched, and checks the other results.
func fetched(t *testing.T, c *crawl.Config, seeds ...string) (good int) {
	t.Helper()
	summary, err := crawl.New(*c).Run(t.Context(), seeds...)
	if err != nil || !summary.Finished {
		t.Fatalf("%+v, %v", summary, err)
	}
	for url, r := range readResults(t, c.Dir) {
		isGood := strings.Contains(url, "/good") && !strings.Contains(url, "cgi")
		switch {
		case isGood && r["status"] == 200.0 && r["reason"] == nil:
			good++
		case isGood && r["reason"] == "unreachable":
			t.Errorf("a good page is unreachable: %v", r)
		case strings.Contains(url, "cgi") && r["reason"] == nil:
			t.Errorf("a broken page has no reason: %v", r)
		}
	}
	return good
}

// A dozen broken pages in a row do not cost the good ones behind them, whatever is wrong with them.
func TestBrokenPages(t *testing.T) {
	t.Parallel()
	isBroken := func(target string) bool { return strings.Contains(target, "cgi") }
	for name, answer := range brokenPages {
		usual := []string{"silence", "large head", "HTTP/0.9", "refusal"}
		if !corpus.All() && !slices.Contains(usual, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, form := range []string{"/cgi%d", "/good%d?cgi"} { // of another shape, and of the same
				var links []string
				for i := range 12 {
					links = append(links, fmt.Sprintf(form, i))
				}
				for i := range 20 {
					links = append(links, fmt.Sprintf("/good%d", i))
				}
				origin := serveBroken(t, answer, links, isBroken)
				if good := fetched(t, patient(t), origin+"/"); good != 20 {
					t.Errorf("%s: %d of 20 pages", form, good)
				}
				if form == "/good%d?cgi" && (name == "refusal" || name == "waiting") {
					continue // nothing speaks for the host
				}
				for i := range links {
					links[i] = origin + links[i]
				}
				if good := fetched(t, patient(t), links...); good != 20 {
					t.Errorf("%s: %d of 20 pages that are seeds", form, good)
				}
			}
		})
	}
}
