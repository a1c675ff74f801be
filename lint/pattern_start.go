package lint

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var patternStart = &Check{
	Name:     "pattern-start",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			if classOf(l.Value) != valueStart {
				return
			}
			if from, to := oddCharacter(l.Value); from == 0 && to > 0 {
				return // invisible-character reports what stands before the pattern
			}
			d := p.report(l.value(), textPatternStart)
			if looksLikeRegexp(l.Value) >= 0 {
				return
			}
			at := l.within(0, 0)
			start := "/"
			if l.Value[0] == '.' || l.Value[0] == '?' || l.Value[0] == '&' || l.Value[0] == '=' {
				start = "/*" // ".pdf$" probably means files of this type, and "?" queries
			}
			d.Fix = &Fix{Title: p.say(textAddStart, start), Effect: addsRule(l), Edits: []Edit{at.edit(start)}}
		})
	},
}

// addsRule returns the effect of a rule that matched nothing and now matches something.
func addsRule(l *line) Effect {
	if l.Kind == robots.Allow {
		return Opens
	}
	return Closes
}

var (
	textPatternStart = language.New(
		"the pattern starts with neither \"/\" nor \"*\", and all paths start with \"/\": it matches nothing")
	textAddStart = language.New("put \"%[1]s\" before it; the rule takes effect")
)
