package robots_test

import (
	"testing"

	"github.com/robotsexclusion/robots"
)

// TestListSpace: lists are split at the white space of the file format, and not
// at what Unicode calls white space: that may be a part of a path.
func TestListSpace(t *testing.T) {
	for _, space := range []string{"\v", "\f", "\u0085", "\u00a0", "\u1680", "\u2000", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"} {
		text := "User-agent: a" + space + "*\nDisallow: /shut\nCrawl-delay: 3\n\nUser-agent: Foo" + space + "Bot\tb\nDisallow: /x" + space + "/y\t/z\nDisallow: " + space + "/\nCrawl-delay: 5\n"
		for _, test := range []struct {
			agent, url string
			line       int
		}{
			{"FooBot", "/shut", 0},
			{"b", "/xy", 0},
			{"b", "/x" + space + "/y", 6},
			{"b", "/z", 6},
			{"b", "/y", 0},
			{"b", "/", 0},
			{"Foo" + space + "Bot", "/z", 6},
		} {
			check(t, robots.Kollar1996, text, test.agent, test.url)
			if m := robots.Kollar1996.Parse([]byte(text)).For(test.agent).Match(test.url); m.Rule.Line != test.line {
				t.Errorf("with %q, %q may fetch %q: %v, want line %d", space, test.agent, test.url, m, test.line)
			}
		}
		checkLines(t, robots.Kollar1996, text)
		policy := robots.Kollar1996.Parse([]byte(text))
		if got := policy.For("Foo").Records("crawl-delay"); len(got) != 0 {
			t.Errorf("with %q, Foo has the records %v, though no line names it", space, got)
		}
		if got := policy.For("b").Records("crawl-delay"); len(got) != 1 {
			t.Errorf("with %q, b has the records %v, want one", space, got)
		}
	}
}

