package lint

import (
	"strings"
	"unicode/utf16"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

var inUTF16 = &Check{
	Name:     "utf-16",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		if p.alien != utf16Text {
			return
		}
		d := p.report(span{line: 1}, textUTF16)
		d.Fix = &Fix{
			Title:  p.say(textToUTF8),
			Effect: Changes,
			Safe:   true,
			Edits:  []Edit{{0, len(p.text), fromUTF16(p.text, printable.UTF16Order(p.text))}},
		}
	},
}

// fromUTF16 converts UTF-16 to UTF-8, without a byte order mark.
func fromUTF16(text string, order byte) string {
	// A converter may have encoded the byte order mark of the UTF-16 text as UTF-8.
	text = strings.TrimPrefix(strings.TrimPrefix(text, "\u00FF\u00FE"), "\u00FE\u00FF")
	units := make([]uint16, len(text)/2)
	for i := range units {
		units[i] = uint16(text[2*i]) | uint16(text[2*i+1])<<8
		if order == 'B' {
			units[i] = units[i]<<8 | units[i]>>8
		}
	}
	return strings.TrimPrefix(string(utf16.Decode(units)), byteOrderMark)
}

var (
	textUTF16  = language.New("the file is UTF-16: robots expect UTF-8, find no rules in it and fetch everything")
	textToUTF8 = language.New("write the file as UTF-8; its rules take effect")
)
