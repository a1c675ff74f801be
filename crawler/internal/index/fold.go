package index

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normal returns text in the form for the index: valid UTF-8 in composed form (Hangul
// may come letter by letter), without soft hyphens, which occur within words.
func normal(text string) string {
	if isASCII(text) {
		return text
	}
	return strings.ReplaceAll(norm.NFC.String(strings.ToValidUTF8(text, "\uFFFD")), "\u00AD", "")
}

// fold returns a word without case, diacritics and variants of form, such as full
// width. Marks that make other letters, as in Cyrillic й, stay.
func fold(word string) string {
	if isASCII(word) {
		return strings.ToLower(word)
	}
	b := make([]byte, 0, len(word))
	for _, r := range norm.NFKC.String(strings.ToLower(norm.NFKC.String(word))) {
		if s, ok := folded[r]; ok {
			b = append(b, s...)
			continue
		}
		switch {
		case isDiacritic(r):
			continue
		case r >= utf8.RuneSelf && unicode.In(r, unicode.Latin, unicode.Greek):
			r, _ = utf8.DecodeRuneInString(norm.NFD.String(string(r)))
		}
		b = utf8.AppendRune(b, r)
	}
	return string(b)
}

// isDiacritic reports whether r is a combining diacritical mark, such as the stress of
// a Russian word.
func isDiacritic(r rune) bool { return r >= 0x0300 && r <= 0x036F }

// folded has letters that do not decompose into a letter and a mark, but are typed as
// others on keyboards without them.
var folded = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'þ': "th", 'ł': "l", 'ħ': "h", 'ı': "i",
	'ς': "σ",
	'ё': "е", // both letters are Cyrillic
	'’': "'", 'ʼ': "'", '＇': "'",
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
