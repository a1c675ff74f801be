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
		"the file starts with a byte order mark: some robots take it for a part of the first line and do not understand that line")
	textDropMark = language.New("remove the mark")
)
