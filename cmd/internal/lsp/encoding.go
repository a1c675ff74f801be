package lsp

import (
	"slices"
	"unicode/utf8"
)

// An encoding says what the characters of a position count (PositionEncodingKind). The zero
// encoding is the one that all clients support.
type encoding uint8

const (
	utf16Units encoding = iota
	utf8Bytes
	utf32Characters
)

var encodings = [...]string{"utf-16", "utf-8", "utf-32"}

func (e encoding) String() string { return encodings[e] }

// chooseEncoding returns the first encoding of a client that is known here.
func chooseEncoding(names []string) encoding {
	for _, name := range names {
		if i := slices.Index(encodings[:], name); i >= 0 {
			return encoding(i)
		}
	}
	return utf16Units
}

// units returns the length of a text. A byte that is not UTF-8 counts as one character.
func (e encoding) units(s string) (n int) {
	switch e {
	case utf8Bytes:
		return len(s)
	case utf32Characters:
		return utf8.RuneCountInString(s)
	}
	for _, c := range s {
		n += utf16Len(c)
	}
	return n
}

// bytes returns the length in bytes of the first n units of a text. If the text is shorter,
// that is its whole length. If n is within a character, that character is excluded.
func (e encoding) bytes(s string, n int) int {
	if e == utf8Bytes {
		if n = max(n, 0); n >= len(s) {
			return len(s)
		}
		return charStart(s, n)
	}
	for i, c := range s {
		if e == utf32Characters {
			n--
		} else {
			n -= utf16Len(c)
		}
		if n < 0 {
			return i
		}
	}
	return len(s)
}

func utf16Len(c rune) int {
	if c >= 0x10000 {
		return 2
	}
	return 1
}

// charStart returns the start of the character that contains byte i of a text.
func charStart(s string, i int) int {
	for start := i; start >= 0 && start > i-utf8.UTFMax && i < len(s); start-- {
		if utf8.RuneStart(s[start]) {
			if _, size := utf8.DecodeRuneInString(s[start:]); start+size > i {
				return start
			}
			break
		}
	}
	return i
}
