package lint

import "github.com/robotsexclusion/robots/internal/language"

// unusedIgnore is last in the list: by then all other checks have reported the diagnostics that
// are ignored.
var unusedIgnore = &Check{
	Name:     "unused-ignore",
	Severity: Info,
	Profiles: strictly,
	run: func(p *pass) {
		p.end(func() {
			for _, i := range p.ignores.all {
				if i.used || !i.known {
					continue
				}
				for _, name := range i.checks {
					if c := p.find(name); c != nil && p.options.runs(c) {
						p.report(i.at, textUnusedIgnore, name)
						break
					}
				}
			}
		})
	},
}

var textUnusedIgnore = language.New("%[1]s finds nothing here that could be ignored")
