package index

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/collector"
	"github.com/blevesearch/bleve/v2/search/query"
	"github.com/blevesearch/bleve/v2/search/searcher"
	bleve "github.com/blevesearch/bleve_index_api"
)

// The score of a page is a sum over the words of the query: their score in its text, by
// BM25 with words weighted by their constructs; in its address; and in the text of
// links to it. The weights were tuned on one set of questions and evaluated on another,
// in crawler/oracle/search, where no neighbouring value is clearly better.
//
// The second half needs look-ups for each page, so only the pages ranked best by the
// first half get it.
const (
	saturation  = 1.2  // k1 of BM25: a word that is everywhere counts little more than a frequent one
	lengthShare = 0.3  // b of BM25: long pages are often those that explain a subject
	usualLength = 1000 // words of a page; fixed, so that a score does not depend on the other pages of the index
	stopShare   = 0.25 // weight of a word that nearly all pages have

	inAddress      = 0.5 // weight of a word in the address
	addressDilutes = 0.3 // how much each further word there lowers this weight
	wholeAddress   = 1.0 // weight of the last segment of the address, if the query has all of it

	inLinks     = 1.0 // weight of a word in the text of links
	manyLinks   = 1.0 // number of links at which this weight reaches a half
	linksAreFew = 0.3 // lowest share of the weight, if most links have other texts
	popularity  = 0.1 // weight of a link, on a logarithmic scale

	ranked = 200 // pages that get the second half

	orderBits = 1<<21 - 1 // of the first half: they hold orderOf instead, and sort equal pages
)

// A ranker scores the pages of one index that match a query. Pages must come in the order of
// their internal numbers.
type ranker struct {
	ctx     context.Context
	reader  *scorch.IndexSnapshot
	words   []rankedWord
	forms   [][]formCursors // of each word
	order   *cursor         // over all pages, for their order among equals
	cursors []*cursor
	err     error // the last of reading the index
}

// A rankedWord is a place of a clause that pages should have.
type rankedWord struct {
	text   string   // of place.text
	terms  []string // its possible forms
	weight float64  // its inverse document frequency
}

// formCursors iterate over the pages with one of the possible forms of a word.
type formCursors struct{ onPage, inAddress *cursor }

// places returns the places of the positive clauses that have terms.
func (x *question) places() (places []place) {
	for _, c := range x.clauses {
		for _, p := range c.places {
			if !c.not && len(p.terms) > 0 {
				places = append(places, p)
			}
		}
	}
	return places
}

// weigh returns the words of a question with their weights among pages with these counts.
func (x *question) weigh(counts *Counts) (words []rankedWord) {
	at := 0
	for _, p := range x.places() {
		with := slices.Max(counts.With[at : at+len(p.terms)])
		at += len(p.terms)
		w := rankedWord{text: p.text, terms: p.terms}
		w.weight = math.Log(1 + (float64(counts.Pages)-float64(with)+0.5)/(float64(with)+0.5))
		if p.stop {
			w.weight *= stopShare
		}
		words = append(words, w)
	}
	return words
}

// count returns the counts of a question's terms in one index.
func (x *question) count(ctx context.Context, r *scorch.IndexSnapshot) (*Counts, error) {
	pages, err := r.DocCount()
	if err != nil {
		return nil, err
	}
	c := &Counts{Pages: pages}
	for _, p := range x.places() {
		for _, term := range p.terms {
			n, err := countOf(ctx, r, wordsField, term)
			if err != nil {
				return nil, err
			}
			c.Terms, c.With = append(c.Terms, term), append(c.With, n)
		}
	}
	return c, nil
}

// countOf returns the number of pages with a term in a field.
func countOf(ctx context.Context, r *scorch.IndexSnapshot, field, term string) (uint64, error) {
	found, err := r.TermFieldReader(ctx, []byte(term), field, false, false, false)
	if err != nil {
		return 0, err
	}
	defer found.Close()
	return found.Count(), nil
}

// newRanker returns a ranker for words.
func newRanker(ctx context.Context, r *scorch.IndexSnapshot, words []rankedWord) (*ranker, error) {
	k := &ranker{ctx: ctx, reader: r, words: words}
	k.order = k.cursor(orderField, orderTerm)
	for _, w := range words {
		var forms []formCursors
		for _, term := range w.terms {
			forms = append(forms, formCursors{k.cursor(wordsField, term), k.cursor(addressField, term)})
		}
		k.forms = append(k.forms, forms)
	}
	if k.err != nil {
		k.close()
	}
	return k, k.err
}

// A cursor iterates over the pages with a term.
type cursor struct {
	reader bleve.TermFieldReader // nil if it cannot be read
	at     *bleve.TermFieldDoc   // nil before the first page and after the last one
	memory bleve.TermFieldDoc
	ended  bool
}

// cursor returns a cursor over the pages with a term.
func (k *ranker) cursor(field, term string) *cursor {
	c := new(cursor)
	r, err := k.reader.TermFieldReader(k.ctx, []byte(term), field, true, true, false)
	if err != nil {
		k.err, c.ended = err, true
		return c
	}
	c.reader = r
	k.cursors = append(k.cursors, c)
	return c
}

func (k *ranker) close() {
	for _, c := range k.cursors {
		c.reader.Close()
	}
}

