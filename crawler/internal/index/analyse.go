package index

import (
	"iter"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/analysis/lang/es"
	"github.com/blevesearch/bleve/v2/analysis/lang/ru"
	"github.com/blevesearch/bleve/v2/analysis/token/porter"
)

// A manner is a way to make terms from words that are not indexed by pairs of characters:
// by their script, and for Latin letters by their language.
type manner uint8

const (
	plain     manner = iota // folded only
	asEnglish               // stemmed by Porter's rules
	asSpanish               // stemmed lightly
	asRussian               // Cyrillic letters
)

// mannerOf returns the manner for words in Latin letters on a page in a language. Pages
// in other scripts have English words.
func mannerOf(language string) manner {
	switch language {
	case spanish:
		return asSpanish
	case english, korean, russian, "":
		return asEnglish
	}
	return plain
}

// A token is a position in a text with its term.
type token struct {
	term       string
	position   int // from 0 on; a word in Hangul has several
	start, end int // bytes in the text
	stop       bool
}

const (
	maxWord     = 128     // bytes; longer words are data
	maxRemember = 1 << 16 // cached words
)

// An analyser makes terms from texts. It caches the terms of words, because making them
// takes longer than all other steps. One goroutine may use it at a time.
type analyser struct {
	known  map[wordAs]term
	tokens []token // reused
}

// A wordAs is a word to be read in a manner.
type wordAs struct {
	word   string
	manner manner
}

type term struct {
	text string
	stop bool // nearly all pages of the language have it
}

func newAnalyser() *analyser { return &analyser{known: make(map[wordAs]term)} }

// term returns the term of a word, from the cache if possible.
func (a *analyser) term(word string, m manner) term {
	t, ok := a.known[wordAs{word, m}]
	if !ok {
		if len(a.known) >= maxRemember {
			clear(a.known)
		}
		t = termOf(word, m)
		a.known[wordAs{strings.Clone(word), m}] = t // so the cache does not keep the page in memory
	}
	return t
}

// termOf makes the term of a word.
func termOf(word string, m manner) term {
	word = fold(word)
	if word == "" {
		return term{}
	}
	rules := &manners[m]
	if rules.stop[word] {
		return term{word, true}
	}
	if m == asSpanish {
		word = loanPlural.ReplaceAllString(word, "$1")
	}
	stream := analysis.TokenStream{{Term: []byte(word)}}
	for _, f := range rules.filters {
		stream = f.Filter(stream)
	}
	return term{string(stream[0].Term), false}
}

// manners has Bleve's stemmers and stop words of the languages.
var manners = [...]struct {
	filters []analysis.TokenFilter
	stop    map[string]bool // folded
}{
	plain: {},
	asEnglish: {[]analysis.TokenFilter{en.NewPossessiveFilter(), porter.NewPorterStemmer()},
		stopWords(en.EnglishStopWords)},
	asSpanish: {[]analysis.TokenFilter{es.NewSpanishLightStemmerFilter()}, stopWords(es.SpanishStopWords)},
	asRussian: {[]analysis.TokenFilter{ru.NewRussianStemmerFilter()}, stopWords(ru.RussianStopWords)},
}

// loanPlural finds the plural s after a consonant, as in Spanish loan words: robots, bots,
// blogs. The light stemmer cuts it only after a vowel.
var loanPlural = regexp.MustCompile("^(..+[bcdfgklmnprtw])s$")

// stopWords parses a word list of Bleve.
func stopWords(list []byte) map[string]bool {
	words := analysis.NewTokenMap()
	if err := words.LoadBytes(list); err != nil {
		panic(err) // the list is compiled in
	}
	stop := make(map[string]bool)
	for word := range words {
		stop[fold(word)] = true
	}
	return stop
}

// analyse returns the tokens of a text, in order, and its number of positions. The
// tokens are valid until the next call.
func (a *analyser) analyse(text string, latinManner manner) (tokens []token, positions int) {
	a.tokens = a.tokens[:0]
	for w := range wordsOf(text) {
		start, end, word := w.start, w.end, text[w.start:w.end]
		switch w.script {
		case hangul:
			positions += a.syllables(text, start, end, positions)
			continue
		case han:
			positions += a.pairs(text, start, end, positions)
			continue
		}
		m := latinManner
		switch w.script {
		case cyrillic:
			m = asRussian
		case otherScript:
			m = plain
		}
		if len(word) <= maxWord {
			if t := a.term(word, m); t.text != "" {
				a.tokens = append(a.tokens, token{t.text, positions, start, end, t.stop})
			}
		}
		positions++
	}
	return a.tokens, positions
}

