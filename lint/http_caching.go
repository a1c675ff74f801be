package lint

import (
	"time"

	"github.com/robotsexclusion/robots/internal/language"
)

var httpCaching = &Check{
	Name:     "http-caching",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		r := p.options.Response
		if r == nil || !r.MaxAge.Known || r.Status/100 == 3 || r.Status/100 == 5 {
			return
		}
		p.end(func() {
			switch age := r.MaxAge.Age; {
			case age > maxCached:
				p.report(p.head(), textLongCached, int(age/time.Hour))
			case age <= 0 && p.options.Profile == Strict:
				p.report(p.head(), textNotCached).Severity = Info
			}
		})
	},
}

// maxCached is the maximum time for which robots use a copy (RFC 9309, section 2.4).
const maxCached = 24 * time.Hour

var (
	textLongCached = language.New(
		"the answer may be cached for %[1]d hours: caches on the way give robots the old rules so long, though RFC 9309, section 2.4, asks robots to look again after 24",
		"la respuesta puede guardarse en caché %[1]d horas: durante ese tiempo las cachés intermedias dan a los robots las reglas viejas, aunque el RFC 9309, sección 2.4, les pide mirar de nuevo a las 24",
		"응답을 %[1]d시간 동안 캐시할 수 있습니다. RFC 9309, 2.4절은 24시간이 지나면 다시 확인하라고 하지만, 중간 캐시가 그동안 로봇에게 옛 규칙을 줍니다",
		"ответ можно хранить в кэше (часов: %[1]d): столько времени промежуточные кэши отдают роботам старые правила, хотя RFC 9309, раздел 2.4, просит роботов проверять файл через 24 часа",
	)
	textNotCached = language.New(
		"the answer may not be cached: some robots ask for robots.txt again before each page",
		"la respuesta no se puede guardar en caché: algunos robots piden robots.txt de nuevo antes de cada página",
		"응답을 캐시할 수 없습니다. 페이지마다 robots.txt를 다시 요청하는 로봇도 있습니다",
		"ответ нельзя хранить в кэше: некоторые роботы запрашивают robots.txt перед каждой страницей",
	)
)
