package index

import (
	"regexp"
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

var primaryPart = regexp.MustCompile(`^\s*([A-Za-z]{2,3})([-_]|\s*$)`)

// primary returns the first part of a language tag in lower case, such as "es" of
// "es-MX", or "" if the part is invalid.
func primary(tag string) string {
	if m := primaryPart.FindStringSubmatch(tag); m != nil {
		return strings.ToLower(m[1])
	}
	return ""
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

// The short words by which a sample tells the languages.
var (
	spanishWords = setOf("el la los las de del que y en un una por con para se su al es como más o")
	englishWords = setOf("the of and to a in is that for it with as on by this are or be")
)

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
		switch {
		case !unicode.IsLetter(r):
			continue
		case r == 'ñ' || r == 'Ñ' || r == 'ó' || r == 'í':
			s.spanish++
		case unicode.Is(unicode.Hangul, r):
			s.hangul += 2 // a syllable counts as two letters
			s.letters++
		case unicode.Is(unicode.Cyrillic, r):
			s.cyrillic++
		}
		s.letters++
	}
	for word := range strings.FieldsSeq(text) {
		if len(word) > 5 {
			continue
		}
		word = strings.ToLower(strings.Trim(word, ".,;:!?()\"'¿¡"))
		switch {
		case spanishWords[word]:
			s.spanish++
		case englishWords[word]:
			s.english++
		}
	}
	return s.bytes < enough
}
