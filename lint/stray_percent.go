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
	"\"%%\" without two hexadecimal digits after it encodes nothing, and URLs have %%25 for it: nothing is likely to match",
	"«%%» sin dos cifras hexadecimales detrás no codifica nada, y las URL llevan %%25 en su lugar: lo más probable es que nada coincida",
	"뒤에 16진수 두 자리가 없는 \"%%\"는 아무것도 인코딩하지 않으며 URL에는 그 자리에 %%25가 있습니다. 일치하는 것이 없을 가능성이 큽니다",
	"«%%» без двух шестнадцатеричных цифр ничего не кодирует, а в URL вместо него стоит %%25: скорее всего, ничего не совпадёт",
)
