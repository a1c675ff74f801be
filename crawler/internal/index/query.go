package index

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Query is a search request. See the package comment for its syntax.
type Query struct {
	Text string

	// Language restricts the search to pages in a language, such as "es", and is the
	// language of the words. Empty means any, like a text without lang:.
	Language string

	// Site restricts the search to a host, with or without a port, or to a domain.
	// Empty means any, like a text without site:.
	Site string

	From int // hits to skip, at most 10,000
	Size int // hits to return, at most 1,000; 0 means 10
}

// Limits of a query: a query that exceeds one is an error, and not a slow search.
const (
	maxQuery    = 1 << 10 // bytes
	maxClauses  = 32      // words and phrases
	maxPlacesOf = 64      // words of a phrase, or pairs of syllables
	MaxPassed   = 10_000  // hits skipped before the returned ones
	MaxHits     = 1_000
	usualHits   = 10
)

// A QueryError is the reason why a query is invalid.
type QueryError struct {
	Text   string // the query
	Reason string // the problem and its remedy
}

// Error returns the reason, with the query.
func (e *QueryError) Error() string {
	return fmt.Sprintf("query %s: %s", printable.Quoted(e.Text, 80), e.Reason)
}

// A clause is a word or a phrase that must occur on a page, or must not.
type clause struct {
	text   string // as written, without quotes
	phrase bool   // in quotes
	not    bool
	places []place
	common bool // nearly all pages have its words: it need not match
}

// A place is one position of a clause. Any of its terms matches; a place without terms
// matches anything.
type place struct {
	terms []string
	text  string // the folded word; for a word of several places, at the first of them
	stop  bool
}

// A question is a parsed query.
type question struct {
	clauses []clause
	sites   []filter
	langs   []filter
}

// A filter is a term that pages must have in a field, or must not have.
type filter struct {
	term string
	not  bool
}

// parse parses a query.
func (a *analyser) parse(q Query) (*question, error) {
	wrong := func(format string, args ...any) error {
		return &QueryError{Text: q.Text, Reason: fmt.Sprintf(format, args...)}
	}
	switch {
	case len(q.Text) > maxQuery:
		return nil, wrong("it is longer than %d bytes: leave words out", maxQuery)
	case q.From < 0 || q.From > MaxPassed:
		return nil, wrong("at most %d hits can be passed over: add words to find what is beyond", MaxPassed)
	case q.Size < 0 || q.Size > MaxHits:
		return nil, wrong("at most %d hits can be returned: ask for the next ones after them", MaxHits)
	}
	x := new(question)
	if q.Site != "" {
		x.sites = append(x.sites, filter{term: siteTerm(q.Site)})
	}
	if q.Language != "" {
		lang := primary(q.Language)
		if lang == "" {
			return nil, wrong("%s is no language: write it as es or ko", printable.Quoted(q.Language, 20))
		}
		x.langs = append(x.langs, filter{term: lang})
	}
	if err := x.parse(normal(q.Text), wrong); err != nil {
		return nil, err
	}
	if len(x.clauses)+len(x.sites)+len(x.langs) > maxClauses {
		return nil, wrong("it has more than %d words: leave some out", maxClauses)
	}
	return x, a.understand(x, wrong)
}

// parse adds the clauses and filters of a text.
func (x *question) parse(rest string, wrong func(string, ...any) error) error {
	for {
		var c clause
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		if rest == "" {
			return nil
		}
		if after, ok := strings.CutPrefix(rest, "-"); ok {
			rest, c.not = after, true
		}
		if c.text, rest, c.phrase = cutQuoted(rest); c.phrase {
			x.clauses = append(x.clauses, c)
			continue
		}
		end := strings.IndexFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || closing[r] != 0 })
		if end < 0 {
			end = len(rest)
		}
		c.text, rest = rest[:end], rest[end:]
		switch name, value, ok := strings.Cut(c.text, ":"); {
		case ok && strings.EqualFold(name, "site"):
			if value == "" {
				return wrong("site: names no host: write it as site:example.com")
			}
			x.sites = append(x.sites, filter{siteTerm(value), c.not})
		case ok && strings.EqualFold(name, "lang"):
			lang := primary(value)
			if lang == "" {
				return wrong("lang:%s names no language: write it as lang:es or lang:ko", printable.Clipped(value, 20))
			}
			x.langs = append(x.langs, filter{lang, c.not})
		default:
			x.clauses = append(x.clauses, c)
		}
	}
}

