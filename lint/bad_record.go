package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var badRecord = &Check{
	Name:     "bad-record",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			f, err := checked(l)
			if err == nil || f.Name == "Sitemap" {
				return // sitemap-url checks sitemaps
			}
			at := l.value()
			if l.Value == "" {
				at = l.all()
			}
			message, args := textBadValue, []any{err.Error()}
			if form, ok := recordForms[f.Name]; ok {
				message, args = form, nil
			}
			d := p.report(at, message, args...)
			switch f.Name {
			case "Host":
				d.Severity = Warning // few robots read the field
			case "Clean-param":
				d.Severity = Warning
				if hasEmptyParam(l.Value) {
					d.Severity = Info
				}
			}
		}, robots.Other)
	},
}

// checked returns the field of a line and the error in its value, or nil.
func checked(l *line) (f robots.Field, err error) {
	if f, _ = robots.FieldNamed(l.Field); f.Check != nil {
		err = f.Check(l.Value)
	}
	return f, err
}

// hasEmptyParam reports whether the only mistake in the value of a Clean-param is an "&" before
// the first parameter or after the last. Yandex itself writes such values on its sites.
func hasEmptyParam(value string) bool {
	params, path, _ := strings.Cut(strings.TrimSpace(value), " ")
	return len(robots.Parse([]byte("Clean-param: "+strings.Trim(params, "&")+" "+path)).CleanParams()) > 0
}

// textBadValue is for fields without an entry in recordForms.
var textBadValue = language.New(
	"robots cannot read the value: %[1]s",
	"los robots no pueden leer el valor: %[1]s",
	"로봇이 이 값을 읽을 수 없습니다: %[1]s",
	"роботы не могут прочитать значение: %[1]s",
)

// recordForms has the form of values for each field.
var recordForms = map[string]language.Text{
	"Crawl-delay": language.New(
		"the value is not a number of seconds, such as 10 or 0.5: robots do not read it",
		"el valor no es un número de segundos, como 10 o 0.5: los robots no lo leen",
		"값이 10이나 0.5 같은 초 단위 숫자가 아닙니다. 로봇은 이 값을 읽지 못합니다",
		"значение — не число секунд, например 10 или 0.5: роботы его не прочтут",
	),
	"Request-rate": language.New(
		"the value is not documents/time with s, m or h, such as 10/1m, and perhaps a time of the day such as 1300-1659",
		"el valor no es documentos/tiempo con s, m o h, como 10/1m, seguido quizá de un horario como 1300-1659",
		"값이 10/1m처럼 \"문서 수/시간(s, m, h)\"과 필요하면 1300-1659 같은 시간대를 붙인 형식이 아닙니다",
		"значение должно иметь вид «документы/время» с s, m или h, например 10/1m, и, возможно, время суток, например 1300-1659",
	),
	"Visit-time": language.New(
		"the value is not a time of the day in UTC, such as 0600-0845",
		"el valor no es un horario en UTC, como 0600-0845",
		"값이 0600-0845 같은 UTC 시간대가 아닙니다",
		"значение — не время суток по UTC, например 0600-0845",
	),
	"Clean-param": language.New(
		"the value is not parameters joined by \"&\" and perhaps one path, such as ref&sid /shop/",
		"el valor no son parámetros unidos por «&» y, si acaso, una ruta, como ref&sid /shop/",
		"값이 ref&sid /shop/처럼 \"&\"로 이은 매개변수와 (필요하면) 경로 하나로 된 형식이 아닙니다",
		"значение — не параметры, соединённые знаком «&», и, возможно, один путь, например ref&sid /shop/",
	),
	"Host": language.New(
		"the value is not a host, such as example.com or example.com:8080",
		"el valor no es un host, como example.com o example.com:8080",
		"값이 example.com이나 example.com:8080 같은 호스트가 아닙니다",
		"значение — не хост, например example.com или example.com:8080",
	),
	"Content-Usage": language.New(
		"the value is not a path, where there is one, and a dictionary of preferences, such as train-ai=n, search=y: robots read nothing of it",
		"el valor no es una ruta, si la hay, y un diccionario de preferencias, como train-ai=n, search=y: los robots no leen nada de él",
		"값이 (있다면) 경로와 train-ai=n, search=y 같은 설정 목록이 아닙니다. 로봇은 아무것도 읽지 못합니다",
		"значение — не путь (если он есть) и словарь предпочтений, например train-ai=n, search=y: роботы ничего из него не прочтут",
	),
	"Content-Signal": language.New(
		"the value is not a list such as search=yes, ai-input=no, ai-train=no",
		"el valor no es una lista como search=yes, ai-input=no, ai-train=no",
		"값이 search=yes, ai-input=no, ai-train=no 같은 목록이 아닙니다",
		"значение — не список вида search=yes, ai-input=no, ai-train=no",
	),
	"License": language.New(
		"the value is not the whole URL of a license document, with scheme and host",
		"el valor no es la URL completa de un documento de licencia, con esquema y host",
		"값이 스킴과 호스트를 포함한 라이선스 문서의 전체 URL이 아닙니다",
		"значение — не полный URL документа лицензии, со схемой и хостом",
	),
}
