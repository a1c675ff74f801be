package pathset_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// FuzzSets compares sets with the matcher: the members of a set, the laws of sets, and the
// examples.
func FuzzSets(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /private/\nAllow: /private/*.html$\n", "User-agent: *\nDisallow: /p\n",
		"/private/index.html")
	f.Add("User-agent: *\nDisallow: /*a*b$\nAllow: /%61*%2F\n", "User-agent: *\nAllow: /*?*&x=$\nDisallow: *%2A\n",
		"/a%2f*b?x")
	f.Add("User-agent: *\nDisallow: /é\nDisallow: /%\nAllow: /%2\n",
		"User-agent: *\nAllow: /x/index.html\nDisallow: /\n", "/%C3%A9/%25")
	f.Add("User-agent: *\nDisallow: /my file\nAllow: /*<\n", "User-agent: *\nDisallow: /my%20file\nAllow: /*%3C|\n",
		"/my file/%3c")
	f.Fuzz(func(t *testing.T, text1, text2, path string) {
		if len(text1)+len(text2) > 2000 || len(path) > 200 {
			return
		}
		for _, d := range robots.Dialects() {
			g1, g2 := d.Parse([]byte(text1)).For("FooBot"), d.Parse([]byte(text2)).For("FooBot")
			checkSets(t, d, g1, g2, site+"/"+strings.TrimPrefix(path, "/"))
		}
	})
}

// checkSets compares the sets of two groups with the groups' answers for a URL.
func checkSets(t *testing.T, d robots.Dialect, g1, g2 *robots.Group, url string) {
	t.Helper()
	s1, s2 := pathset.Allowed(g1), pathset.Allowed(g2)
	path := d.Path(url)
	for i, s := range []pathset.Set{s1, s2, s1.Minus(s2), s1.Union(s2).Complement()} {
		a, b := g1.Allowed(url), g2.Allowed(url)
		want := [...]bool{a, b, a && !b, !a && !b}[i]
		if s.Contains(path) != want {
			t.Errorf("%v: set %d has %q: %t, want %t", d, i, path, !want, want)
		}
		example, ok, err := s.Example(5000)
		if errors.Is(err, pathset.ErrUndecided) {
			continue
		}
		switch {
		case err != nil:
			t.Errorf("%v: set %d: %v", d, i, err)
		case !ok && want && settled(d, url):
			t.Errorf("%v: set %d is empty, but it has %q", d, i, path)
		case ok && (!s.Contains(example) || len(example) > len(path) && want && settled(d, url)):
			t.Errorf("%v: set %d has the example %q, and %q: %t", d, i, example, path, want)
		case ok && strings.IndexByte(example, '#') < 0 && (d.Path(site+example) != example ||
			g1.Allowed(site+example) != s1.Contains(example)):
			t.Errorf("%v: set %d has the example %q, of path %q", d, i, example, d.Path(site+example))
		}
	}
	for name, s := range map[string]pathset.Set{
		"s - s": s1.Minus(s1), "s & !s": s1.Intersect(s1.Complement()),
		"!(s | !s)":                s1.Union(s1.Complement()).Complement(),
		"!(s & t) - (!s | !t)":     s1.Intersect(s2).Complement().Minus(s1.Complement().Union(s2.Complement())),
		"(s - t) & t":              s1.Minus(s2).Intersect(s2),
		"s - ((s & t) | (s - t))":  s1.Minus(s1.Intersect(s2).Union(s1.Minus(s2))),
		"all - (s | (all - s))":    pathset.Of(d, "/").Minus(s1.Union(pathset.Of(d, "/").Minus(s1))),
		"(s - t) - (s & !t)":       s1.Minus(s2).Minus(s1.Intersect(s2.Complement())),
		"nothing, of a zero set":   pathset.Set{}.Intersect(s1).Union(pathset.Set{}.Minus(s1)),
		"s & t - t & s":            s1.Intersect(s2).Minus(s2.Intersect(s1)),
		"complement of complement": s1.Complement().Complement().Minus(s1),
	} {
		if example, ok, err := s.Example(5000); ok {
			t.Errorf("%v: %s has %q", d, name, example)
		} else if err != nil && !errors.Is(err, pathset.ErrUndecided) {
			t.Errorf("%v: %s: %v", d, name, err)
		}
	}
}

// settled reports whether the normal form of a URL's path is a URL of that path:
// examples are only looked for among these. A path of Google's parser that is
// cut at a NUL, or of an old dialect with an encoded "#", has no such form.
func settled(d robots.Dialect, url string) bool {
	path := d.Path(url)
	return strings.IndexByte(path, '#') >= 0 && d != robots.RFC9309 && d != robots.Google || d.Path(site+path) == path
}

// TestForms compares paths that examples may be with those in normal form.
func TestForms(t *testing.T) {
	r := rand.New(rand.NewPCG(3986, 9309))
	parts := []string{"%", "%", "2", "F", "f", "4", "1", "5", "a", "/", "*", "$", "#", "é", "\xff", "\x00", " ", "~",
		"G", "7", "E"}
	for range corpus.Cases(60_000, 200_000) {
		path := "/"
		for range r.IntN(7) {
			path += parts[r.IntN(len(parts))]
		}
		for _, d := range robots.Dialects() {
			want := d.Path(site+path) == path
			if strings.IndexByte(path, '#') >= 0 {
				// In the old dialects it stands for "%23".
				escaped := strings.ReplaceAll(path, "#", "%23")
				want = d != robots.RFC9309 && d != robots.Google && d.Path(site+escaped) == path
			}
			if got := pathset.InForm(d, path); got != want {
				t.Fatalf("%v: %q may be an example: %t, its normal form is %q", d, path, got, d.Path(site+path))
			}
		}
	}
}
