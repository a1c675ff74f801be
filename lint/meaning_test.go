package lint

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// TestMeaningHostile runs the checks of groups and rules over the texts that cost them most:
// many groups, rules that are all alike, and wildcards that make searches long.
func TestMeaningHostile(t *testing.T) {
	var groups, wild, resources strings.Builder
	less := shrink()
	for i := range 1 << (13 - less) {
		name := strings.Repeat("a", i%20+1) + strings.Repeat("b", i%31) + strings.Repeat("c", i%37)
		groups.WriteString("User-agent: " + name + "\nCrawl-delay: 1\n\nUser-agent: Goglebo" + name +
			"\nDisallow: /x\n")
	}
	wild.WriteString("User-agent: *\n")
	for i := range 1000 >> less {
		wild.WriteString("Disallow: /*" + strings.Repeat("a", i%29+1) + "*b*c" + strings.Repeat("?", i%7) +
			"\nAllow: /*b*" + strings.Repeat("c", i%31) + "\n")
	}
	resources.WriteString("User-agent: *\n")
	rules := 2000
	if !corpus.All() {
		rules >>= less + 3 // these rules cost the square of their number, and most of the time of this test
	}
	for i := range rules {
		resources.WriteString("Disallow: /*" + strings.Repeat("x*", 7*i%50) + ".css\n")
	}
	for name, text := range map[string]string{
		"groups":    groups.String(),
		"wildcards": "User-agent: ExampleBot\nCrawl-delay: 1\nAllow: /a\n" + wild.String(),
		"resources": resources.String(),
		"same rule": "User-agent: *\n" + strings.Repeat("Disallow: /a\nAllow: /a\n", 1<<(15-less)),
		"sitemaps":  "User-agent: *\nDisallow: /a\n" + strings.Repeat("Sitemap: https://example.com/a\n", 1<<(15-less)),
		"signals": strings.Repeat("User-agent: *\nContent-Signal: ai-train=no\nContent-Usage: train-ai=y\n",
			1<<(13-less)),
	} {
		t.Run(name, func(t *testing.T) {
			r := Run(robots.Parse([]byte(text)), everything())
			for _, d := range r.Diagnostics {
				if d.Line < 1 || d.EndColumn < d.Column {
					t.Errorf("a place that is none: %+v", d)
				}
			}
		})
	}
}
