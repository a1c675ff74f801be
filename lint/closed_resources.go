package lint

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/proof/pathset"
)

var closedResources = &Check{
	Name:     "closed-resources",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		if p.alien != robotsText {
			return
		}
		resources := pathset.Of(robots.RFC9309, "/*.css$").Union(pathset.Of(robots.RFC9309, "/*.js$"))
		found := make(places)
		searches := 0
		for _, name := range []string{"Googlebot", "bingbot", "*"} {
			g := p.policy.For(name)
			if _, all := closing(g); all {
				continue
			}
			var rules *pathset.Rules
			for rule, pattern := range g.Patterns() {
				if rule.Allow || found[rule.Line] != nil || searches == maxResources ||
					!resourceWords().MatchString(rule.Pattern) {
					continue
				}
				if rules == nil {
					rules = pathset.Compile(g)
				}
				searches++
				near := rules.Near(pattern)
				witness, ok, _ := near.Decided(func(r robots.Rule, p robots.Pattern) bool {
					return r == rule &&
						p == pattern
				}).Intersect(resources).Example(searchStates)
				if !ok {
					continue
				}
				some := !resourceFiles().MatchString(rule.Pattern)
				if some && p.options.Profile == Recommended {
					continue
				}
				found[rule.Line] = func(l *line) {
					d := p.report(l.all(), textClosedResource, g.Token(), witness)
					if some {
						d.Severity = Info
					}
				}
			}
		}
		p.tell(found)
	},
}

// maxResources is the maximum number of rules that are checked for closing styles or scripts.
const maxResources = 100

var (
	resourceFiles = lazyRegexp(`(?i)^/?\*\.(css|js)(\?|\*|\$|$)`) // of the whole site
	resourceWords = lazyRegexp(`(?i)\.(css|js)(\?|\*|\$|$)|/(assets|static|css|js|javascripts?|scripts|styles?|stylesheets|wp-includes|_next|_nuxt|dist|bundles|themes|wp-content|skins?|resources)(/\*?)?$`)
)

var textClosedResource = language.New(
	"closes styles or scripts to %[1]s, such as %[2]s: a search engine sees the page without them")
