package lint

import (
	"net/url"
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var httpRedirect = &Check{
	Name:     "http-redirect",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		r := p.options.Response
		if r == nil || len(r.Redirects) == 0 || r.Status/100 == 3 {
			return
		}
		p.end(func() {
			first, last := hostOf(r.Redirects[0]), hostOf(r.URL)
			switch {
			case isWeb(r.Redirects[0]) && strings.HasPrefix(r.Redirects[0], "https:") && strings.HasPrefix(r.URL, "http:"):
				p.report(p.head(), textToHTTP, r.URL)
			case first != last:
				p.report(p.head(), textToOtherHost, r.URL, last)
			case pathOf(r.URL) != "/robots.txt":
				p.report(p.head(), textToOtherPath, r.URL)
			default: // to "www.", or to https
				p.report(p.head(), textRedirects, r.URL).Severity = Info
			}
		})
	},
}

func pathOf(rawURL string) string {
	u, err := url.Parse(rawURL)
	if err != nil {
		return ""
	}
	return u.Path
}

var (
	textToHTTP = language.New(
		"robots.txt redirects from https to %[1]s: anybody on the way can change the rules",
		"robots.txt redirige de https a %[1]s: cualquiera en el camino puede cambiar las reglas",
		"robots.txt가 https에서 %[1]s(으)로 리디렉션됩니다. 중간에서 누구든 규칙을 바꿀 수 있습니다",
		"robots.txt перенаправляет с https на %[1]s: правила может изменить любой на пути",
	)
	textToOtherHost = language.New(
		"robots.txt redirects to %[1]s: the rules of %[2]s count for this site, for robots that follow it",
		"robots.txt redirige a %[1]s: para los robots que lo sigan, en este sitio rigen las reglas de %[2]s",
		"robots.txt가 %[1]s(으)로 리디렉션됩니다. 이를 따라가는 로봇에게는 %[2]s의 규칙이 이 사이트에 적용됩니다",
		"robots.txt перенаправляет на %[1]s: для роботов, которые пойдут за ним, на этом сайте действуют правила %[2]s",
	)
	textToOtherPath = language.New(
		"robots.txt redirects to %[1]s, another path of the host: some robots do not follow it, and see no rules",
		"robots.txt redirige a %[1]s, otra ruta del host: algunos robots no lo siguen y no ven ninguna regla",
		"robots.txt가 같은 호스트의 다른 경로인 %[1]s(으)로 리디렉션됩니다. 따라가지 않는 로봇은 규칙을 보지 못합니다",
		"robots.txt перенаправляет на %[1]s, другой путь того же хоста: некоторые роботы не пойдут за ним и не увидят правил",
	)
	textRedirects = language.New(
		"robots.txt redirects to %[1]s, and robots follow five redirects at least: rules are had with a request more",
		"robots.txt redirige a %[1]s, y los robots siguen al menos cinco redirecciones: las reglas cuestan una petición más",
		"robots.txt가 %[1]s(으)로 리디렉션됩니다. 로봇은 적어도 다섯 번까지 따라가며, 규칙을 얻는 데 요청이 한 번 더 듭니다",
		"robots.txt перенаправляет на %[1]s; роботы проходят не меньше пяти перенаправлений, и правила стоят лишнего запроса",
	)
)
