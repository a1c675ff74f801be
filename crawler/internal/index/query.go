package index

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/search/query"

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

// A question is a parsed query.
type question struct {
	clauses []clause
	filters []filter
}

// A clause is a word or a phrase that must occur on a page, or must not.
type clause struct {
	text   string // as written, without quotes
	phrase bool   // in quotes
	not    bool
	places []place // the first and the last one have terms
	common bool    // nearly all pages have its words: it need not match
}

// A place is one position of a clause. Any of its terms matches; a place without terms
// matches anything.
type place struct {
	terms []string
	text  string // the folded word; for a word of several places, at the first of them
	stop  bool
}

// A filter is a term that pages must have in a field, or must not have.
type filter struct {
	field, term string
	not         bool
}

// parse parses a query.
func (a *analyser) parse(q Query) (*question, error) {
	x := new(question)
	if err := a.read(x, q); err != nil {
		return nil, &QueryError{Text: q.Text, Reason: err.Error()}
	}
	return x, nil
}

func (a *analyser) read(x *question, q Query) error {
	switch {
	case len(q.Text) > maxQuery:
		return fmt.Errorf("it is longer than %d bytes: leave words out", maxQuery)
	case q.From < 0 || q.From > MaxPassed:
		return fmt.Errorf("at most %d hits can be passed over: add words to find what is beyond", MaxPassed)
	case q.Size < 0 || q.Size > MaxHits:
		return fmt.Errorf("at most %d hits can be returned: ask for the next ones after them", MaxHits)
	}
	x.split(normal(q.Text))
	if q.Site != "" {
		x.filters = append(x.filters, filter{siteField, q.Site, false})
	}
	if q.Language != "" {
		x.filters = append(x.filters, filter{langField, q.Language, false})
	}
	if len(x.clauses)+len(x.filters) > maxClauses {
		return fmt.Errorf("it has more than %d words: leave some out", maxClauses)
	}
	for i := range x.filters {
		if err := x.filters[i].check(); err != nil {
			return err
		}
	}
	if err := a.understand(x); err != nil {
		return err
	}
	all := len(x.clauses) + len(x.filters)
	must, _ := x.query()
	switch {
	case all == 0:
		return errors.New("it has no words: add one to look for")
	case len(must) == 0:
		return errors.New("it only says what to leave out: add a word to look for")
	}
	return nil
}

// parts finds the parts of a query: a word or a phrase in quotes, which may lack the last
// one, after "-" if pages must not have it.
var parts = regexp.MustCompile(`(-?)(?:"([^"]*)"?|“([^”]*)”?|„([^“]*)“?|«([^»]*)»?|”([^”]*)”?` +
	`|([^\s\v\x{85}\p{Z}"“„«”]+))`)

var operators = map[string]string{"site": siteField, "lang": langField}

// split adds the clauses and filters of a text as they are written.
func (x *question) split(text string) {
	for _, m := range parts.FindAllStringSubmatch(text, -1) {
		not, phrase, word := m[1] != "", strings.Join(m[2:7], ""), m[7]
		name, value, ok := strings.Cut(word, ":")
		if field := operators[strings.ToLower(name)]; ok && field != "" {
			x.filters = append(x.filters, filter{field, value, not})
		} else {
			x.clauses = append(x.clauses, clause{text: phrase + word, phrase: word == "", not: not})
		}
	}
}

// check replaces the term as it is written by that of the index.
func (f *filter) check() error {
	if f.field == siteField {
		if f.term == "" {
			return errors.New("site: names no host: write it as site:example.com")
		}
		f.term = siteTerm(f.term)
		return nil
	}
	written := f.term
	if f.term = primary(written); f.term == "" {
		return fmt.Errorf("lang:%s names no language: write it as lang:es or lang:ko", printable.Clipped(written, 20))
	}
	return nil
}

// understand finds the terms of the clauses, and leaves out those of punctuation only. It
// marks the clauses that need not match, unless the query has no others.
func (a *analyser) understand(x *question) (err error) {
	manners := mannersOf(x.filters)
	for i := range x.clauses {
		c := &x.clauses[i]
		if c.places, err = a.places(c.text, manners); err != nil {
			return err
		}
		c.common = !c.phrase && onlyStops(c.places)
		c.places = trimmed(c.places)
	}
	x.clauses = slices.DeleteFunc(x.clauses, func(c clause) bool { return len(c.places) == 0 })
	if !slices.ContainsFunc(x.clauses, func(c clause) bool { return !c.not && !c.common }) {
		for i := range x.clauses {
			x.clauses[i].common = false
		}
	}
	return nil
}

