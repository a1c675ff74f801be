package lint

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var backslash = &Check{
	Name:     "backslash",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			i := strings.IndexByte(l.Value, '\\')
			if i < 0 || classOf(l.Value) != valueFine || looksLikeRegexp(l.Value) >= 0 {
				return
			}
			p.report(l.within(i, i+1), textBackslash)
		})
	},
}

var textBackslash = language.New(
	"a backslash escapes nothing in robots.txt, and URLs have \"/\" or %%5C in its place: the pattern hardly matches anything",
	"en robots.txt la barra invertida no escapa nada, y las URL llevan «/» o %%5C en su lugar: es difícil que el patrón coincida con algo",
	"robots.txt에서 백슬래시는 아무것도 이스케이프하지 않으며 URL에는 그 자리에 \"/\"나 %%5C가 있습니다. 이 패턴과 일치하는 것은 거의 없습니다",
	"обратная косая черта в robots.txt ничего не экранирует, а в URL на её месте «/» или %%5C: шаблон почти ни с чем не совпадёт",
)
