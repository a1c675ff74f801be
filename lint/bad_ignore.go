package lint

import "github.com/robotsexclusion/robots/internal/language"

var badIgnore = &Check{
	Name:     "bad-ignore",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		for _, i := range p.ignores.all {
			switch {
			case !i.known || len(i.checks) == 0:
				p.report(i.at, textIgnoreForm)
				continue
			case i.reason == "":
				p.report(i.at, textIgnoreReason)
			}
			for _, name := range i.checks {
				if p.find(name) == nil {
					p.report(i.at, textIgnoreUnknown, name)
				}
			}
		}
	},
}

var (
	textIgnoreForm = language.New(
		"this is neither \"ignore CHECK reason\" nor \"ignore-file CHECK reason\": nothing is ignored")
	textIgnoreReason = language.New(
		"say after the name of the check why it is to be ignored, for those who read this after you")
	textIgnoreUnknown = language.New("no check is called \"%[1]s\": nothing is ignored")
)
