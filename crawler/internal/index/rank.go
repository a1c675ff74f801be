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

// A ranker scores the pages that match a query. Pages must come in the order of their
// internal numbers.
type ranker struct {
	ctx     context.Context
	reader  *scorch.IndexSnapshot
	words   []rankedWord
	order   *cursor // over all pages, for their order among equals
	cursors []*cursor
	err     error // the last of reading the index
}

// A rankedWord is a place of a clause.
type rankedWord struct {
	text   string  // of place.text
	weight float64 // its inverse document frequency
	terms  []rankedTerm
}

// A rankedTerm is one of the possible forms of a word.
type rankedTerm struct {
	term              string
	onPage, inAddress *cursor
}

// newRanker returns a ranker for the positive clauses of a question.
func newRanker(ctx context.Context, r *scorch.IndexSnapshot, x *question) (*ranker, error) {
	pages, err := r.DocCount()
	k := &ranker{ctx: ctx, reader: r, err: err}
	k.order = k.cursor(orderField, orderTerm)
	for _, c := range x.clauses {
		for _, p := range c.places {
			if !c.not && len(p.terms) > 0 {
				k.words = append(k.words, k.word(p, pages))
			}
		}
	}
	if k.err != nil {
		k.close()
	}
	return k, k.err
}

// word returns a place of a clause with its weight in an index with this number of pages.
func (k *ranker) word(p place, pages uint64) rankedWord {
	w := rankedWord{text: p.text}
	with := uint64(0)
	for _, term := range p.terms {
		t := rankedTerm{term, k.cursor(wordsField, term), k.cursor(addressField, term)}
		if t.onPage.reader != nil {
			with = max(with, t.onPage.reader.Count())
		}
		w.terms = append(w.terms, t)
	}
	w.weight = math.Log(1 + (float64(pages)-float64(with)+0.5)/(float64(with)+0.5))
	if p.stop {
		w.weight *= stopShare
	}
	return w
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
	for _, w := range k.words {
		best := 0.0
		for _, t := range w.terms {
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

// linkScore returns the score of a page from the links to it.
func (k *ranker) linkScore(url string) (score float64) {
	target := targetOf(url)
	links := k.linking(target)
	if links == 0 {
		return 0
	}
	for _, w := range k.words {
		most := 0.0
		for _, t := range w.terms {
			most = max(most, k.linking(target+t.term))
		}
		score += w.weight * inLinks * most / (most + manyLinks) * (linksAreFew + (1-linksAreFew)*most/links)
	}
	return score + popularity*math.Log1p(links)
}

// linking returns the number of pages with a link term.
func (k *ranker) linking(term string) float64 {
	r, err := k.reader.TermFieldReader(k.ctx, []byte(term), linksField, false, false, false)
	if err != nil {
		k.err = err
		return 0
	}
	defer r.Close()
	return float64(r.Count())
}

// addressScore returns the score of a query that equals the last segment of an address,
// such as "create index" for sql-createindex.html: words there are often joined.
func (k *ranker) addressScore(url string) float64 {
	segment := lastSegment(url)
	letters := 0
	for _, r := range segment {
		if scriptOf(r, latin) != none {
			letters++
		}
	}
	said, weight := 0, 0.0
	for _, w := range k.words {
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

// best returns the best pages that s finds, and the total number of pages. It returns at
// least n pages, or all if s finds fewer. The order does not depend on n.
func (k *ranker) best(s search.Searcher, n int) (hits search.DocumentMatchCollection, total uint64, err error) {
	found := collector.NewTopNCollector(max(n, ranked), 0, search.SortOrder{&search.SortScore{Desc: true}})
	scored := searcher.NewCustomScoreSearcher(k.ctx, s, k.textScore, nil, nil, nil, false)
	if err := found.Collect(k.ctx, scored, k.reader); err != nil {
		return nil, 0, err
	}
	hits = found.Results()
	for i, m := range hits {
		m.Score = math.Float64frombits(math.Float64bits(m.Score) &^ orderBits)
		if i < ranked {
			m.Score += k.linkScore(m.ID) + k.addressScore(m.ID)
		}
	}
	slices.SortFunc(hits[:min(ranked, len(hits))], func(a, b *search.DocumentMatch) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return hits, found.Total(), cmp.Or(k.err, k.ctx.Err())
}
