package lint

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

// sizeLimit is the minimum number of bytes that robots must read (RFC 9309, section 2.5).
// Google reads no more.
const sizeLimit = 500 << 10

var tooLarge = &Check{
	Name:     "too-large",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		if len(p.text) <= sizeLimit {
			return
		}
		lost, found := span{}, false
		p.lines(func(l *line) {
			switch l.Kind {
			case robots.UserAgent, robots.Allow, robots.Disallow, robots.Other:
				if !found && l.Offset+len(l.Text) > sizeLimit {
					lost, found = l.all(), true
				}
			}
		})
		p.end(func() {
			if found {
				p.report(lost, textTooLarge, len(p.text)>>10)
			} else if p.alien == robotsText {
				p.report(span{line: 1}, textTooLargeComments, len(p.text)>>10).Severity = Warning
			}
		})
	},
}

var (
	textTooLarge = language.New(
		"the file has %[1]d KiB: Google and others read 500 KiB, so this line and all after it are lost; Yandex then takes the whole file for empty",
		"el archivo ocupa %[1]d KiB: Google y otros leen 500 KiB, así que esta línea y todas las siguientes se pierden; Yandex da por vacío el archivo entero",
		"파일 크기가 %[1]dKiB입니다. Google 등은 500KiB까지만 읽으므로 이 줄부터는 모두 무시됩니다. Yandex는 파일 전체를 빈 것으로 봅니다",
		"файл занимает %[1]d КиБ: Google и другие читают 500 КиБ, так что эта строка и все после неё теряются; Яндекс же считает такой файл пустым",
	)
	textTooLargeComments = language.New(
		"the file has %[1]d KiB: Google and others read 500 KiB; all records are within, but Yandex takes the whole file for empty",
		"el archivo ocupa %[1]d KiB: Google y otros leen 500 KiB; todos los registros caben, pero Yandex da por vacío el archivo entero",
		"파일 크기가 %[1]dKiB입니다. Google 등은 500KiB까지만 읽습니다. 레코드는 모두 그 안에 있지만 Yandex는 파일 전체를 빈 것으로 봅니다",
		"файл занимает %[1]d КиБ: Google и другие читают 500 КиБ; все записи в них помещаются, но Яндекс считает такой файл пустым",
	)
)
