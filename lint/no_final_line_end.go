package lint

import "strings"

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
				return // it is no robots.txt
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
	textNoFinalEnd = text{
		"the last line has no end: whatever is put behind the file, by a tool or a server, becomes part of it",
		"la última línea no tiene fin: lo que una herramienta o un servidor añada al archivo pasa a ser parte de ella",
		"마지막 줄에 줄 끝이 없습니다. 도구나 서버가 파일 뒤에 붙이는 것이 이 줄의 일부가 됩니다",
		"у последней строки нет конца: всё, что программа или сервер допишет в файл, станет её частью",
	}
	textAddEnd = text{"end the line", "terminar la línea", "줄을 끝냅니다", "завершить строку"}
)
