package lint

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var invisibleCharacter = &Check{
	Name:     "invisible-character",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			from, to := oddCharacter(l.Value)
			if to == 0 {
				return
			}
			c, _ := utf8.DecodeRuneInString(l.Value[from:])
			d := p.report(l.within(from, to), textInvisible, fmt.Sprintf("U+%04X", c))
			if from > 0 && !neverInURL(l.Value, from, to) {
				d.Severity = Warning
				return
			}
			if strings.ContainsAny(l.Value, " \t") {
				return // another check fixes this
			}
			plain := visible(l.Value)
			if _, to := oddCharacter(plain); to == 0 && plain != "" {
				d.Fix = &Fix{Title: p.say(textRemoveIt), Effect: Changes, Edits: []Edit{l.value().edit(plain)}}
				if from == 0 && (plain[0] == '/' || plain[0] == '*') {
					d.Fix.Effect = addsRule(l) // before, the rule matched nothing
				}
			}
		})
		p.lines(func(l *line) {
			if strings.TrimSpace(folded(l.body)) == "" {
				d := p.report(l.all(), textInvisibleLine)
				d.Severity = Info
				d.Fix = &Fix{Title: p.say(textRemoveIt), Safe: true, Edits: []Edit{l.all().edit("")}}
			}
		}, robots.Malformed)
	},
}

// visible returns the visible part of a value: without invisible characters, and without
// characters that look like blanks at its ends.
func visible(value string) string {
	return strings.TrimSpace(strings.Map(func(c rune) rune {
		if isInvisible(c) {
			return -1
		}
		return c
	}, value))
}

// neverInURL reports whether the odd character in these bytes of a value cannot be in any URL.
// A path may contain a no-break space. A character after another non-ASCII character may be a
// half of one that was decoded wrongly.
func neverInURL(value string, from, to int) bool {
	c, _ := utf8.DecodeRuneInString(value[from:])
	if before, _ := utf8.DecodeLastRuneInString(value[:from]); c < 0x100 && before >= utf8.RuneSelf {
		return false
	}
	return to == len(value) || !isOddBlank(c) && value[to] < utf8.RuneSelf
}

var (
	textInvisible = language.New(
		"%[1]s in the pattern, which is not seen or looks like a blank: URLs hardly have it, so nothing matches")
	textInvisibleLine = language.New("the line looks empty, but has characters that are not seen")
	textRemoveIt      = language.New("remove what is not seen")
)
