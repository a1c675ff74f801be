package index

import (
	"iter"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/analysis/lang/es"
	"github.com/blevesearch/bleve/v2/analysis/lang/ru"
	"github.com/blevesearch/bleve/v2/analysis/token/porter"
)

// A manner is a way to make terms of words: by their letters, and for Latin ones
// by the language that they are in.
type manner uint8

const (
	plain      manner = iota // folded, and no more
	asEnglish                // stemmed by Porter's rules
	asSpanish                // stemmed lightly
	asRussian                // Cyrillic letters
	bySyllable               // Hangul
	byPair                   // Chinese and Japanese
)

// mannerOf returns the manner for words in Latin letters on a page of this
// language. English ones stand on pages in other letters.
func mannerOf(language string) manner {
	switch language {
	case spanish:
		return asSpanish
	case english, korean, russian, "":
		return asEnglish
	}
	return plain
}

// A token is one place of a text with the term that stands for it.
type token struct {
	term       string
	position   int // from 0 on; that of a word in Hangul has several
	start, end int // bytes in the text
	stop       bool
	manner     manner
}

const (
	maxWord     = 128     // bytes; what is longer is data, not words
	maxRemember = 1 << 15 // words of each manner
)

// An analyser makes terms of texts. It remembers those of words, as making them
// takes longer than all else. It is for one goroutine at a time.
type analyser struct {
	known  [asRussian + 1]map[string]term
	tokens []token // to be used again
	counts counts
}

type term struct {
	text string
	stop bool // nearly all pages of the language have it
}

func newAnalyser() *analyser {
	a := new(analyser)
	for i := range a.known {
		a.known[i] = make(map[string]term)
	}
	return a
}

// term returns the term of a word.
func (a *analyser) term(word string, m manner) term {
	t, ok := a.known[m][word]
	if !ok {
		if len(a.known[m]) >= maxRemember {
			clear(a.known[m])
		}
		t = termOf(word, m)
		a.known[m][string([]byte(word))] = t // not a part of a page
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
	stream := analysis.TokenStream{{Term: []byte(word)}}
	for _, f := range rules.filters {
		stream = f.Filter(stream)
	}
	return term{string(stream[0].Term), false}
}

// manners has what the languages bring: Bleve's stemmers and lists of words.
var manners = [...]struct {
	filters []analysis.TokenFilter
	stop    map[string]bool // folded
}{
	plain:     {},
	asEnglish: {[]analysis.TokenFilter{en.NewPossessiveFilter(), porter.NewPorterStemmer()}, stopWords(en.EnglishStopWords)},
	asSpanish: {[]analysis.TokenFilter{loanPlural{}, es.NewSpanishLightStemmerFilter()}, stopWords(es.SpanishStopWords)},
	asRussian: {[]analysis.TokenFilter{ru.NewRussianStemmerFilter()}, stopWords(ru.RussianStopWords)},
}

// stopWords reads a list of Bleve.
func stopWords(list []byte) map[string]bool {
	words := analysis.NewTokenMap()
	if err := words.LoadBytes(list); err != nil {
		panic(err) // it is compiled in
	}
	stop := make(map[string]bool)
	for word := range words {
		stop[fold(word)] = true
	}
	return stop
}

// loanPlural cuts the plural s after a consonant, as Spanish has it in words that
// it borrows: robots, bots, blogs. The light stemmer knows that after a vowel
// only.
type loanPlural struct{}

// Filter implements the interface of Bleve for filters.
func (loanPlural) Filter(input analysis.TokenStream) analysis.TokenStream {
	for _, t := range input {
		n := len(t.Term)
		if n < 4 || t.Term[n-1] != 's' {
			continue
		}
		switch t.Term[n-2] {
		case 'b', 'c', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 't', 'w':
			t.Term = t.Term[:n-1]
		}
	}
	return input
}

// analyse returns the tokens of a text, in its order, and how many positions it
// has. The tokens are good until the next call.
func (a *analyser) analyse(text string, latinManner manner) (tokens []token, positions int) {
	a.tokens = a.tokens[:0]
	for w := range wordsOf(text) {
		start, end, word := w.start, w.end, text[w.start:w.end]
		switch w.script {
		case hangul:
			positions += a.syllables(text, start, end, positions)
			continue
		case han:
			positions += a.pairs(text, start, end, positions, byPair)
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
				a.tokens = append(a.tokens, token{t.text, positions, start, end, t.stop, m})
			}
		}
		positions++
	}
	return a.tokens, positions
}

// syllables adds the pairs of syllables of a word in Hangul. One that is a single
// syllable with a particle has that syllable too.
func (a *analyser) syllables(text string, start, end, position int) (positions int) {
	word := text[start:end]
	_, first := utf8.DecodeRuneInString(word)
	if first < len(word) && len(word) <= 5*first {
		if stem := koreanStem(word); len(stem) == first {
			a.tokens = append(a.tokens, token{stem, position, start, start + first, false, bySyllable})
		}
	}
	return a.pairs(text, start, end, position, bySyllable)
}

// pairs adds each character with the one after it, or the only one.
func (a *analyser) pairs(text string, start, end, position int, m manner) (positions int) {
	_, n := utf8.DecodeRuneInString(text[start:end])
	if start+n == end {
		a.tokens = append(a.tokens, token{text[start:end], position, start, end, false, m})
		return 1
	}
	for i, next := start, start+n; next < end; positions++ {
		_, n := utf8.DecodeRuneInString(text[next:end])
		a.tokens = append(a.tokens, token{text[i : next+n], position + positions, i, next + n, false, m})
		i, next = next, next+n
	}
	return positions
}

// A script is a kind of letters.
type script uint8

const (
	none script = iota
	latin
	cyrillic
	hangul
	han // and kana
	otherScript
)

// A word is a part of a text: letters and digits of one script, with marks on
// them and contractions.
type word struct {
	start, end int // bytes
	script     script
}

// wordsOf goes through the words of a text.
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

// isContraction tells whether what follows an apostrophe belongs to the word
// before it, as the letters of don't, robot's and they've do. In l'été and O'Neill
// a word of its own follows.
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

// scriptOf returns the script of r after a character of another. Digits and marks
// go with the word that they are in.
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
	case r >= 0x00C0 && r <= 0x024F && r != '×' && r != '÷', r >= 0x1E00 && r <= 0x1EFF, r >= 0xFF21 && r <= 0xFF5A && unicode.IsLetter(r):
		return latin
	case r >= 0x3041 && r <= 0x30FF && r != '・', r >= 0x3400 && r <= 0x9FFF, r >= 0xF900 && r <= 0xFAFF, r >= 0x20000 && r <= 0x3FFFF:
		return han
	case unicode.IsMark(r):
		return before // none where there is no letter before
	case unicode.IsLetter(r), unicode.IsNumber(r):
		if unicode.Is(unicode.Latin, r) || unicode.IsNumber(r) && before == latin {
			return latin
		}
		return otherScript
	}
	return none
}
