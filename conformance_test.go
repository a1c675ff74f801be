package robots_test

import (
	"path"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/conformance"
)

// TestConformance runs all vectors against the engine, each in the dialect of its profile.
func TestConformance(t *testing.T) {
	sections, err := conformance.Sections()
	if err != nil {
		t.Fatal(err)
	}
	for i := range sections {
		section := &sections[i]
		dialect, err := robots.ParseDialect(section.Profile)
		if err != nil {
			t.Fatal(err)
		}
		for j := range section.Cases {
			c := &section.Cases[j]
			t.Run(path.Join(section.Profile, section.Section, c.Name), func(t *testing.T) {
				policy := dialect.Parse(c.Text())
				for _, ask := range c.Asks {
					got := policy.For(ask.Agent).Match(ask.URL)
					if got.Allowed != ask.Allowed || got.Rule.Line != ask.Line {
						t.Errorf("%q asks for %q: got allowed %t by line %d, want %t by line %d (%s)",
							ask.Agent, ask.URL, got.Allowed, got.Rule.Line, ask.Allowed, ask.Line, c.Why)
					}
				}
			})
		}
	}
}
