package lint

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/language"
)

var rawNonASCII = &Check{
	Name:     "raw-non-ascii",
	Severity: Info,
	Profiles: strictly,
	run: func(p *pass) {
		p.rules(func(l *line) {
			if isASCII(l.Value) || !utf8.ValidString(l.Value) || classOf(l.Value) != valueFine {
				return
			}
			if _, odd := oddCharacter(l.Value); odd > 0 {
				return // percent-encoding would only hide the mistake
			}
			from := strings.IndexFunc(l.Value, func(c rune) bool { return c >= utf8.RuneSelf })
			_, size := utf8.DecodeRuneInString(l.Value[from:])
			d := p.report(l.within(from, from+size), textRawNonASCII)
			d.Fix = &Fix{Title: p.say(textEncode), Safe: true, Edits: []Edit{l.value().edit(percentEncoded(l.Value))}}
		})
	},
}

// percentEncoded returns s with all bytes above 127 percent-encoded.
func percentEncoded(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if s[i] < utf8.RuneSelf {
			b.WriteByte(s[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", s[i])
		}
	}
	return b.String()
}

var (
	textRawNonASCII = language.New(
		"the pattern has characters outside US-ASCII: robots that do not encode them, as RFC 9309 asks, find no URL that matches")
	textEncode = language.New("percent-encode them")
)
