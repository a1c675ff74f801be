package lsp

import (
	"errors"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// A verbatim is a string of JSON with its bytes as they came: those that are not
// UTF-8 stay, where encoding/json would put others in their place, and columns
// would be wrong behind them.
type verbatim string

// UnmarshalJSON implements [json.Unmarshaler], which is given valid JSON.
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
				// A half without its other half becomes U+FFFD, which is as long.
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

// hex4 returns the number that four hexadecimal digits are.
func hex4(data []byte) rune {
	n, _ := strconv.ParseUint(string(data[:4]), 16, 16)
	return rune(n)
}