// mannersOf returns the manners that apply to words in Latin letters on the pages that
// pass filters: all manners, if these name no language.
func mannersOf(filters []filter) []manner {
	for _, f := range filters {
		if f.field == langField && !f.not {
			return []manner{mannerOf(f.term)}
		}
	}
	return []manner{asEnglish, asSpanish, plain}
}

// places returns the places of the words of a clause.
func (a *analyser) places(text string, manners []manner) (places []place, err error) {
	for w := range wordsOf(text) {
		switch word := text[w.start:w.end]; {
		case w.script == hangul:
			places = append(places, a.koreanPlaces(word)...)
		case w.script == han:
			places = append(places, a.pairPlaces(word)...)
		case len(word) > maxWord:
			return nil, fmt.Errorf("%s is longer than any word of the index", printable.Clipped(word, 20))
		default:
			places = append(places, a.placeOf(word, w.script, manners))
		}
		if len(places) > maxPlacesOf {
			return nil, fmt.Errorf("the phrase %s is too long: leave words out", printable.Clipped(text, 40))
		}
	}
	return places, nil
}

// placeOf returns the place of a word, with its terms in the manners for Latin letters or
// in that of its script.
func (a *analyser) placeOf(word string, s script, manners []manner) place {
	switch s {
	case cyrillic:
		manners = []manner{asRussian}
	case otherScript:
		manners = []manner{plain}
	}
	p := place{text: fold(word)}
	for _, m := range manners {
		t := a.term(word, m)
		p.stop = p.stop || t.stop
		p.add(t.text)
	}
	return p
}

// onlyStops reports whether nearly all pages have all words of the places.
func onlyStops(places []place) bool {
	return !slices.ContainsFunc(places, func(p place) bool { return !p.stop && len(p.terms) > 0 })
}

// trimmed returns places without those that match anything at both ends. Beside other
// words a stop word matches anything, because the text of most pages is indexed without.
func trimmed(places []place) []place {
	if !onlyStops(places) {
		for i := range places {
			if places[i].stop {
				places[i] = place{}
			}
		}
	}
	for len(places) > 0 && len(places[0].terms) == 0 {
		places = places[1:]
	}
	for len(places) > 0 && len(places[len(places)-1].terms) == 0 {
		places = places[:len(places)-1]
	}
	return places
}

// add adds a term, unless the place has it.
func (p *place) add(term string) {
	if term != "" && !slices.Contains(p.terms, term) {
		p.terms = append(p.terms, term)
	}
}

// query returns what pages must have and must not have in Bleve's form, without the
// clauses that need not match: a ranker scores their words.
func (x *question) query() (must, not []query.Query) {
	add := func(q query.Query, isNot bool) {
		if isNot {
			not = append(not, q)
		} else {
			must = append(must, q)
		}
	}
	for _, c := range x.clauses {
		if c.not || !c.common {
			add(c.query(), c.not)
		}
	}
	for _, f := range x.filters {
		add(termQuery(f.field, f.term), f.not)
	}
	return must, not
}

func (c *clause) query() query.Query {
	terms := make([][]string, len(c.places))
	for i, p := range c.places {
		if terms[i] = p.terms; len(p.terms) == 0 {
			terms[i] = []string{""} // Bleve's sign for anything
		}
	}
	if len(terms) > 1 {
		return query.NewMultiPhraseQuery(terms, wordsField)
	}
	var forms []query.Query
	for _, t := range terms[0] {
		forms = append(forms, termQuery(wordsField, t))
	}
	return query.NewDisjunctionQuery(forms)
}

func termQuery(field, term string) query.Query {
	q := query.NewTermQuery(term)
	q.SetField(field)
	return q
}

// koreanPlaces returns the places of a word in Hangul: those of its stem, and then as
// many as the particles take, which may differ on a page.
func (a *analyser) koreanPlaces(word string) []place {
	stem := koreanStem(word)
	n := utf8.RuneCountInString(word)
	places := a.pairPlaces(stem)
	if len(stem) < len(word) && utf8.RuneCountInString(stem) == 1 && n == 2 {
		places[0].add(word) // 마을 could be 마 with a particle, but is a word
	}
	for len(places) < n-1 {
		places = append(places, place{})
	}
	return places
}

// pairPlaces returns the places of a text that is indexed by pairs.
func (a *analyser) pairPlaces(text string) (places []place) {
	a.tokens = a.tokens[:0]
	a.pairs(text, 0, len(text), 0)
	for _, t := range a.tokens {
		places = append(places, place{terms: []string{t.term}})
	}
	places[0].text = text
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
