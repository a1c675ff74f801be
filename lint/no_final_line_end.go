package lint

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var noFinalLineEnd = &Check{
	Name:     "no-final-line-end",
	Severity: Info,
	Profiles: strictly,
	run: func(p *pass) {
		if p.text == "" || strings.HasSuffix(p.text, "\n") || strings.HasSuffix(p.text, "\r") {
			return
		}
		var at span
		p.lines(func(l *line) { at = l.span(len(l.body), len(l.body)) })
		p.end(func() {
			if at.line == 0 {
				return // the text is not robots.txt
			}
			end := "\n"
			if strings.Contains(p.text, "\r\n") {
				end = "\r\n"
			}
			d := p.report(at, textNoFinalEnd)
			d.Fix = &Fix{Title: p.say(textAddEnd), Safe: true, Edits: []Edit{at.edit(end)}}
		})
	},
}

var (
	textNoFinalEnd = language.New(
		"the last line has no end: whatever is put behind the file, by a tool or a server, becomes part of it",
		"la última línea no termina en salto de línea: lo que una herramienta o un servidor añada al archivo pasará a formar parte de ella",
		"마지막 줄 끝에 줄 바꿈이 없습니다. 도구나 서버가 파일 뒤에 덧붙이는 내용이 이 줄의 일부가 됩니다",
		"в конце последней строки нет перевода строки: всё, что программа или сервер допишет в файл, станет её частью",
	)
	textAddEnd = language.New("end the line", "añadir el salto de línea", "줄 바꿈을 넣습니다", "добавить перевод строки")
)
