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
		"no search engine reads \"%[1]s\" in robots.txt, and Google has not since September 2019: pages are still indexed; let them say %[2]s in a robots meta tag or an X-Robots-Tag header, and let robots fetch them")
	textObsoleteHost = language.New(
		"no robot reads Host since Yandex gave it up in 2018: redirect to the main host instead")
	textObsolete = language.New("no robot of today is known to read \"%[1]s\"")
)
