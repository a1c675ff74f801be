package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var obsoleteField = &Check{
	Name:     "obsolete-field",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			f, _ := robots.FieldNamed(l.Field)
			if !f.Obsolete && !isACAP(l.Field) {
				return
			}
			switch f.Name {
			case "Noindex", "Nofollow", "Noarchive":
				p.report(l.field(), textObsoleteIndex, l.Field, strings.ToLower(f.Name))
			case "Host":
				p.report(l.field(), textObsoleteHost).Severity = Info
			default:
				p.report(l.field(), textObsolete, l.Field).Severity = Info
			}
		}, robots.Other)
	},
}

var (
	textObsoleteIndex = language.New(
		"no search engine reads \"%[1]s\" in robots.txt, and Google has not since September 2019: pages are still indexed; let them say %[2]s in a robots meta tag or an X-Robots-Tag header, and let robots fetch them",
		"ningún buscador lee «%[1]s» en robots.txt, y Google dejó de hacerlo en septiembre de 2019: las páginas se siguen indexando; indique %[2]s en una etiqueta meta robots o en una cabecera X-Robots-Tag y deje que los robots rastreen las páginas",
		"robots.txt의 \"%[1]s\"을(를) 읽는 검색 엔진은 없고, Google도 2019년 9월부터 읽지 않습니다. 페이지는 그대로 색인됩니다. 페이지의 robots 메타 태그나 X-Robots-Tag 헤더에 %[2]s을(를) 지정하고 로봇이 그 페이지를 수집할 수 있게 하십시오",
		"ни одна поисковая система не читает «%[1]s» в robots.txt, Google — с сентября 2019 года: страницы всё равно индексируются; укажите %[2]s в метатеге robots или в заголовке X-Robots-Tag и не закрывайте эти страницы от роботов",
	)
	textObsoleteHost = language.New(
		"no robot reads Host since Yandex gave it up in 2018: redirect to the main host instead",
		"ningún robot lee Host desde que Yandex lo abandonó en 2018: redirija al host principal",
		"Yandex가 2018년에 지원을 중단한 뒤로 Host를 읽는 로봇은 없습니다. 대신 기본 호스트로 리디렉션하십시오",
		"ни один робот не читает директиву Host с тех пор, как Яндекс отказался от неё в 2018 году: настройте перенаправление на главное зеркало",
	)
	textObsolete = language.New(
		"no robot of today is known to read \"%[1]s\"",
		"no se conoce ningún robot actual que lea «%[1]s»",
		"현재 \"%[1]s\"을(를) 읽는다고 알려진 로봇이 없습니다",
		"неизвестно ни одного современного робота, который читает «%[1]s»",
	)
)
