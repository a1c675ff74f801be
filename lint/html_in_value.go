package lint

import (
	"html"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var htmlInValue = &Check{
	Name:     "html-in-value",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if l.Kind == robots.Other && l.meant().class != fieldKnown {
				return // another check reports the field
			}
			if i, _ := recordIn(l.Value); i >= 0 || !markupIn(l.Value) {
				return
			}
			at := markup().FindStringIndex(l.Value)
			plain := strings.TrimSpace(html.UnescapeString(markup().ReplaceAllStringFunc(l.Value, withoutTag)))
			d := p.report(l.within(at[0], at[1]), textMarkupInValue, l.Value[at[0]:at[1]])
			tag := l.Value[at[0]] == '<'
			switch {
			case tag:
			case strings.Contains(l.Value, "*"):
				d.Severity = Info // robots ask for such addresses too, and the rule may close them
			default:
				d.Severity = Warning
			}
			if plain == "" || strings.ContainsAny(plain, "<>#\r\n") || plain == l.Value {
				return
			}
			edits := []Edit{l.value().edit(plain)}
			d.Fix = &Fix{Title: p.say(textPlain, plain), Effect: Changes, Safe: tag, Edits: edits}
		}, robots.UserAgent, robots.Allow, robots.Disallow, robots.Other)
	},
}

// markup matches what an editor of pages leaves in a value: a tag of HTML, which no URL has, or a
// character reference for a character that URLs do not have or that HTML must escape.
var markup = lazyRegexp(`(?i)</?(a|b|br|body|code|div|em|font|html|i|li|ol|p|pre|span|strong|table|td|tr|tt|u|ul)` +
	`(\s[^<>]*)?/?>` +
	`|&(amp|nbsp|lt|gt|quot|#0*(34|38|39|60|62|160)|#x0*(22|26|27|3c|3e|a0));`)

// markupIn reports whether a value contains HTML.
func markupIn(value string) bool {
	return strings.ContainsAny(value, "<&") && markup().MatchString(value)
}

// withoutTag returns a character reference, and nothing for a tag.
func withoutTag(match string) string {
	if match[0] == '<' {
		return ""
	}
	return strings.ReplaceAll(match, "nbsp", "#32")
}

var (
	textMarkupInValue = language.New(
		"\"%[1]s\" is HTML: robots.txt is plain text, so robots take it for a part of the value")
	textPlain = language.New("write plain text: %[1]s")
)
