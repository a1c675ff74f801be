package guard

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
)

// slowTag returns the X-Robots-Tag for a target: for each field, its records are the rules of a
// file.
func slowTag(g *robots.Group, target string) string {
	var directives []string
	for _, field := range []string{"noindex", "nofollow", "noarchive"} {
		rules := "User-agent: *\n"
		for _, r := range g.Records(field) {
			rules += "Disallow: " + r.Value + "\n"
		}
		if !robots.Parse([]byte(rules)).For().Allowed(target) {
			directives = append(directives, field)
		}
	}
	return strings.Join(directives, ", ")
}

// FuzzPreferences compares the preferences of a target with Group.Usage and with slowTag.
func FuzzPreferences(f *testing.F) {
	f.Add("User-agent: *\nContent-Usage: /a train-ai=n\nContent-Usage: /* train-ai=y, search=y\nNoindex: /*b$\nNofollow: /%61\n", "/ab")
	f.Add("User-agent: *\nNoindex: x\nNoarchive: *\nContent-Usage: //a b=y\nContent-Usage: /é b=n", "/%C3%A9")
	f.Fuzz(func(t *testing.T, text, target string) {
		if !strings.HasPrefix(target, "/") || strings.HasPrefix(target, "//") ||
			strings.HasPrefix(target, "/robots.txt") || len(text)+len(target) > 1<<12 {
			t.Skip()
		}
		g := robots.Parse([]byte(text)).For()
		p := newPreferences(g)
		path := p.dialect.Path(target)
		got := ", " + p.usage(path) + ","
		members := 0
		said := map[string]bool{}
		for _, u := range p.usages {
			for category := range u.preferences {
				want := g.Usage(target, category)
				if has := strings.Contains(got, ", "+category+"="+want.String()+","); has != (want != robots.Unknown) {
					t.Errorf("%s: got %q, and %s is %v", target, got, category, want)
				}
				if want != robots.Unknown && !said[category] {
					said[category] = true
					members++
				}
			}
		}
		if n := strings.Count(got, "="); n != members {
			t.Errorf("%s: got %q, want %d members", target, got, members)
		}
		if got, want := p.tag(path), slowTag(g, target); got != want {
			t.Errorf("%s: got the tag %q, want %q", target, got, want)
		}
	})
}
