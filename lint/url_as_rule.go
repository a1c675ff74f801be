package lint

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var urlAsRule = &Check{
	Name:     "url-as-rule",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			if classOf(l.Value) != valueURL {
				return
			}
			host := hostBytes(l.Value)
			d := p.report(l.value(), textURLAsRule)
			path := l.Value[host:]
			if path == "" || path[0] != '/' {
				path = "/" + path
			}
			// "Disallow: https://example.com/" is usually about another host, and would close all
			// of this one
			if l.Kind == robots.Allow || !matchesAll(path) {
				d.Fix = &Fix{Title: p.say(textDropHost, path), Effect: addsRule(l), Edits: []Edit{l.value().edit(path)}}
			}
		})
	},
}

var (
	textURLAsRule = language.New(
		"a rule has a path, not a URL with its host: it matches nothing; the file is for the host that it lies on")
	textDropHost = language.New("write \"%[1]s\"; the rule takes effect for this host")
)
