package lint

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var byteOrderMarkCheck = &Check{
	Name:     "byte-order-mark",
	Severity: Info,
	Profiles: everywhere,
	run: func(p *pass) {
		if !strings.HasPrefix(p.text, byteOrderMark) || p.alien != robotsText {
			return
		}
		d := p.report(span{line: 1}, textByteOrderMark)
		d.Fix = &Fix{Title: p.say(textDropMark), Safe: true, Edits: []Edit{{0, len(byteOrderMark), ""}}}
	},
}

var (
	textByteOrderMark = language.New(
		"the file starts with a byte order mark: some robots take it for a part of the first line and do not understand that line",
		"el archivo empieza con una marca de orden de bytes (BOM): algunos robots la toman por parte de la primera línea y no la entienden",
		"파일이 바이트 순서 표시(BOM)로 시작합니다. 일부 로봇은 이를 첫 줄의 일부로 여겨 그 줄을 이해하지 못합니다",
		"файл начинается с метки порядка байтов (BOM): некоторые роботы считают её частью первой строки и не понимают эту строку",
	)
	textDropMark = language.New("remove the mark", "quitar la marca", "표시를 지웁니다", "убрать метку")
)
