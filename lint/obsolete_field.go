package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
)

var obsoleteField = &Check{
	Name:     "obsolete-field",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			switch field := strings.ToLower(l.Field); {
			case field == "noindex" || field == "nofollow" || field == "noarchive":
				p.report(l.field(), textObsoleteIndex, l.Field, field)
			case field == "host":
				p.report(l.field(), textObsoleteHost).Severity = Info
			case field == "cache-delay" || field == "revisit-after" || field == "robot-version" || field == "comment" ||
				field == "domain" || strings.HasPrefix(field, "acap-"):
				p.report(l.field(), textObsolete, l.Field).Severity = Info
			}
		}, robots.Other)
	},
}

var (
	textObsoleteIndex = text{
		"no search engine reads \"%[1]s\" in robots.txt, Google not since September 2019: pages are still indexed; let them say %[2]s in a robots meta tag or an X-Robots-Tag header, and let robots fetch them",
		"ningún buscador lee «%[1]s» en robots.txt, Google no desde septiembre de 2019: las páginas se siguen indexando; que digan %[2]s en una etiqueta meta robots o una cabecera X-Robots-Tag, y que los robots puedan visitarlas",
		"robots.txt의 \"%[1]s\"을(를) 읽는 검색 엔진은 없으며 Google도 2019년 9월부터 읽지 않습니다. 페이지는 그대로 색인됩니다. 페이지의 robots 메타 태그나 X-Robots-Tag 헤더에 %[2]s을(를) 쓰고 로봇이 가져갈 수 있게 하십시오",
		"ни одна поисковая система не читает «%[1]s» в robots.txt, Google — с сентября 2019 года: страницы всё равно индексируются; укажите %[2]s в метатеге robots или заголовке X-Robots-Tag и разрешите роботам их посещать",
	}
	textObsoleteHost = text{
		"no robot reads Host since Yandex gave it up in 2018: redirect to the main host instead",
		"ningún robot lee Host desde que Yandex lo abandonó en 2018: redirija al host principal",
		"Yandex가 2018년에 그만둔 뒤로 Host를 읽는 로봇은 없습니다. 대신 주 호스트로 리디렉션하십시오",
		"ни один робот не читает Host с тех пор, как Яндекс отказался от него в 2018 году: настройте перенаправление на главный хост",
	}
	textObsolete = text{
		"no robot of today is known to read \"%[1]s\"",
		"no se conoce ningún robot actual que lea «%[1]s»",
		"오늘날 \"%[1]s\"을(를) 읽는 로봇은 알려져 있지 않습니다",
		"неизвестно ни одного нынешнего робота, который читает «%[1]s»",
	}
)
