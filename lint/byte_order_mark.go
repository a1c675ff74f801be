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
		marks := len(byteOrderMark)
		for strings.HasPrefix(p.text[marks:], byteOrderMark) {
			marks += len(byteOrderMark)
		}
		d.Fix = &Fix{Title: p.say(textDropMark), Safe: true, Edits: []Edit{{0, marks, ""}}}
		if marks > len(byteOrderMark) { // robots skip one: the first line has not counted, and will
			d.Fix.Safe, d.Fix.Effect = false, Changes
		}
	},
}

var (
	textByteOrderMark = language.New(
		"the file starts with a byte order mark: some robots take it for a part of the first line and do not understand that line")
	textDropMark = language.New("remove the mark")
)
