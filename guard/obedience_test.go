package guard_test

import (
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/guard"
)

// TestObedience checks that what an operator documents about obeying robots.txt does not open a
// site: all robots of the table that say so get what the group for everyone allows, unless a group
// names them (decision 104).
func TestObedience(t *testing.T) {
	counts := make(map[agent.Obedience]int)
	for a := range agent.All() {
		if a.PolicyOnly() || agent.Lookup(a.Token+"/1.0").Token != a.Token || !a.Everyone() {
			continue // the token is no header, or the robot obeys only groups that name it
		}
		counts[a.Obedience()]++
		for _, test := range []struct {
			text string
			want guard.Action
		}{
			{"User-agent: *\nDisallow: /\n", guard.Refuse},
			{"User-agent: *\nDisallow: /\n\nUser-agent: " + a.Token + "\nAllow: /\n", guard.Pass},
			{"User-agent: *\nAllow: /\n\nUser-agent: " + a.Token + "\nDisallow: /\n", guard.Refuse},
		} {
			g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte(test.text)))}
			if got := g.Decide(request(t, "/x", a.Token+"/1.0")); got.Action != test.want &&
				got.Robot.Kind == agent.Robot {
				t.Errorf("%s with %q: got %v, want %v", a.Token, test.text, got.Action, test.want)
			}
		}
	}
	if counts[agent.Ignores] == 0 || counts[agent.Unsaid] == 0 {
		t.Errorf("too few robots were tested: %v", counts)
	}
}
