package lint

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var strayPercent = &Check{
	Name:     "stray-percent",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			for i := 0; i < len(l.Value); i++ {
				if l.Value[i] != '%' {
					continue
				}
				if !isEscape(l.Value[i:]) && !atWildcard(l.Value[i+1:]) {
					p.report(l.within(i, min(i+3, len(l.Value))), textStrayPercent)
					return
				}
			}
		})
	},
}

// isEscape reports whether s starts with a percent-encoded byte.
func isEscape(s string) bool { return len(s) > 2 && s[0] == '%' && isHex(s[1]) && isHex(s[2]) }

// atWildcard reports whether a pattern continues with a wildcard, after one hex digit at most:
// "/%*" and "/%D*" are patterns for encoded paths.
func atWildcard(rest string) bool {
	if rest != "" && isHex(rest[0]) {
		rest = rest[1:]
	}
	return rest == "" || strings.HasPrefix(rest, "*")
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

var textStrayPercent = language.New(
	"\"%%\" without two hexadecimal digits after it encodes nothing, and URLs have %%25 for it: nothing is likely to match")
