package lint

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var blankInPath = &Check{
	Name:     "blank-in-path",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			if classOf(l.Value) != valueBlank {
				return
			}
			i := strings.IndexAny(l.Value, " \t")
			d := p.report(l.within(i, i+1), textBlankInPath)
			path := strings.NewReplacer(" ", "%20", "\t", "%20").Replace(l.Value)
			d.Fix = &Fix{Title: p.say(textEncodeBlanks), Effect: Changes, Edits: []Edit{l.value().edit(path)}}
		})
	},
}

var (
	textBlankInPath = language.New(
		"there is a blank in the pattern: Google's parser finds no URL that matches, others read %%20; write %%20 for a blank, or \"#\" before a comment")
	textEncodeBlanks = language.New("write %%20 for the blanks; the rule takes effect for Google too")
)