// seek returns the frequency of the term of a cursor on a page, and the page's number of
// terms. Pages must be requested in order.
func (k *ranker) seek(c *cursor, id bleve.IndexInternalID) (times, length float64) {
	if !c.ended && (c.at == nil || c.at.ID.Compare(id) < 0) {
		var err error
		if c.at, err = c.reader.Advance(id, &c.memory); err != nil {
			k.err, c.at = err, nil
		}
		c.ended = c.at == nil
	}
	if c.ended || !c.at.ID.Equals(id) {
		return 0, 0
	}
	return float64(c.at.Freq), 1 / (c.at.Norm * c.at.Norm)
}

// textScore returns the first half of a page's score, with the page's order in its last
// bits.
func (k *ranker) textScore(_ context.Context, m *search.DocumentMatch) (score float64, err error) {
	for i, w := range k.words {
		best := 0.0
		for _, t := range k.forms[i] {
			value := relevance(k.seek(t.onPage, m.IndexInternalID))
			if times, length := k.seek(t.inAddress, m.IndexInternalID); times > 0 {
				value += inAddress / (1 + addressDilutes*(length-1))
			}
			best = max(best, value)
		}
		score += best * w.weight
	}
	order, _ := k.seek(k.order, m.IndexInternalID)
	last := orderBits - uint64(order)>>10 // the lowest order is the best
	return math.Float64frombits(math.Float64bits(score)&^orderBits | last), k.err
}

// relevance is the BM25 score of a word with a frequency on a page with a length.
func relevance(times, length float64) float64 {
	if times == 0 {
		return 0
	}
	return times * (saturation + 1) / (times + saturation*(1-lengthShare+lengthShare*length/usualLength))
}

// linksTo returns the number of pages that link to a page: those with any text, and for each
// term of the words those with that term.
func linksTo(ctx context.Context, r *scorch.IndexSnapshot, url string, words []place) (counts []uint64, err error) {
	target := targetOf(url)
	all, err := countOf(ctx, r, linksField, target)
	counts = append(counts, all)
	for _, w := range words {
		for _, term := range w.terms {
			n := uint64(0)
			if all > 0 && err == nil {
				n, err = countOf(ctx, r, linksField, target+term)
			}
			counts = append(counts, n)
		}
	}
	return counts, err
}

// linkScore returns the score of a page from the links to it, which linksTo has counted.
func linkScore(counts []uint64, words []rankedWord) (score float64) {
	links, at := float64(counts[0]), 1
	if links == 0 {
		return 0
	}
	for _, w := range words {
		most := float64(slices.Max(counts[at : at+len(w.terms)]))
		at += len(w.terms)
		score += w.weight * inLinks * most / (most + manyLinks) * (linksAreFew + (1-linksAreFew)*most/links)
	}
	return score + popularity*math.Log1p(links)
}

// addressScore returns the score of a query that equals the last segment of an address,
// such as "create index" for sql-createindex.html: words there are often joined.
func addressScore(url string, words []rankedWord) float64 {
	segment := lastSegment(url)
	letters := 0
	for _, r := range segment {
		if scriptOf(r, latin) != none {
			letters++
		}
	}
	said, weight := 0, 0.0
	for _, w := range words {
		n := utf8.RuneCountInString(w.text)
		if n < 2 || !strings.Contains(segment, w.text) {
			continue
		}
		segment = strings.Replace(segment, w.text, " ", 1)
		said += n
		weight += w.weight
	}
	if letters == 0 {
		return 0
	}
	return wholeAddress * weight * min(1, float64(said)/float64(letters))
}

// best returns the n best pages of one index by the first half of their scores, which keep the
// order among equals in their last bits, and the total number of pages. Pages with the same score
// even there are ordered by URL, so the n pages do not depend on how the index is stored.
func (x *question) best(ctx context.Context, r *scorch.IndexSnapshot, words []rankedWord, n int) (*Best, error) {
	for size := n + 8; ; size *= 2 {
		found, total, err := x.collect(ctx, r, words, size)
		if err != nil {
			return nil, err
		}
		if last := len(found) - 1; last >= n && uint64(last+1) < total && found[n-1].Score == found[last].Score {
			continue // some of the pages that were not collected may come before by their URLs
		}
		b := &Best{Total: total, Pages: make([]Candidate, 0, len(found))}
		for _, m := range found {
			b.Pages = append(b.Pages, Candidate{URL: m.ID, Score: m.Score})
		}
		slices.SortFunc(b.Pages, compareCandidates)
		b.Pages = b.Pages[:min(n, len(b.Pages))]
		return b, nil
	}
}

// compareCandidates orders the best first.
func compareCandidates(a, b Candidate) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.URL, b.URL))
}

// collect returns the best pages by the first half of their scores, in any order among equals, and
// the total number of pages.
func (x *question) collect(ctx context.Context, r *scorch.IndexSnapshot, words []rankedWord, size int) (
	hits search.DocumentMatchCollection, total uint64, err error) {
	must, not := x.query()
	s, err := query.NewBooleanQuery(must, nil, not).Searcher(ctx, r, nil, search.SearcherOptions{Score: "none"})
	if err != nil {
		return nil, 0, err
	}
	defer s.Close()
	k, err := newRanker(ctx, r, words)
	if err != nil {
		return nil, 0, err
	}
	defer k.close()
	found := collector.NewTopNCollector(size, 0, search.SortOrder{&search.SortScore{Desc: true}})
	scored := searcher.NewCustomScoreSearcher(ctx, s, k.textScore, nil, nil, nil, false)
	if err := found.Collect(ctx, scored, r); err != nil {
		return nil, 0, err
	}
	return found.Results(), found.Total(), cmp.Or(k.err, ctx.Err())
}

// withoutOrder returns a first half without the order among equals.
func withoutOrder(score float64) float64 {
	return math.Float64frombits(math.Float64bits(score) &^ orderBits)
}
