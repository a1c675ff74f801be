package proof_test

import (
	"slices"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/proof"
)

// TestRobots asks about the robots of a program's own table: one that obeys Googlebot,
// one that does not obey the group for everyone, and one of an engine.
func TestRobots(t *testing.T) {
	table, err := agent.ParseTable([]byte(`{"robots": [
		{"token": "ExampleBot", "operator": "Example", "fallback": ["Googlebot"], "robots_txt": "yes", "docs": "https://example.com/"},
		{"token": "ExampleShared"},
		{"token": "ExampleDeafBot", "operator": "Example", "everyone": false},
		{"token": "ExampleGoogle", "operator": "Google", "fallback": ["ExampleShared"], "robots_txt": "yes", "docs": "https://example.com/"}
	]}`))
	fatal.If(t, err)
	options := proof.Options{Robots: table}

	// Without its group, ExampleBot would obey Googlebot, and ExampleDeafBot nothing.
	for _, token := range []string{"ExampleBot", "ExampleDeafBot"} {
		text := "User-agent: *\nDisallow: /x\n\nUser-agent: Googlebot\nDisallow: /y\n\nUser-agent: " + token +
			"\nDisallow: /x\n"
		if m, err := proof.Minimize(robots.Parse([]byte(text)), options); m.Text != text || err != nil {
			t.Errorf("%s: minimized\n%s\nof\n%s", token, m.Text, text)
		}
		if m, _ := proof.Minimize(robots.Parse([]byte(text)), proof.Options{}); m.Text == text {
			t.Errorf("%s: nothing is left out without the table", token)
		}
	}

	// ExampleGoogle is a robot of Google, and obeys the group of ExampleShared.
	before := robots.Parse([]byte("User-agent: *\nDisallow: /x\n\nUser-agent: ExampleShared\nDisallow: /y\n"))
	asked := func(o proof.Options) (agents []string) {
		divergences, err := proof.Portable(before, o)
		for _, d := range divergences {
			if d.Reader.Name == "google" {
				agents = append(agents, d.Agent)
			}
		}
		if err != nil {
			t.Error(err)
		}
		return slices.Compact(agents)
	}
	if without, with := asked(proof.Options{}), asked(options); len(without) > 0 ||
		!slices.Equal(with, []string{"ExampleGoogle"}) {
		t.Errorf("Portable tells of %v, and with the table of %v", without, with)
	}
	after := robots.Parse([]byte("User-agent: *\nDisallow: /x\n\nUser-agent: ExampleShared\nDisallow: /z\n"))
	google := slices.DeleteFunc(proof.Readers(), func(r proof.Reader) bool { return r.Name != "google" })
	options.Agents = []string{"ExampleGoogle"}
	if shifts, _ := proof.Shifts(before, after, google, options); len(shifts) != 1 ||
		shifts[0].Agent != "ExampleGoogle" {
		t.Errorf("Shifts are %v", shifts)
	}
	if shifts, _ := proof.Shifts(before, after, google, proof.Options{Agents: options.Agents}); len(shifts) != 0 {
		t.Errorf("without the table, shifts are %v", shifts)
	}
}
