package proof

import (
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
)

func TestSpellings(t *testing.T) {
	for _, test := range []struct {
		path string
		want []string
	}{
		{"/a", []string{"/a"}},
		{"/%7efred", []string{"/%7efred", "/~fred", "/%7Efred"}},
		{"/a%2fb%61", []string{"/a%2fb%61", "/a%2Fba", "/a%2Fb%61"}},
		{"/\xc3\xbc", []string{"/\xc3\xbc", "/%C3%BC", "/%c3%bc"}},
		{"/%23%00%25%20", []string{"/%23%00%25%20"}},
		{"/%23%61", []string{"/%23%61", "/%23a"}},
		{"/100%/%4/%zz%", []string{"/100%/%4/%zz%", "/100%25/%254/%25zz%25"}},
		{"/$%", []string{"/$%", "/$%25", "/%24%"}},
	} {
		if got := spellings(test.path); !slices.Equal(got, test.want) {
			t.Errorf("%q: got %q, want %q", test.path, got, test.want)
		}
	}
}

// TestSpelt checks the number of rules tried, and that no path is tried twice.
func TestSpelt(t *testing.T) {
	text := "User-agent: *\nDisallow: /a\nDisallow: /%7ea*b$\nAllow: /%7ea*b$\nDisallow: *%7e\nDisallow: /" +
		strings.Repeat("%7e", 1000) + "\n"
	g := robots.Parse([]byte(text)).For("x")
	if got, want := slices.Collect(spelt(g, g)), []string{"/%7eab", "/~ab", "/%7Eab"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for i := range 3 * maxSpelt {
		b.WriteString("Disallow: /%41" + strings.Repeat("a", i) + "\n")
	}
	if n := len(slices.Collect(spelt(robots.Parse([]byte(b.String())).For("x")))); n != 2*maxSpelt {
		t.Errorf("%d spellings of %d rules", n, maxSpelt)
	}
}
