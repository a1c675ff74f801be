// Package printable makes untrusted text safe to show: nothing in a file, a URL, a page
// or a log can send control sequences to a terminal, or reverse the direction of its
// text.
package printable

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns s with all non-printable characters escaped as in Go.
func Text(s string) string {
	if IsText(s) {
		return s
	}
	quoted := strconv.QuoteToGraphic(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// Shown returns s as [Text] does. An empty string becomes two quotes, to be visible.
func Shown(s string) string {
	if s == "" {
		return `""`
	}
	return Text(s)
}

// IsText reports whether s is printable without escapes: valid UTF-8 of graphic
// characters and blanks.
func IsText(s string) bool {
	for _, c := range s {
		if c != ' ' && !graphic(c) {
			return false
		}
	}
	return true
}

// Clipped returns s as [Text] does, cut if that is longer than the given number of
// bytes.
func Clipped(s string, size int) string {
	if s = Text(s); len(s) > size {
		s = strings.ToValidUTF8(s[:size], "") + "…"
	}
	return s
}

// Quoted returns s in quotes as in Go, cut if s is longer than the given number of
// bytes.
func Quoted(s string, size int) string {
	if len(s) > size {
		return strconv.QuoteToGraphic(s[:size]) + "…"
	}
	return strconv.QuoteToGraphic(s)
}

// AppendString appends s as a JSON string, with non-printable characters escaped, such
// as control characters above 127. It does not use encoding/json, which is half of a small program.
func AppendString(b []byte, s string) []byte {
	if isPlain(s) {
		return append(append(append(b, '"'), s...), '"')
	}
	const controls = "\b\f\n\r\t"
	b = append(b, '"')
	for _, c := range s { // a byte that is not UTF-8 is U+FFFD
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', byte(c))
		case c < ' ' && strings.IndexByte(controls, byte(c)) >= 0:
			b = append(b, '\\', "bfnrt"[strings.IndexByte(controls, byte(c))])
		case c == '<' || c == '>' || c == '&' || c < ' ' || c >= 0x7F && !graphic(c):
			b = appendUnicode(b, c)
		default:
			b = utf8.AppendRune(b, c)
		}
	}
	return append(b, '"')
}

// isPlain reports whether the JSON string of s is s in quotes.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return false
		}
	}
	return true
}

// AppendJSON appends the JSON form of a value, without a line end. Unlike [json.Marshal], it
// does not escape the "&" of URLs. It panics if the value has no JSON form: it is for types
// that always have one. Text in the value is not made printable: see [JSON].
func AppendJSON(b []byte, v any) []byte {
	buffer := bytes.NewBuffer(b)
	e := json.NewEncoder(buffer)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))
}

// JSON returns JSON with all non-printable characters in its strings escaped:
// encoding/json leaves some control characters unescaped. It returns b itself if there
// is nothing to escape.
func JSON(b []byte) []byte {
	safe := func(c rune) bool { return c < 0x7F || graphic(c) }
	if bytes.IndexFunc(b, func(c rune) bool { return !safe(c) }) < 0 {
		return b
	}
	escaped := make([]byte, 0, len(b)+16)
	for _, c := range string(b) {
		switch {
		case safe(c):
			escaped = utf8.AppendRune(escaped, c)
		default:
			escaped = appendUnicode(escaped, c)
		}
	}
	return escaped
}

func graphic(c rune) bool { return strconv.IsGraphic(c) && c != utf8.RuneError }

// appendUnicode appends a character as one or two escapes of UTF-16.
func appendUnicode(b []byte, c rune) []byte {
	if c > 0xFFFF {
		high, low := utf16.EncodeRune(c)
		return appendEscape(appendEscape(b, high), low)
	}
	return appendEscape(b, c)
}

func appendEscape(b []byte, c rune) []byte {
	const digits = "0123456789abcdef"
	return append(b, '\\', 'u', digits[c>>12&15], digits[c>>8&15], digits[c>>4&15], digits[c&15])
}
