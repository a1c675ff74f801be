package page_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/page"
)

const examplePage = `<!DOCTYPE html>
<html>
<title>Minutes of the club</title>
<meta name="robots" content="noindex">
<meta name="googlebot" content="nofollow">
<a href="/members" rel="nofollow">Members</a>
<a href="about">About</a>
`

func Example() {
	doc, err := page.Read(strings.NewReader(examplePage), page.Options{})
	if err != nil {
		panic(err)
	}
	d := doc.For("ExampleBot")
	if !d.Index {
		fmt.Println(d)
	}
	// Output:
	// may not be indexed (line 4: noindex), links may be followed
}

// Directives for everybody count for a robot with directives of its own too.
func ExampleDoc_For() {
	doc, err := page.Read(strings.NewReader(examplePage), page.Options{
		Header: http.Header{"X-Robots-Tag": {"noarchive, otherbot: noai"}},
	})
	if err != nil {
		panic(err)
	}
	for _, d := range doc.For("Googlebot-News", "Googlebot").InForce() {
		fmt.Printf("%v: %v\n", d.Source, d)
	}
	// Output:
	// X-Robots-Tag 1: noarchive
	// line 4: noindex
	// line 5: googlebot: nofollow
}

// The same page may say something else as the first robots read it.
func ExampleDoc_In() {
	doc, err := page.Read(nil, page.Options{Meta: []page.Meta{{Name: "robots", Content: "NOFOLLOW, FOLLOW, NOINDEX"}}})
	if err != nil {
		panic(err)
	}
	fmt.Println("today:", doc.For())
	fmt.Println("1996: ", doc.In(page.Reading1996).For())
	// Output:
	// today: may not be indexed (given meta 1: noindex), links may not be followed (given meta 1: nofollow)
	// 1996:  may not be indexed (given meta 1: noindex), links may be followed (given meta 1: follow)
}

// Links are kept if they are asked for.
func ExampleDecision_Link() {
	address, err := url.Parse("https://example.com/club/minutes")
	if err != nil {
		panic(err)
	}
	doc, err := page.Read(strings.NewReader(examplePage), page.Options{URL: address, MaxLinks: 1000})
	if err != nil {
		panic(err)
	}
	d := doc.For("ExampleBot")
	for _, link := range doc.Links {
		fmt.Println(link.URL, d.Link(link))
	}
	// Output:
	// https://example.com/members may not be followed (line 6: rel=nofollow)
	// https://example.com/club/about may be followed
}

// Directives of a page have no effect if robots.txt disallows the page.
func ExampleDecision_Under() {
	doc, err := page.Read(strings.NewReader(examplePage), page.Options{})
	if err != nil {
		panic(err)
	}
	group := robots.Parse([]byte("User-agent: *\nDisallow: /club/\n")).For("ExampleBot")
	fmt.Println(doc.For("ExampleBot").Under(group.Match("/club/minutes")))
	// Output:
	// may not be fetched: disallowed by line 2: Disallow: /club/; so its noindex (line 4) is never seen
}

// A line of the machine protocol, and its answer.
func ExampleServe() {
	lines := strings.NewReader(`{"id": 1, "headers": ["max-snippet:50"], "meta": [["robots", "none"]], "agent": "ExampleBot"}`)
	failed, err := page.Serve(context.Background(), lines, os.Stdout, page.Restrictive)
	fmt.Println(failed, err)
	// Output:
	// {"id":1,"index":false,"follow":false,"directives":{"noindex":true,"nofollow":true,"max-snippet":50}}
	// 0 <nil>
}
