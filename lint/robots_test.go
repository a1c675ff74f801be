package lint_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/lint"
)

// TestRobots runs checks with the robots of a program's own table.
func TestRobots(t *testing.T) {
	table, err := agent.ParseTable([]byte(`{"robots": [
		{"token": "Goglebot"},
		{"token": "ExampleBot", "operator": "Example", "purposes": ["ai-user"], "crawl_delay": "no"},
		{"token": "ExampleBot-Train", "operator": "Example", "purposes": ["ai-train"], "robots_txt": "yes", "docs": "https://example.com/"}
	]}`))
	fatal.If(t, err)
	policy := robots.Parse([]byte("User-agent: Goglebot\nDisallow: /x\n\nUser-agent: ExampleBot\nCrawl-delay: 5\nDisallow: /\n\nUser-agent: Goglebot ExampleBot\nDisallow: /y\n"))
	found := func(table *agent.Table) (checks []string) {
		for _, d := range lint.Run(policy, lint.Options{Profile: lint.Strict, Robots: table}).Diagnostics {
			checks = append(checks, d.Check.Name)
		}
		return checks
	}
	before, after := found(nil), found(table)
	for _, test := range []struct {
		check         string
		before, after bool
	}{
		{"unknown-agent", true, false},
		{"ignored-crawl-delay", false, true},
		{"ai-half-blocked", false, true},
		{"several-agents", false, true},
	} {
		if b, a := slices.Contains(before, test.check), slices.Contains(after, test.check); b != test.before ||
			a != test.after {
			t.Errorf("%s: %v without the table, %v with it; want %v, %v (%v, %v)", test.check, b, a, test.before,
				test.after, before, after)
		}
	}
}

// TestRobotsMeant checks that unknown-agent suggests robots of a program's own table.
func TestRobotsMeant(t *testing.T) {
	table, err := agent.ParseTable([]byte(`{"robots": [{"token": "ExampleHarvester"}, {"token": "Examplus"}]}`))
	fatal.If(t, err)
	for name, want := range map[string]string{
		"ExampleHarvestor":  "ExampleHarvester",
		"Example-Harvester": "ExampleHarvester",
		"Exampuls":          "Examplus",
		"Examplus":          "",
		"Examplus 1.0":      "", // another check says that a version is dropped
		"Googelbot":         "Googlebot",
	} {
		var got []string
		for _, d := range lint.Run(robots.Parse([]byte("User-agent: "+name+"\nDisallow: /x\n")),
			lint.Options{Robots: table}).Diagnostics {
			if d.Check.Name == "unknown-agent" {
				got = append(got, d.Message)
			}
		}
		if len(got) > 1 || (want == "") != (len(got) == 0) || want != "" &&
			!strings.HasSuffix(got[0], "did you mean "+want+"?") {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestRobotsReplaced checks that broad-name counts the robots of a table that replaces ours.
func TestRobotsReplaced(t *testing.T) {
	table, err := agent.ParseTable([]byte(`{"robots": [{"token": "OnlyBot"}], "replace": true}`))
	fatal.If(t, err)
	for _, d := range lint.Run(robots.Parse([]byte("User-agent: bot\nDisallow: /x\n")),
		lint.Options{Robots: table}).Diagnostics {
		if d.Check.Name == "broad-name" && strings.Contains(d.Message, "1 known") &&
			strings.HasSuffix(d.Message, "OnlyBot") {
			return
		}
	}
	t.Error("broad-name does not count OnlyBot")
}
