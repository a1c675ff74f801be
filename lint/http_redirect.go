package lint

import (
	"net/url"
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var httpRedirect = &Check{
	Name:     "http-redirect",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		r := p.options.Response
		if r == nil || len(r.Redirects) == 0 || r.Status/100 == 3 {
			return
		}
		p.end(func() {
			first, last := hostOf(r.Redirects[0]), hostOf(r.URL)
			switch {
			case isWeb(r.Redirects[0]) && strings.HasPrefix(r.Redirects[0], "https:") &&
				strings.HasPrefix(r.URL, "http:"):
				p.report(p.head(), textToHTTP, r.URL)
			case first != last:
				p.report(p.head(), textToOtherHost, r.URL, last)
			case pathOf(r.URL) != "/robots.txt":
				p.report(p.head(), textToOtherPath, r.URL)
			default: // to "www.", or to https
				p.report(p.head(), textRedirects, r.URL).Severity = Info
			}
		})
	},
}

func pathOf(rawURL string) string {
	u, err := url.Parse(rawURL)
	if err != nil {
		return ""
	}
	return u.Path
}

var (
	textToHTTP      = language.New("robots.txt redirects from https to %[1]s: anybody on the way can change the rules")
	textToOtherHost = language.New(
		"robots.txt redirects to %[1]s: the rules of %[2]s count for this site, for robots that follow it")
	textToOtherPath = language.New(
		"robots.txt redirects to %[1]s, another path of the host: some robots do not follow it, and see no rules")
	textRedirects = language.New(
		"robots.txt redirects to %[1]s, and robots follow five redirects at least: rules are had with a request more")
)
