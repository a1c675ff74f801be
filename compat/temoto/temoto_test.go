package robotstxt_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	robotstxt "github.com/robotsexclusion/robots/compat/temoto"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// Programs for github.com/temoto/robotstxt need another import line only.
func Example() {
	data, err := robotstxt.FromString("User-agent: *\nDisallow: /search\n\nUser-agent: Googlebot\nCrawl-delay: 2\nDisallow: /private/\n")
	if err != nil {
		panic(err)
	}
	fmt.Println(data.TestAgent("/search", "ExampleBot"), data.TestAgent("/search", "Googlebot-Image"))
	group := data.FindGroup("Googlebot/2.1")
	fmt.Println(group.Agent, group.CrawlDelay, group.Test("/private/x"))
	// Output:
	// false true
	// Googlebot 2s false
}

func TestStatus(t *testing.T) {
	for status, want := range map[int]string{200: "file", 206: "file", 404: "open", 403: "open", 429: "closed",
		500: "closed", 503: "closed", 302: "error", 100: "error", 600: "error"} {
		response := &http.Response{StatusCode: status,
			Body: io.NopCloser(strings.NewReader("User-agent: *\nDisallow: /a"))}
		data, err := robotstxt.FromResponse(response)
		again, errAgain := robotstxt.FromStatusAndString(status, "User-agent: *\nDisallow: /a")
		got := "error"
		if err == nil {
			got = map[[2]bool]string{{false, true}: "file", {true, true}: "open",
				{false, false}: "closed"}[[2]bool{data.TestAgent("/a", "x"), data.TestAgent("/b", "x")}]
			if errAgain != nil || again.TestAgent("/a", "x") != data.TestAgent("/a", "x") {
				t.Errorf("%d: FromStatusAndString differs: %v", status, errAgain)
			}
		}
		if got != want || (err == nil) != (errAgain == nil) {
			t.Errorf("%d: got %s, want %s; %v, %v", status, got, want, err, errAgain)
		}
	}
	if data, err := robotstxt.FromResponse(nil); data != nil || err != nil {
		t.Errorf("no response: %v, %v", data, err)
	}
}

func TestFindGroup(t *testing.T) {
	data, err := robotstxt.FromBytes([]byte("Crawl-delay: x\nDisallow: /stray\nUser-agent: *\nCrawl-delay: 1.5\nDisallow: /no\n\nUser-agent: Foo\nUser-agent: FooBot\nDisallow: /foo\n\nUser-agent: foobot\nDisallow: /more\n" +
		"Host: a.example\nSitemap: https://a.example/s.xml\nSitemap: /t.xml\nHost: b.example\n"))
	fatal.If(t, err)
	for agent, want := range map[string]string{
		"FooBot": "FooBot 0s false false", "foobot-image/1.0": "FooBot 0s false false", "FOO": "Foo 0s false true",
		"Food": "Foo 0s false true",
		"Fo":   "* 1.5s true true", "": "* 1.5s true true", "Mozilla/5.0 (compatible; FooBot/1)": "* 1.5s true true",
	} {
		g := data.FindGroup(agent)
		if got := fmt.Sprint(g.Agent, " ", g.CrawlDelay, " ", g.Test("/foo"), " ", g.Test("/more")); got != want {
			t.Errorf("%q: got %s, want %s", agent, got, want)
		}
	}
	if data.Host != "b.example" || !slices.Equal(data.Sitemaps, []string{"https://a.example/s.xml", "/t.xml"}) {
		t.Errorf("host %q, sitemaps %q", data.Host, data.Sitemaps)
	}
	for url, want := range map[string]bool{"https://a.example/foo": false, "https://a.example/x": true, "//foo": true,
		"/foo//": false, "foo": false, "x": false, "": false} {
		if got := data.TestAgent(url, "FooBot"); got != want {
			t.Errorf("%q: %t, want %t", url, got, want)
		}
	}
}

// TestZero uses values that no function returned.
func TestZero(t *testing.T) {
	if g := new(robotstxt.RobotsData).FindGroup("x"); !g.Test("/x") || g.Agent != "" || g.CrawlDelay != 0*time.Second {
		t.Errorf("got %+v", g)
	}
	if !new(robotstxt.Group).Test("/x") || new(robotstxt.Group).Test("x") {
		t.Error("a group without rules allows paths, and nothing else")
	}
	if got := (robotstxt.ParseError{Errs: []error{io.EOF,
		io.ErrNoProgress}}).Error(); got != "Parse error(s): \nEOF\nmultiple Read calls return no data or error\n" {
		t.Errorf("got %q", got)
	}
}
