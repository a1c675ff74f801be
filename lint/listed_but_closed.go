package lint

import (
	"net/url"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
)

var listedButClosed = &Check{
	Name:     "listed-but-closed",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		if p.alien != robotsText || len(p.options.Sitemaps) == 0 {
			return
		}
		found := make(places)
		for _, g := range p.inviting() {
			closed := make(map[int]*closedURLs)
			for _, s := range p.options.Sitemaps {
				for _, page := range s.URLs {
					if !p.covers(page) {
						continue
					}
					m := g.Match(page)
					if m.Allowed || m.Reason != robots.DecidingRule {
						continue
					}
					c := closed[m.Rule.Line]
					if c == nil {
						c = &closedURLs{url: page, sitemap: s.URL}
						closed[m.Rule.Line] = c
					}
					c.count++
				}
			}
			grave := slices.ContainsFunc(g.names, func(name string) bool {
				return name == "*" || p.options.Robots.Named(name).Purposes.Has(agent.Search)
			})
			for number, c := range closed {
				before := found[number]
				found[number] = func(l *line) {
					if before != nil {
						before(l)
					}
					d := p.report(l.all(), textListedButClosed, c.count, g.names[0], c.url, c.sitemap)
					if !grave {
						d.Severity = Info
					}
				}
			}
		}
		p.tell(found)
	},
}

// A closedURLs is a set of URLs of sitemaps that one rule closes.
type closedURLs struct {
	count        int
	url, sitemap string // the first URL, and its sitemap
}

// maxInviting is the maximum number of groups that the URLs of sitemaps are checked against.
const maxInviting = 16

// inviting returns the groups whose robots may read a part of the site. A robot that is
// excluded completely is not meant to use the sitemap.
func (f *file) inviting() (groups []robotGroup) {
	add := func(g robotGroup) {
		if _, closed := closing(g.Group); !closed && len(groups) < maxInviting {
			groups = append(groups, g)
		}
	}
	everyone := f.policy.For("*")
	named := f.named()
	if !slices.ContainsFunc(named, func(g robotGroup) bool { return slices.Contains(g.names, "*") }) {
		add(robotGroup{Group: everyone, names: []string{"*"}})
	}
	for _, g := range named {
		add(g)
	}
	return groups
}

// covers reports whether the rules of the file apply to a URL. If the origin of the file is
// unknown, all URLs are assumed to be of its site.
func (f *file) covers(page string) bool {
	if f.options.Origin == "" {
		return true
	}
	return originOf(page) == originOf(f.options.Origin)
}

// originOf returns the scheme, host and port of a URL in canonical form, or "".
func originOf(rawURL string) string {
	u, err := url.Parse(rawURL)
	if err != nil {
		return ""
	}
	scheme, port := strings.ToLower(u.Scheme), u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[scheme]
	}
	return scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}

var textListedButClosed = language.New(
	"closes URLs that sitemaps list, %[1]d of them to %[2]s, such as %[3]s in %[4]s: a sitemap lists what is to be found")
