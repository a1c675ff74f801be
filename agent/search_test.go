package agent_test

import (
	"encoding/json"
	"testing"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestSearch searches the built-in table, and a table of two robots.
func TestSearch(t *testing.T) {
	own, err := agent.ParseTable([]byte(`{"replace": true, "robots": [
		{"token": "ABot", "operator": "Example Inc."}, {"token": "BBot", "operator": "example.org"}]}`))
	fatal.If(t, err)
	for _, test := range []struct {
		table *agent.Table
		text  string
		first string // the token of the first agent
		count int
		exact bool
	}{
		{nil, "gptbot", "GPTBot", 1, true},
		{nil, "GPTBot/1.2", "GPTBot", 1, true},
		{nil, "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "bingbot", 1, true},
		{nil, "common crawl", "CCBot", 1, false},
		{nil, "google ai", "Google-Extended", 1, false},
		{nil, "no such name", "", 0, false},
		{nil, "ai", "", 0, false},
		{nil, "AI bots", "", 0, false},
		{nil, "search engines", "", 0, false},
		{nil, "siphon", "EmailSiphon", 1, false},
		{nil, "ipho", "", 0, false},
		{own, "EXAMPLE", "ABot", 2, false},
		{own, "bbot", "BBot", 1, true},
		{own, "bbo", "BBot", 1, false},
		{own, "GPTBot", "", 0, false},
		{own, "Unknown/1.0 (x)", "", 1, true},
		{nil, "Feedbin feed-id:7 - 2 subscribers", "Feedbin", 1, true},
		{own, "Microsoft Office Word 2014", "Microsoft Office", 1, true},
	} {
		found, exact := test.table.Search(test.text)
		if len(found) != test.count || exact != test.exact || len(found) > 0 && found[0].Token != test.first {
			t.Errorf("%q: got %v, %t, want %d agents, the first %s, exact %t", test.text, found, exact, test.count,
				test.first, test.exact)
		}
	}
	found, _ := own.Search("example")
	for _, agents := range [][]agent.Agent{nil, found} {
		var got struct {
			Version string
			Agents  []struct{ Token string }
		}
		b := own.AppendJSON([]byte(nil), agents)
		if err := json.Unmarshal(b, &got); err != nil || got.Version != own.Version() ||
			len(got.Agents) != len(agents) {
			t.Errorf("%d agents: got %s, %v", len(agents), b, err)
		}
	}
}
