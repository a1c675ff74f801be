package lint

import (
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var notUTF8 = &Check{
	Name:     "not-utf8",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		if utf8.ValidString(p.text) {
			return
		}
		p.lines(func(l *line) {
			from, to := invalidUTF8(l.body)
			if from == to {
				return
			}
			d := p.report(l.span(from, to), textNotUTF8, hexBytes(l.body[from:to]))
			if at, ok := l.comment(); ok && from >= at.from || l.Kind == robots.Comment {
				d.Severity = Info // robots ignore the line
			}
		})
	},
}

// invalidUTF8 returns the range of the first bytes of s that are not UTF-8. Start and end are
// equal if s is valid.
func invalidUTF8(s string) (from, to int) {
	for i := 0; i < len(s); {
		c, size := utf8.DecodeRuneInString(s[i:])
		if c == utf8.RuneError && size == 1 {
			for to = i; to < len(s); to++ {
				if c, size := utf8.DecodeRuneInString(s[to:]); c != utf8.RuneError || size != 1 {
					break
				}
			}
			return i, to
		}
		i += size
	}
	return 0, 0
}

// hexBytes formats bytes in hexadecimal, only the first few of many.
func hexBytes(s string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range min(len(s), 8) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteByte(digits[s[i]>>4])
		b.WriteByte(digits[s[i]&15])
	}
	if len(s) > 8 {
		b.WriteString(" …")
	}
	return b.String()
}

var textNotUTF8 = language.New(
	"these bytes are not UTF-8: %[1]s; robots match them as they are, which is seldom how the URL has them: write the path as UTF-8 or percent-encoded")
