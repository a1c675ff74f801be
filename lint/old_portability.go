package lint

import "github.com/robotsexclusion/robots/proof"

var oldPortability = &Check{
	Name:     "old-portability",
	Severity: Info,
	Profiles: []Profile{Historic},
	run: func(p *pass) {
		p.divergent(func(r proof.Reader) bool { return r.Operator == "" })
	},
}
