package main

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestReadmeLibrary compares the Go code of the README with the code below, which compiles.
func TestReadmeLibrary(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	fatal.If(t, err)
	_, block, _ := strings.Cut(string(readme), "```go\n")
	block, after, _ := strings.Cut(block, "```\n")
	if block == "" || strings.Contains(after, "```go\n") {
		t.Fatal("the README has not one block of Go")
	}
	source, err := os.ReadFile("readmelibrary_test.go")
	fatal.If(t, err)
	_, code, _ := strings.Cut(string(source), "\t// The README begins here.\n")
	code, _, _ = strings.Cut(code, "\t// The README ends here.\n")
	code = strings.TrimPrefix(strings.ReplaceAll(code, "\n\t", "\n"), "\t")
	aligned := regexp.MustCompile(` +// `)
	if got, want := aligned.ReplaceAllString(block, " // "), aligned.ReplaceAllString(code, " // "); got != want {
		t.Errorf("the README has\n%s\nand the code of this file is\n%s", got, want)
	}

	text, err := os.ReadFile("../../examples/shop.robots.txt")
	fatal.If(t, err)
	match := agent.Group(robots.ParseString(string(text)),
		"ExampleBot/1.0").Match("https://shop.example.com/search?q=shoes")
	if want := fmt.Sprintln("//", match.Allowed, match); !strings.Contains(block, want) {
		t.Errorf("the README does not say %s", want)
	}
}

var _ = readmeLibrary

// readmeLibrary is the code of the README. Nothing calls it, because it asks example.com.
func readmeLibrary(text string, r *http.Request) error {
	// The README begins here.
	policy := robots.ParseString(text)          // never fails: every text is a policy
	group := agent.Group(policy, r.UserAgent()) // from a User-Agent header to the group that binds the robot
	match := group.Match("https://shop.example.com/search?q=shoes")
	fmt.Println(match.Allowed, match) // false disallowed by line 9: Disallow: /search

	client := &http.Client{Transport: &fetch.Transport{ // any client obeys robots.txt, Crawl-delay and Request-rate
		Client: &fetch.Client{UserAgent: "ExampleBot/1.0 (+https://example.com/bot)"},
	}}
	resp, err := client.Get("https://example.com/page") // err is a *fetch.DisallowedError with the match
	// The README ends here.
	_ = resp
	return err
}