// understand finds the terms of the clauses, and marks the clauses that need not match.
func (a *analyser) understand(x *question, wrong func(string, ...any) error) error {
	manners := mannersOf(x.langs)
	clauses := x.clauses[:0]
	required, wanted := 0, 0
	for _, c := range x.clauses {
		if err := a.place(&c, manners, wrong); err != nil {
			return err
		}
		if len(c.places) == 0 {
			continue // punctuation only
		}
		if !c.not {
			wanted++
			if !c.common {
				required++
			}
		}
		clauses = append(clauses, c)
	}
	x.clauses = clauses
	if required == 0 {
		// The query has no other words.
		for i := range clauses {
			clauses[i].common = clauses[i].common && clauses[i].not
		}
	}
	for _, f := range slices.Concat(x.sites, x.langs) {
		if !f.not {
			wanted++
		}
	}
	if wanted > 0 {
		return nil
	}
	if len(clauses)+len(x.sites)+len(x.langs) > 0 {
		return wrong("it only says what to leave out: add a word to look for")
	}
	return wrong("it has no words: add one to look for")
}

// mannersOf returns the manners that apply to words in Latin letters on pages in these
// languages: all manners, if there are no languages.
func mannersOf(langs []filter) (manners []manner) {
	for _, f := range langs {
		if !f.not {
			return []manner{mannerOf(f.term)}
		}
	}
	return []manner{asEnglish, asSpanish, plain}
}

// place finds the terms of a clause.
func (a *analyser) place(c *clause, manners []manner, wrong func(string, ...any) error) error {
	for w := range wordsOf(c.text) {
		word := c.text[w.start:w.end]
		switch w.script {
		case hangul:
			places := koreanPlaces(word)
			places[0].text = koreanStem(word)
			c.places = append(c.places, places...)
		case han:
			places := pairPlaces(word)
			places[0].text = word
			c.places = append(c.places, places...)
		default:
			if len(word) > maxWord {
				return wrong("%s is longer than any word of the index", printable.Clipped(word, 20))
			}
			p := place{text: fold(word)}
			ways := manners
			switch w.script {
			case cyrillic:
				ways = []manner{asRussian}
			case otherScript:
				ways = []manner{plain}
			}
			for _, m := range ways {
				t := a.term(word, m)
				p.stop = p.stop || t.stop
				p.add(t.text)
			}
			c.places = append(c.places, p)
		}
		if len(c.places) > maxPlacesOf {
			return wrong("the phrase %s is too long: leave words out", printable.Clipped(c.text, 40))
		}
	}
	c.common = true
	for _, p := range c.places {
		c.common = c.common && (p.stop || len(p.terms) == 0)
	}
	if !c.common {
		// The text of most pages is indexed without stop words.
		for i := range c.places {
			if c.places[i].stop {
				c.places[i] = place{}
			}
		}
	}
	for len(c.places) > 0 && len(c.places[0].terms) == 0 {
		c.places = c.places[1:]
	}
	for n := len(c.places); n > 0 && len(c.places[n-1].terms) == 0; n = len(c.places) {
		c.places = c.places[:n-1]
	}
	c.common = c.common && !c.phrase
	return nil
}

// add adds a term, unless the place has it.
func (p *place) add(term string) {
	if term != "" && !slices.Contains(p.terms, term) {
		p.terms = append(p.terms, term)
	}
}

// koreanPlaces returns the places of a word in Hangul: those of its stem, and then as
// many as the particles take, which may differ on a page.
func koreanPlaces(word string) (places []place) {
	stem := koreanStem(word)
	n := utf8.RuneCountInString(word)
	places = pairPlaces(stem)
	if len(stem) < len(word) && utf8.RuneCountInString(stem) == 1 && n == 2 {
		places[0].add(word) // 마을 could be 마 with a particle, but is a word
	}
	for len(places) < n-1 {
		places = append(places, place{})
	}
	return places
}

// pairPlaces returns the places of a text that is indexed by pairs.
func pairPlaces(text string) (places []place) {
	var before int
	for i := range text {
		if i == 0 {
			continue
		}
		_, n := utf8.DecodeRuneInString(text[i:])
		places = append(places, place{terms: []string{text[before : i+n]}})
		before = i
	}
	if places == nil {
		places = []place{{terms: []string{text}}}
	}
	return places
}

// siteTerm returns the term of a host in a query.
func siteTerm(host string) string {
	_, after, ok := strings.Cut(host, "://")
	if ok {
		host = after
	}
	host, _, _ = strings.Cut(host, "/")
	host = strings.TrimPrefix(strings.TrimSuffix(strings.ToLower(host), "."), "*.")
	if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
		host = host[1 : len(host)-1]
	}
	return host
}

// closing maps opening quotes to closing quotes.
var closing = map[rune]rune{'"': '"', '“': '”', '„': '“', '«': '»', '”': '”'}

// cutQuoted cuts a quoted phrase off the start of text. An unclosed phrase extends to
// the end.
func cutQuoted(text string) (phrase, rest string, ok bool) {
	r, n := utf8.DecodeRuneInString(text)
	end, ok := closing[r]
	if !ok {
		return "", text, false
	}
	text = text[n:]
	i := strings.IndexRune(text, end)
	if i < 0 {
		return text, "", true
	}
	return text[:i], text[i+utf8.RuneLen(end):], true
}
