package robots_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
)

// never has the bytes of US-ASCII that a URL can only have percent-encoded (RFC 3986, section 2),
// without the ends of lines, which no pattern can have.
const never = "\x00\x01\t\v\x1f \"<>\\^`{|}\x7f"

// TestNeverAsTheyAre checks that a byte that a URL can only have percent-encoded means the same raw
// and encoded, in patterns and in URLs, and that both have the same weight.
func TestNeverAsTheyAre(t *testing.T) {
	for _, raw := range strings.Split(never, "") {
		encoded := fmt.Sprintf("%%%02X", raw[0])
		for _, octet := range []string{raw, encoded, strings.ToLower(encoded)} {
			for _, test := range []struct{ pattern, path string }{
				{"/a" + octet + "b", "/a%sb/c"},
				{"/a" + octet + "b*", "/a%sb/c"},
				{"/a" + octet + "b$", "/a%sb"},
				{"/a*" + octet + "b", "/ac%sb?c"},
				{"/a?q=" + octet + "b", "/a?q=%sb"},
			} {
				text := "User-agent: *\nDisallow: " + test.pattern + "\n"
				tie := text + "Allow: " + strings.Replace(test.pattern, octet, encoded, 1) + "\n"
				for _, asked := range []string{raw, encoded, strings.ToLower(encoded)} {
					url := fmt.Sprintf(test.path, asked)
					check(t, robots.RFC9309, text, "FooBot", url)
					if m := robots.Parse([]byte(text)).For("FooBot").Match(url); m.Allowed || m.Rule.Line != 2 {
						t.Errorf("%q: %q is %v, want disallowed by line 2", text, url, m)
					}
					if m := robots.Parse([]byte(tie)).For("FooBot").Match(url); !m.Allowed || m.Rule.Line != 3 {
						t.Errorf("%q: %q is %v, want allowed by line 3", tie, url, m)
					}
				}
			}
		}
	}
}

// TestNeverAmongMany matches paths that need such patterns only after questions about other paths,
// so that the index is a list, a sieve or a table by then.
func TestNeverAmongMany(t *testing.T) {
	for _, n := range []int{1, 20, 200} {
		var text strings.Builder
		text.WriteString("User-agent: *\nAllow: /x*y\n")
		for i := range n {
			fmt.Fprintf(&text, "Disallow: /my file %d<\nDisallow: /plain/%d\nAllow: /my%%20file%%20%d%%3C/open|*\n", i, i, i)
		}
		rules := slowChoose("rfc9309", slowGroups("rfc9309", text.String()), "FooBot")
		type answer struct {
			allowed bool
			line    int
		}
		answers := make(map[string]answer) // of the twin, by URL
		compare := func(when string, group *robots.Group, url string) {
			want, ok := answers[url]
			if !ok {
				want.allowed, want.line = slowAsk("rfc9309", rules, url)
				answers[url] = want
			}
			if got := group.Match(url); got.Allowed != want.allowed || got.Rule.Line != want.line {
				t.Errorf("%s: for %q: got %v, want allowed %t by line %d", when, url, got, want.allowed, want.line)
			}
		}
		for _, asks := range []int{0, 5, 40} { // the number of questions before
			group := robots.Parse([]byte(text.String())).For("FooBot")
			for i := range asks {
				compare("before", group, fmt.Sprintf("/plain/%d", i))
			}
			for i := range n {
				for _, url := range []string{"/my%%20file%%20%d%%3c", "/my file %d<x", "/my file %d", "/my%%20file %d%%3C/open%%7c", "/my file %d</open|x", "/plain/%d"} {
					compare("after", group, fmt.Sprintf(url, i))
				}
			}
		}
	}
}

// TestMaybeNever checks that the fast test finds such a byte at every place, and mistakes few other
// bytes for one.
func TestMaybeNever(t *testing.T) {
	for c := range 256 {
		for n := 1; n <= 20; n++ {
			for at := range n {
				s := strings.Repeat("z", at) + string([]byte{byte(c)}) + strings.Repeat("/", n-at-1)
				odd := c >= 0x80 || c == '!' || c == '~'
				if got, want := robots.MaybeNever(s), robots.Never(s); got != want && !odd || !got && want {
					t.Fatalf("%q: got %t, want %t", s, got, want)
				}
			}
		}
	}
}

// TestNeverAmongVeryMany does the same for groups with many rules: several questions build the table
// of the first group, and the second group has a net from the start.
func TestNeverAmongVeryMany(t *testing.T) {
	for _, wilds := range []int{0, 300} {
		var text strings.Builder
		text.WriteString("User-agent: *\n")
		for i := range 20000 {
			fmt.Fprintf(&text, "Disallow: /%d/\n", i)
			if i < wilds {
				fmt.Fprintf(&text, "Disallow: /w*/%d<\n", i)
			}
		}
		text.WriteString("Disallow: /a b\nDisallow: /a<b\n")
		group := robots.Parse([]byte(text.String())).For("FooBot")
		for i := range 60 {
			for _, url := range []string{"/a%20b", "/a%3Cb", "/17/x", "/19999/%20", fmt.Sprintf("/wx/%d%%3C", i)} {
				want := strings.HasPrefix(url, "/w") && i >= wilds
				if m := group.Match(url); m.Allowed != want {
					t.Fatalf("%d wilds, question %d: %q is %v", wilds, i, url, m)
				}
			}
		}
	}
}
