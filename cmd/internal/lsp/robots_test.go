package lsp

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/lint"
)

// TestRobots asks a document about the robots of a program's own table.
func TestRobots(t *testing.T) {
	table, err := agent.ParseTable([]byte(`{"robots": [
		{"token": "ExampleBot", "operator": "Example", "crawl_delay": "no"},
		{"token": "ExampleDeafBot", "operator": "Example", "everyone": false}
	]}`))
	fatal.If(t, err)
	const text = "User-agent: *\nCrawl-delay: 1\n\nUser-agent: ExampleBot\nCrawl-delay: 5\n"
	hover := func(table *agent.Table, line int) string {
		d := testDocument(text, utf16Units, lint.Options{Robots: table})
		result, err := d.hover(testClient(utf16Units), placeParams{Position: position{Line: line}})
		fatal.If(t, err)
		shown, _ := json.Marshal(result)
		return string(shown)
	}
	for _, test := range []struct {
		line int
		want string
	}{
		{0, "ExampleDeafBot"},
		{3, "of Example."},
		{4, "ignores it"},
	} {
		if without, with := hover(nil, test.line), hover(table, test.line); strings.Contains(without, test.want) ||
			!strings.Contains(with, test.want) {
			t.Errorf("line %d: want %q with the table only; without it %s, with it %s", test.line, test.want, without,
				with)
		}
	}
	s := newSession(&Server{Robots: table})
	items := (&place{document: testDocument(text, utf16Units, s.settings.options()),
		client: testClient(utf16Units)}).robots(0)
	if !slices.ContainsFunc(items, func(i completionItem) bool { return i.Label == "ExampleDeafBot" }) {
		t.Error("the names that are offered have none of the table")
	}
}
