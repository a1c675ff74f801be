package robots_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// googleLine is the number of bytes of a line that Google's parser reads (SPEC, section 2).
const googleLine = 16663

// TestLongLines compares the engine with its twin on lines about as long as the limit of Google's
// parser. Each byte of a field and its value is once before and once after the limit, or every third one
// without ROBOTS_CORPUS_ALL.
func TestLongLines(t *testing.T) {
	for _, fill := range []string{" ", "\t", "x"} { // before the field, and in the value
		for _, line := range []string{
			"User-agent: x", "User-agent: FooBot", "User-agent: *", "useragent foobot", "Disallow: /b", "Allow: /b", "Allow:/index.html", "disalow /b", "# c", "Sitemap: x", "x",
		} {
			if fill == "x" && line[0] != 'A' || fill == "\t" && line[0] != 'U' {
				continue // saves time
			}
			for over := -1; over <= len(line)+1; over++ {
				if !corpus.All() && over > 2 && over%3 > 0 {
					continue
				}
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
							t.Fatalf("%v: %q with %d bytes before it, %d over the limit", d, line, len(long)-len(line), over)
						}
					}
				}
			}
		}
	}
}

// TestListSpace checks that lists are split at the white space of the file format only. Other white
// space of Unicode may be a part of a path.
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

// TestLongText checks that a text above the limit is cut after the last whole line, in every view of
// the text. The limit is 512 MiB, so the test lowers it, to each byte of the text in turn.
func TestLongText(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r", "\r\n\r", "\n\r"} {
		text := strings.ReplaceAll("\ufeffUser-agent: *\nDisallow: /ab\n#\nAllow: /abcdef/ghi\nUser-agent: foobot\nDisallow: /abc\nCrawl-delay: 1\n\n"+
			"Disallow: /abcd\nUser-agent: x\nAllow: /a", "\n", end)
		for limit := range len(text) + 2 {
			whole := slowWhole(text, limit)
			for _, d := range robots.Dialects() {
				policy := d.ParseAtMost([]byte(text), limit)
				for _, agent := range []string{"FooBot", "x", "*"} {
					group := policy.For(agent)
					for _, url := range []string{"/abcdef/ghi", "/abcd", "/ab"} {
						got := group.Match(url)
						allowed, line := slowMatch(d.String(), whole, agent, url)
						if got.Allowed != allowed || got.Rule.Line != line {
							t.Errorf("%v: of %q %d bytes: %q, %q: got %v, want allowed %t by line %d", d, text, limit, agent, url, got, allowed, line)
						}
						if e := group.Explain(url); e.Match != got || got.Reason == robots.DecidingRule && e.Candidates[0].Rule != got.Rule {
							t.Errorf("%v: of %q %d bytes: %q, %q: %v, but Explain says %v", d, text, limit, agent, url, got, e)
						}
					}
					if got, want := fmt.Sprint(group.Records()), fmt.Sprint(d.Parse([]byte(whole)).For(agent).Records()); got != want {
						t.Errorf("%v: of %q %d bytes: %q has the records %v, want %v", d, text, limit, agent, got, want)
					}
				}
				checkPolicyLines(t, policy, text)
				for n, line := range policy.Lines() {
					if out := line.Offset+len(line.Text) > len(whole); out && (line.Group >= 0 || line.Field != "") {
						t.Errorf("%v: of %q %d bytes: line %d is %v in group %d, and is not read", d, text, limit, n, line.Kind, line.Group)
					}
				}
				if t.Failed() {
					return
				}
			}
		}
	}
}

// TestOneLongLine checks that a text has no rules if its only line is longer than the limit.
func TestOneLongLine(t *testing.T) {
	policy := robots.RFC9309.ParseAtMost([]byte("\ufeffUser-agent: *"), 5)
	if got := policy.For("FooBot").Match("/x"); got.Reason != robots.NoGroup || len(policy.Groups()) > 0 {
		t.Errorf("%v, and %d groups, want none", got, len(policy.Groups()))
	}
	for range policy.Groups() {
		t.Error("there is a group")
	}
}
