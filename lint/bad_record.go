package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
)

var badRecord = &Check{
	Name:     "bad-record",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if form, ok := recordForms[strings.ToLower(l.Field)]; ok && isBad(l) {
				at := l.value()
				if l.Value == "" {
					at = l.all()
				}
				d := p.report(at, form)
				if strings.EqualFold(l.Field, "Host") || strings.EqualFold(l.Field, "Clean-param") {
					d.Severity = Warning // few read it
				}
			}
		}, robots.Other)
	},
}

// isBad reports whether the record on a line is one of [robots.Policy.BadRecords].
func isBad(l *line) bool { return len(robots.Parse([]byte(l.body)).BadRecords()) > 0 }

// recordForms says of each field, in small letters, what its values look like.
// sitemap-url looks at sitemaps.
var recordForms = map[string]text{
	"crawl-delay": {
		"the value is not a number of seconds, such as 10 or 0.5: robots do not read it",
		"el valor no es un número de segundos, como 10 o 0.5: los robots no lo leen",
		"값이 10이나 0.5 같은 초 수가 아닙니다. 로봇은 읽지 못합니다",
		"значение — не число секунд, такое как 10 или 0.5: роботы его не прочтут",
	},
	"request-rate": {
		"the value is not documents/time with s, m or h, such as 10/1m, and perhaps a time of the day such as 1300-1659",
		"el valor no es documentos/tiempo con s, m o h, como 10/1m, y quizá un horario como 1300-1659",
		"값이 10/1m처럼 s, m, h를 붙인 문서 수/시간, 그리고 1300-1659 같은 시간대의 형식이 아닙니다",
		"значение — не документы/время с s, m или h, как 10/1m, и, возможно, время суток, как 1300-1659",
	},
	"visit-time": {
		"the value is not a time of the day in UTC, such as 0600-0845",
		"el valor no es un horario en UTC, como 0600-0845",
		"값이 0600-0845 같은 UTC 시간대가 아닙니다",
		"значение — не время суток по UTC, такое как 0600-0845",
	},
	"clean-param": {
		"the value is not parameters joined by \"&\" and perhaps one path, such as ref&sid /shop/",
		"el valor no son parámetros unidos por «&» y quizá una ruta, como ref&sid /shop/",
		"값이 ref&sid /shop/처럼 \"&\"로 이은 매개변수와 경로 하나가 아닙니다",
		"значение — не параметры, соединённые «&», и, возможно, один путь, как ref&sid /shop/",
	},
	"host": {
		"the value is not a host, such as example.com or example.com:8080",
		"el valor no es un host, como example.com o example.com:8080",
		"값이 example.com이나 example.com:8080 같은 호스트가 아닙니다",
		"значение — не хост, такой как example.com или example.com:8080",
	},
	"content-usage": {
		"the value is not a path, where there is one, and a dictionary of preferences, such as train-ai=n, search=y: robots read nothing of it",
		"el valor no es una ruta, si la hay, y un diccionario de preferencias, como train-ai=n, search=y: los robots no leen nada de él",
		"값이 (있다면) 경로와 train-ai=n, search=y 같은 선호 사전이 아닙니다. 로봇은 아무것도 읽지 못합니다",
		"значение — не путь (если он есть) и словарь предпочтений, такой как train-ai=n, search=y: роботы ничего из него не прочтут",
	},
	"content-signal": {
		"the value is not a list such as search=yes, ai-input=no, ai-train=no",
		"el valor no es una lista como search=yes, ai-input=no, ai-train=no",
		"값이 search=yes, ai-input=no, ai-train=no 같은 목록이 아닙니다",
		"значение — не список вида search=yes, ai-input=no, ai-train=no",
	},
	"license": {
		"the value is not the whole URL of a license document, with scheme and host",
		"el valor no es la URL completa de un documento de licencia, con esquema y host",
		"값이 스킴과 호스트가 든 라이선스 문서의 온전한 URL이 아닙니다",
		"значение — не полный URL документа лицензии, со схемой и хостом",
	},
}
