package lsp

import (
	"fmt"
	"slices"
	"testing"

	"github.com/robotsexclusion/robots/lint"
)

// places returns ranges as line:start-end.
func places(found []location) (all []string) {
	for _, l := range found {
		all = append(all, fmt.Sprintf("%d:%d-%d", l.Range.Start.Line, l.Range.Start.Character, l.Range.End.Character))
	}
	return all
}

// References of all kinds of lines.
func TestReferences(t *testing.T) {
	const text = "\uFEFFUser-agent: a # \U0001F916\r\nuser-agent:b/2\nDisallow: /\xff\nSitemap: https://example.com/\nCrawl-delay: 1\n\n" +
		"User-agent: A\nUser-agent: /\nAllow: /\nstray\n"
	d := testDocument(text, utf16Units, lint.Options{})
	for line, want := range [][]string{
		{"0:13-14", "6:12-13"},
		{"1:11-12"},
		{"0:13-14", "1:11-12"},
		nil, // a record of the whole file
		{"0:13-14", "1:11-12"},
		nil,
		{"0:13-14", "6:12-13"},
		{"7:12-13"}, // no product token
		{"6:12-13", "7:12-13"},
		nil,
		nil,
	} {
		at := placeParams{Position: position{Line: line}}
		if got := places(answer[[]location](t, d.references, testClient(utf16Units), at)); !slices.Equal(got, want) {
			t.Errorf("line %d: got %v, want %v", line, got, want)
		}
	}
}