// syllables adds the pairs of syllables of a word in Hangul. For a single syllable with
// a particle it adds the syllable too.
func (a *analyser) syllables(text string, start, end, position int) (positions int) {
	word := text[start:end]
	_, first := utf8.DecodeRuneInString(word)
	if first < len(word) && len(word) <= 5*first {
		if stem := koreanStem(word); len(stem) == first {
			a.tokens = append(a.tokens, token{stem, position, start, start + first, false})
		}
	}
	return a.pairs(text, start, end, position)
}

// pairs adds each character with the next one, or a single character alone.
func (a *analyser) pairs(text string, start, end, position int) (positions int) {
	_, n := utf8.DecodeRuneInString(text[start:end])
	for next := start + n; next < end || positions == 0; positions++ {
		_, n := utf8.DecodeRuneInString(text[next:end])
		a.tokens = append(a.tokens, token{text[start : next+n], position + positions, start, next + n, false})
		start, next = next, next+n
	}
	return positions
}

// A script is a class of letters.
type script uint8

const (
	none script = iota
	latin
	cyrillic
	hangul
	han // and kana
	otherScript
)

// A word is a range of a text: letters and digits of one script, with their marks and
// contractions.
type word struct {
	start, end int // bytes
	script     script
}

// wordsOf iterates over the words of a text.
func wordsOf(text string) iter.Seq[word] {
	return func(yield func(word) bool) {
		start, current := 0, none
		for i := 0; i < len(text); {
			r, n := rune(text[i]), 1
			if r >= utf8.RuneSelf {
				r, n = utf8.DecodeRuneInString(text[i:])
			}
			s := scriptOf(r, current)
			if s == none && current == latin && isApostrophe(r) && i+n < len(text) {
				if isContraction(text[i+n:]) {
					s = latin
				}
			}
			if s != current {
				if current != none && !yield(word{start, i, current}) {
					return
				}
				start, current = i, s
			}
			i += n
		}
		if current != none {
			yield(word{start, len(text), current})
		}
	}
}

// isContraction reports whether the text after an apostrophe belongs to the word before
// it, as in don't, robot's and they've. In l'été and O'Neill a new word follows.
func isContraction(text string) bool {
	letters := 0
	for _, r := range text {
		if scriptOf(r, latin) != latin {
			break
		}
		if letters++; letters > 2 {
			return false
		}
	}
	return letters > 0
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == '＇' }

// scriptOf returns the script of r after a character of script before. Digits and marks
// belong to the script of their word.
func scriptOf(r rune, before script) script {
	if r < utf8.RuneSelf {
		switch {
		case 'a' <= r|0x20 && r|0x20 <= 'z':
			return latin
		case '0' <= r && r <= '9':
			if before == cyrillic || before == otherScript {
				return before
			}
			return latin
		}
		return none
	}
	switch {
	case r >= 0xAC00 && r <= 0xD7A3, r >= 0x1100 && r <= 0x11FF, r >= 0x3130 && r <= 0x318F:
		return hangul
	case r >= 0x0400 && r <= 0x052F:
		return cyrillic
	case r >= 0x00C0 && r <= 0x024F && r != '×' && r != '÷', r >= 0x1E00 && r <= 0x1EFF, r >= 0xFF21 && r <= 0xFF5A &&
		unicode.IsLetter(r):
		return latin
	case r >= 0x3041 && r <= 0x30FF && r != '・', r >= 0x3400 && r <= 0x9FFF, r >= 0xF900 && r <= 0xFAFF, r >= 0x20000 &&
		r <= 0x3FFFF:
		return han
	case unicode.IsMark(r):
		return before // none if there is no letter before
	case unicode.IsLetter(r), unicode.IsNumber(r):
		if unicode.Is(unicode.Latin, r) || unicode.IsNumber(r) && before == latin {
			return latin
		}
		return otherScript
	}
	return none
}
