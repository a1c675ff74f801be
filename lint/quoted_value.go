package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var quotedValue = &Check{
	Name:     "quoted-value",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if classOf(l.Value) != valueQuoted {
				return
			}
			effect := Changes
			if l.Kind != robots.UserAgent {
				effect = addsRule(l)
			}
			d := p.report(l.value(), textQuoted)
			plain := strings.TrimFunc(l.Value, func(c rune) bool { return isQuote(foldedRune(c)) || c == ' ' })
			if plain != "" && !strings.ContainsAny(plain, " \t") {
				d.Fix = &Fix{Title: p.say(textDropQuotes), Effect: effect, Safe: plain != "/",
					Edits: []Edit{l.value().edit(plain)}}
			}
		}, robots.UserAgent, robots.Allow, robots.Disallow)
	},
}

var (
	textQuoted     = language.New("quotes are a part of the value in robots.txt: nothing matches it")
	textDropQuotes = language.New("remove the quotes; the record takes effect")
)
