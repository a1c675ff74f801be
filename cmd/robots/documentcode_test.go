package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/page"
)

// TestDocumentCode compares the Go code of documents with the code below, which compiles.
func TestDocumentCode(t *testing.T) {
	source, err := os.ReadFile("documentcode_test.go")
	fatal.If(t, err)
	aligned := regexp.MustCompile(` +// `)
	for _, name := range []string{"README.md", "doc/polite-robot.md"} {
		blocks := codeBlocks(t, name)
		rest := string(source)
		for _, block := range blocks {
			var code string
			_, code, _ = strings.Cut(rest, "\t// "+name+" begins here.\n")
			code, rest, _ = strings.Cut(code, "\t// It ends here.\n")
			code = strings.TrimPrefix(strings.ReplaceAll(code, "\n\t", "\n"), "\t")
			got, want := aligned.ReplaceAllString(block, " // "), aligned.ReplaceAllString(code, " // ")
			if got != want {
				t.Errorf("%s has\n%s\nand the code of this file is\n%s", name, got, want)
			}
		}
		if len(blocks) == 0 || strings.Contains(rest, "\t// "+name+" begins here.\n") {
			t.Errorf("%s has %d blocks of Go, and the code of this file more", name, len(blocks))
		}
	}

	text, err := os.ReadFile("../../examples/shop.robots.txt")
	fatal.If(t, err)
	match := agent.Group(robots.ParseString(string(text)),
		"ExampleBot/1.0").Match("https://shop.example.com/search?q=shoes")
	if want := fmt.Sprintln("//", match.Allowed, match); !strings.Contains(codeBlocks(t, "README.md")[0], want) {
		t.Errorf("the README does not say %s", want)
	}
}

// codeBlocks returns the blocks of Go of a document.
func codeBlocks(t *testing.T, name string) (blocks []string) {
	data, err := os.ReadFile("../../" + name)
	fatal.If(t, err)
	for _, rest := range strings.Split(string(data), "```go\n")[1:] {
		block, _, _ := strings.Cut(rest, "```\n")
		blocks = append(blocks, block)
	}
	return blocks
}

// The functions below are the code of documents. Nothing calls them, because they ask example.com.
var _, _, _ = readmeLibrary, politeClient, politeFetching

func readmeLibrary(text string, r *http.Request) error {
	// README.md begins here.
	policy := robots.ParseString(text)          // never fails: every text is a policy
	group := agent.Group(policy, r.UserAgent()) // the group that the robot with this User-Agent header obeys
	match := group.Match("https://shop.example.com/search?q=shoes")
	fmt.Println(match.Allowed, match) // false disallowed by line 9: Disallow: /search

	client := &http.Client{Transport: &fetch.Transport{ // any client obeys robots.txt, Crawl-delay and Request-rate
		Client: &fetch.Client{UserAgent: "ExampleBot/1.0 (+https://example.com/bot)"},
	}}
	resp, err := client.Get("https://example.com/page") // err is a *fetch.DisallowedError with the match
	// It ends here.
	_ = resp
	return err
}

func politeClient() error {
	// doc/polite-robot.md begins here.
	client := &http.Client{Transport: &fetch.Transport{
		Client:   &fetch.Client{UserAgent: "ExampleBot/1.0 (+https://example.com/bot)"},
		MinDelay: time.Second, // where robots.txt asks for no pause
	}}
	resp, err := client.Get("https://example.com/page")
	if refused, ok := errors.AsType[*fetch.DisallowedError](err); ok {
		fmt.Println(refused.Match) // disallowed by line 4: Disallow: /page
	}
	// It ends here.
	_ = resp
	return err
}

func politeFetching(ctx context.Context, resp *http.Response) error {
	// doc/polite-robot.md begins here.
	client := &fetch.Client{UserAgent: "ExampleBot/1.0 (+https://example.com/bot)"} // keeps what it fetches
	result, err := client.Policy(ctx, "https://example.com/page")                   // of https://example.com/robots.txt
	if err != nil {
		return err // nothing is known, so nothing is allowed
	}
	group := result.Policy.For("ExampleBot")
	if match := group.Match("https://example.com/page"); !match.Allowed {
		fmt.Println(match) // disallowed by line 4: Disallow: /page
	}
	delay, _ := group.CrawlDelay() // delay.Delay is the pause that the group asks for
	// It ends here.
	_ = delay
	// doc/polite-robot.md begins here.
	doc, err := page.Read(resp.Body, page.Options{Header: resp.Header})
	if err != nil {
		return err
	}
	if decision := doc.For("ExampleBot"); !decision.Index {
		fmt.Println(decision) // may not be indexed (line 4: noindex), links may be followed
	}
	// It ends here.
	return nil
}
