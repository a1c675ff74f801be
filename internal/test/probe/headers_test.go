package probe

import (
	"slices"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

// TestHeadersFor checks that the headers of a policy show named robots, a robot without a group,
// and a browser, and that the headers of many policies show most robots of the table.
func TestHeadersFor(t *testing.T) {
	p := robots.Parse([]byte("User-agent: GPTBot\nUser-agent: Google-Extended\nUser-agent: Mozilla\nUser-agent: OurOwnBot\nUser-agent: bingbot\nUser-agent: x\rbot\nDisallow: /x\n\n" +
		"User-agent: Slurp\nDisallow: /\n\nUser-agent: *\nDisallow: /y\n"))
	shown := make(map[string]int)
	for number := range 1000 {
		headers := HeadersFor(p, number)
		var kinds []agent.Kind
		named := 0
		for _, header := range headers {
			a := agent.Lookup(header)
			kinds = append(kinds, a.Kind)
			shown[a.Token]++
			if a.Kind == agent.Robot && p.ForOnly(a.Tokens()...).Line() > 0 {
				named++
			}
		}
		if want := []agent.Kind{agent.Robot, agent.Robot, agent.Robot, agent.Robot, agent.Browser}; !slices.Equal(kinds,
			want) || named != 3 {
			t.Fatalf("number %d: %d named robots in %q, which are %v", number, named, headers, kinds)
		}
	}
	for _, name := range []string{"GPTBot", "OurOwnBot", "bingbot", "Slurp"} {
		if shown[name] < 500 {
			t.Errorf("%s is shown %d times of 1,000", name, shown[name])
		}
	}
	all, known := 0, 0
	for a := range agent.All() {
		if a.Kind == agent.Robot && !a.PolicyOnly() {
			all++
			if shown[a.Token] > 0 {
				known++
			}
		}
	}
	t.Logf("the headers show %d of the %d robots of the table", known, all)
	if known < all*95/100 {
		t.Errorf("the headers show only %d of the %d robots of the table", known, all)
	}
	if headers := HeadersFor(robots.Parse(nil), 0); len(headers) != 2 {
		t.Errorf("the headers of an empty policy are %q", headers)
	}
}

// TestDocumented checks that each documented header shows a robot of the table.
func TestDocumented(t *testing.T) {
	for _, header := range documented {
		if a := agent.Lookup(header); !a.Known() || a.Kind != agent.Robot {
			t.Errorf("%q: %v", header, a)
		}
	}
	for _, header := range browsers {
		if a := agent.Lookup(header); a.Kind != agent.Browser {
			t.Errorf("%q: %v", header, a)
		}
	}
}
