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
			if err == nil || f.Name == "Sitemap" || l.isTemplate() {
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
var textBadValue = language.New("robots cannot read the value: %[1]s")

// recordForms has the form of values for each field.
var recordForms = map[string]language.Text{
	"Crawl-delay": language.New("the value is not a number of seconds, such as 10 or 0.5: robots do not read it"),
	"Request-rate": language.New(
		"the value is not documents/time with s, m or h, such as 10/1m, and perhaps a time of the day such as 1300-1659"),
	"Visit-time": language.New("the value is not a time of the day in UTC, such as 0600-0845"),
	"Clean-param": language.New(
		"the value is not parameters joined by \"&\" and perhaps one path, such as ref&sid /shop/"),
	"Host": language.New("the value is not a host, such as example.com or example.com:8080"),
	"Content-Usage": language.New(
		"the value is not a path, where there is one, and a dictionary of preferences, such as train-ai=n, search=y: robots read nothing of it"),
	"Content-Signal": language.New("the value is not a list such as search=yes, ai-input=no, ai-train=no"),
	"License":        language.New("the value is not the whole URL of a license document, with scheme and host"),
}
