package robots_test

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
)

// TestLongLines holds the engine and its twin together where a line is as long
// as Google's parser reads, nearly so, or longer: each byte of a field and its
// value comes to stand on both sides of that limit.
func TestLongLines(t *testing.T) {
	for _, fill := range []string{" ", "\t", "x"} { // before the field, and in the value
		for _, line := range []string{
			"User-agent: x", "User-agent: FooBot", "User-agent: *", "useragent foobot", "Disallow: /b", "Allow: /b", "Allow:/index.html", "disalow /b", "# c", "Sitemap: x", "x",
		} {
			if fill == "x" && line[0] != 'A' || fill == "\t" && line[0] != 'U' {
				continue // to be sooner done
			}
			for over := -1; over <= len(line)+1; over++ {
				long := strings.Repeat(fill, googleLine+over-len(line)) + line
				if fill == "x" {
					long = line + strings.Repeat(fill, googleLine+over-len(line)) + "$"
				}
				for _, text := range []string{
					"User-agent: *\nDisallow: /a\n" + long + "\nDisallow: /b\n",
					"User-agent: foobot\n" + long + "\nUser-agent: bar\nDisallow: /b\n",
					"User-agent: bar\n" + long + "\r\nUser-agent: foobot\rDisallow: /b",
					long + "\nDisallow: /b\n",
				} {
					for _, d := range robots.Dialects() {
						if d != robots.Google && over != 1 {
							continue // it has no limit
						}
						check(t, d, text, "FooBot", "/b")
						check(t, d, text, "", "/")
						checkLines(t, d, text)
						if t.Failed() {
							t.Fatalf("%v: %q with %d octets before it, %d over the limit", d, line, len(long)-len(line), over)
						}
					}
				}
			}
		}
	}
}

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

