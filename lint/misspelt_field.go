package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var misspeltField = &Check{
	Name:     "misspelt-field",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			m := l.meant()
			if m.class != fieldMisspelt {
				return
			}
			message := textMisspelt
			if googleReads(l.body) {
				message = textMisspeltGoogle
			}
			d := p.report(l.field(), message, l.Field, m.field)
			d.Fix = p.renamed(l)
		}, robots.Other)
	},
}

// googleReads reports whether Google's parser recognises the misspelt field of a line. For
// sitemaps, which do not depend on the dialect, it recognises two spellings.
func googleReads(body string) bool {
	for _, l := range robots.Google.Parse([]byte(body)).Lines() {
		field := strings.ToLower(l.Field)
		return l.Kind != robots.Other && l.Kind != robots.Malformed ||
			strings.HasPrefix(field, "sitemap") || strings.HasPrefix(field, "site-map")
	}
	return false
}

// renamed returns the fix that writes the intended field of a line.
func (p *pass) renamed(l *line) *Fix {
	m := l.meant()
	return &Fix{
		Title:  p.say(textRename, m.field),
		Effect: effectOf(m.field),
		Safe:   true,
		Edits:  []Edit{m.name.edit(m.field + ": ")},
	}
}

// effectOf returns the effect of turning a line into a record of a field. A rule also ends the
// user-agent lines before it.
func effectOf(field string) Effect {
	switch f, _ := robots.FieldNamed(field); f.Kind {
	case robots.UserAgent, robots.Allow, robots.Disallow:
		return Changes
	}
	return Keeps
}

var (
	textMisspelt       = language.New("\"%[1]s\" is not a field that robots know: the line has no effect; write \"%[2]s\"")
	textMisspeltGoogle = language.New(
		"\"%[1]s\" is a misspelling that Google understands, and most other robots do not: for them the line has no effect; write \"%[2]s\"")
	textRename = language.New("write \"%[1]s\"; the record takes effect")
)
