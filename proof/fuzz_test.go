package proof_test

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/proof"
)

// FuzzDiff asks about a path what Diff says about all, and minimizes.
func FuzzDiff(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /a*b$\nAllow: /%61c\n",
		"User-agent: *\nDisallow: /a\nUser-agent: GPTBot\nUser-agent: b\nAllow: /*?x\n", "GPTBot", "/ab?x")
	f.Add("User-agent: b\n\nUser-agent: *\nDisallow: /x/\nDisallow: /x/y\nAllow: /x/index.html\n",
		"useragent b\ndisalow: /\n\n", "b", "/x/")
	f.Fuzz(func(t *testing.T, text1, text2, agent, path string) {
		if len(text1)+len(text2) > 1500 || len(path) > 100 {
			return
		}
		url := site + "/" + strings.TrimPrefix(path, "/")
		for _, d := range robots.Dialects() {
			before, after := d.Parse([]byte(text1)), d.Parse([]byte(text2))
			diff, _ := proof.Diff(before, after, proof.Options{Limit: 2000})
			_ = diff.String()
			for _, c := range diff.Changes {
				if len(c.Main()) == 0 {
					t.Errorf("%v: a change of nothing: %v", d, c)
				}
			}
			for _, name := range []string{agent, "*"} {
				// Diff reports only paths in normal form.
				was, is := before.For(name).Allowed(url), after.For(name).Allowed(url)
				if d.Path(site+d.Path(url)) == d.Path(url) && was != is && diff.Equal() && named(before, after, name) {
					t.Errorf("%v, %s: %q was %t, is %t, but nothing has changed", d, name, url, was, is)
				}
			}
		}
		p := parse(text1)
		m, _ := proof.Minimize(p, proof.Options{Limit: 2000})
		for _, d := range []robots.Dialect{robots.RFC9309, robots.Google} {
			if was, is := p.In(d).For(agent).Allowed(url), d.Parse([]byte(m.Text)).For(agent).Allowed(url); was != is &&
				d.Path(site+d.Path(url)) == d.Path(url) {
				t.Errorf("%v, %s: minimized, %q was %t, is %t\n%s", d, agent, url, was, is, m.Text)
			}
		}
	})
}

// named reports whether Diff asks about a robot: one that a file names, or "*".
func named(before, after *robots.Policy, agent string) bool {
	for _, p := range []*robots.Policy{before, after} {
		for _, g := range p.Groups() {
			for _, name := range g.Agents() {
				if strings.EqualFold(name, agent) {
					return true
				}
			}
		}
	}
	return agent == "*"
}

// FuzzPortable asks about a path what Portable says about all that are in normal
// form.
func FuzzPortable(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /*.htm\nAllow: /page\n", "/page.htm")
	f.Add("User-agent: Yandex\n\nUser-agent: Googlebot\n#\nDisallow: /%7ea\nDisallow:\nAllow: /a/index.html", "/a/")
	f.Fuzz(func(t *testing.T, text, path string) {
		if len(text) > 1000 || len(path) > 100 {
			return
		}
		url := site + "/" + strings.TrimPrefix(path, "/")
		p := parse(text)
		divergences, err := proof.Portable(p, proof.Options{Limit: 1000})
		differs := make(map[proof.Reader]bool)
		for _, v := range divergences {
			differs[v.Reader] = true
			here, there := p.For(v.Agent).Match(site+v.Witness), v.Reader.Match(p, v.Agent, site+v.Witness)
			if here != v.Match || there != v.Other || here.Allowed == there.Allowed {
				t.Errorf("%v: here %v, there %v", v, here, there)
			}
		}
		if err != nil || p.For("x").Match(url).Reason == robots.RobotsFile {
			return
		}
		for _, r := range proof.Readers() {
			for _, name := range []string{"*", "Googlebot", "bingbot", "YandexBot", "Applebot"} {
				asked := agent.Named(name).Operator == r.Operator || name == "*" && r.Operator == ""
				same := p.Dialect().Path(url) == r.Dialect.Path(url) &&
					r.Dialect.Path(site+p.Dialect().Path(url)) == p.Dialect().Path(url)
				if !asked || !same || differs[r] {
					continue
				}
				if here, there := p.For(name).Match(url), r.Match(p, name, url); here.Allowed != there.Allowed {
					t.Errorf("%v, %s: %q is %v, there %v", r.Name, name, url, here, there)
				}
			}
		}
	})
}
