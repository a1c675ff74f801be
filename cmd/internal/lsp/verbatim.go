package lsp

import (
	"errors"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// A verbatim is a JSON string with its bytes unchanged: encoding/json would replace bytes that
// are not UTF-8, and columns after them would be wrong.
type verbatim string

// UnmarshalJSON implements [json.Unmarshaler]. Its argument must be valid JSON.
func (v *verbatim) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	n := len(data)
	if n < 2 || data[0] != '"' || data[n-1] != '"' {
		return errors.New("the text is not a string")
	}
	data = data[1 : n-1]
	b := make([]byte, 0, len(data))
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' {
			b = append(b, data[i])
			continue
		}
		i++
		switch data[i] {
		case 'b':
			b = append(b, '\b')
		case 'f':
			b = append(b, '\f')
		case 'n':
			b = append(b, '\n')
		case 'r':
			b = append(b, '\r')
		case 't':
			b = append(b, '\t')
		case 'u':
			c := hex4(data[i+1:])
			i += 4
			if utf16.IsSurrogate(c) {
				// A surrogate without its pair becomes U+FFFD, which has the same length.
				whole := rune(utf8.RuneError)
				if i+6 < len(data) && data[i+1] == '\\' && data[i+2] == 'u' {
					whole = utf16.DecodeRune(c, hex4(data[i+3:]))
				}
				if c = whole; c != utf8.RuneError {
					i += 6
				}
			}
			b = utf8.AppendRune(b, c)
		default: // a quote, a slash or a backslash
			b = append(b, data[i])
		}
	}
	*v = verbatim(b)
	return nil
}

// hex4 parses four hexadecimal digits.
func hex4(data []byte) rune {
	n, _ := strconv.ParseUint(string(data[:4]), 16, 16)
	return rune(n)
}
