package printable

import "unicode/utf8"

// AppendText appends a comma and the member "text" of a JSON object, or "text_base64" if the text
// is not UTF-8.
func AppendText(b []byte, text string) []byte {
	if utf8.ValidString(text) {
		return AppendString(append(b, `,"text":`...), text)
	}
	return AppendJSON(append(b, `,"text_base64":`...), []byte(text))
}
