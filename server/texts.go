package server

import (
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/printable"
)

// appendText appends the member of a text.
func appendText(b []byte, text string) []byte {
	if utf8.ValidString(text) {
		return printable.AppendString(append(b, `,"text":`...), text)
	}
	return printable.AppendJSON(append(b, `,"text_base64":`...), []byte(text))
}
