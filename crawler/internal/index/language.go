package index

import (
	"strings"
	"unicode"
)

// English, Spanish, Korean and Russian are the languages whose words are analysed.
// Pages in other languages are indexed too.
const (
	english = "en"
	spanish = "es"
	korean  = "ko"
	russian = "ru"
)

// primary returns the first part of a language tag in lower case, such as "es" of
// "es-MX", or "" if the part is invalid.
func primary(tag string) string {
	tag, _, _ = strings.Cut(strings.TrimSpace(tag), "-")
	tag, _, _ = strings.Cut(tag, "_")
	if len(tag) != 2 && len(tag) != 3 {
		return ""
	}
	for i := range len(tag) {
		if c := tag[i] | 0x20; c < 'a' || c > 'z' {
			return ""
		}
	}
	return strings.ToLower(tag)
}

// languageOf returns the language of a page: the declared one, unless the letters of
// the page contradict it, for example if a site declares "en" for all its pages. A page
// without a declaration counts as Korean or Russian by its letters, as Spanish by its
// short words, and otherwise as English.
func languageOf(p *Page) string {
	declared := primary(p.Language)
	var s sample
	s.add(p.Title)
	for _, passage := range p.Passages {
		if !s.add(passage.Text) {
			break
		}
	}
	switch {
	case s.letters < 20: // too few to contradict a declaration
	case s.hangul*2 > s.letters:
		return korean
	case s.cyrillic*2 > s.letters && (declared == "" || declared == english || declared == spanish ||
		declared == korean):
		return russian
	}
	if declared != "" {
		return declared
	}
	switch {
	case s.hangul > 0 && s.hangul*4 > s.letters:
		return korean // with many names and commands in Latin letters
	case s.cyrillic > 0 && s.cyrillic*4 > s.letters:
		return russian
	case s.spanish > s.english && s.spanish > 0:
		return spanish
	}
	return english
}

// A sample counts letters and short words at the start of a text.
type sample struct {
	bytes                     int
	letters, hangul, cyrillic int
	english, spanish          int // words, and letters that only Spanish has
}

// add counts a text, and reports whether to continue.
func (s *sample) add(text string) bool {
	const enough = 8 << 10
	text = text[:min(len(text), enough-s.bytes)]
	s.bytes += len(text)
	for _, r := range text {
		if !unicode.IsLetter(r) {
			continue
		}
		s.letters++
		switch {
		case r < 0x80:
		case r == 'ñ' || r == 'Ñ' || r == 'ó' || r == 'í':
			s.spanish++
		case unicode.Is(unicode.Hangul, r):
			s.hangul++
			s.letters++ // a syllable counts as two letters
			s.hangul++
		case unicode.Is(unicode.Cyrillic, r):
			s.cyrillic++
		}
	}
	for word := range strings.FieldsSeq(text) {
		if len(word) > 5 {
			continue
		}
		switch strings.ToLower(strings.Trim(word, ".,;:!?()\"'¿¡")) {
		case "el", "la", "los", "las", "de", "del", "que", "y", "en", "un", "una", "por", "con", "para", "se", "su",
			"al", "es", "como", "más", "o":
			s.spanish++
		case "the", "of", "and", "to", "a", "in", "is", "that", "for", "it", "with", "as", "on", "by", "this", "are",
			"or", "be":
			s.english++
		}
	}
	return s.bytes < enough
}
