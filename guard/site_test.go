package guard

import (
	"testing"

	"github.com/robotsexclusion/robots"
)

// TestGroupRules checks that robots of any name that obey one group share what is known of the
// group, and nothing else.
func TestGroupRules(t *testing.T) {
	s := newSite(robots.Parse([]byte("User-agent: *\nCrawl-delay: 10\n\nUser-agent: NamedBot\nUser-agent: OtherBot\nCrawl-delay: 20\n")))
	one, two, named := s.rules("OneBot/1.0", nil, nil), s.rules("TwoBot/1.0", nil, nil), s.rules("NamedBot/1.0", nil,
		nil)
	known := s.rules("GPTBot/1.0", nil, nil)
	if one.groupRules != two.groupRules || one.pacing == two.pacing || one.agent == two.agent {
		t.Errorf("two robots of one group: got %v and %v", one, two)
	}
	if named.groupRules == one.groupRules || named.group.Token() != "NamedBot" {
		t.Errorf("a named robot has the rules of %q", named.group.Token())
	}
	if known.groupRules == one.groupRules || known.group.Token() != "*" {
		t.Errorf("a robot of the table has the rules of %q", known.group.Token())
	}
}
