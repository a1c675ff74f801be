package index

import (
	"cmp"
	"container/heap"
	"context"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/search"
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
)

// A ranker scores the pages that match a query. Pages must come in the order of their
// internal numbers.
type ranker struct {
	ctx    context.Context
	reader *scorch.IndexSnapshot
	words  []rankedWord
	order  *cursor // over all pages, for their order among equals
	open   []bleve.TermFieldReader
}

// A rankedWord is a place of a clause.
type rankedWord struct {
	text   string  // of place.text
	weight float64 // its inverse document frequency
	terms  []rankedTerm
}

// A rankedTerm is one of the possible forms of a word.
type rankedTerm struct {
	term      string
	onPage    *cursor
	inAddress *cursor
}

// newRanker returns a ranker for the positive clauses of a question.
func newRanker(ctx context.Context, r *scorch.IndexSnapshot, x *question) (k *ranker, err error) {
	pages, err := r.DocCount()
	if err != nil {
		return nil, err
	}
	k = &ranker{ctx: ctx, reader: r}
	if k.order, _, err = k.cursor(orderField, orderTerm); err != nil {
		return nil, err
	}
	for _, c := range x.clauses {
		if c.not {
			continue
		}
		for _, p := range c.places {
			if len(p.terms) == 0 {
				continue
			}
			w := rankedWord{text: p.text}
			most := uint64(0)
			for _, term := range p.terms {
				t := rankedTerm{term: term}
				n := uint64(0)
				if t.onPage, n, err = k.cursor(wordsField, term); err == nil {
					t.inAddress, _, err = k.cursor(addressField, term)
				}
				if err != nil {
					k.close()
					return nil, err
				}
				most = max(most, n)
				w.terms = append(w.terms, t)
			}
			w.weight = inverseFrequency(pages, most)
			if p.stop {
				w.weight *= stopShare
			}
			k.words = append(k.words, w)
		}
	}
	return k, nil
}

// inverseFrequency returns the weight of a word by the number of all pages, and of
// pages with the word.
func inverseFrequency(pages, with uint64) float64 {
	return math.Log(1 + (float64(pages)-float64(with)+0.5)/(float64(with)+0.5))
}

// cursor returns a cursor over the pages with a term, and the number of these pages.
func (k *ranker) cursor(field, term string) (*cursor, uint64, error) {
	r, err := k.reader.TermFieldReader(k.ctx, []byte(term), field, true, true, false)
	if err != nil {
		return nil, 0, err
	}
	k.open = append(k.open, r)
	return &cursor{reader: r}, r.Count(), nil
}

func (k *ranker) close() {
	for _, r := range k.open {
		r.Close()
	}
}

// A cursor iterates over the pages with a term.
type cursor struct {
	reader bleve.TermFieldReader
	at     *bleve.TermFieldDoc
	memory bleve.TermFieldDoc
	ended  bool
}

// seek returns the frequency of the term on a page, and the page's number of terms.
// Pages must be requested in order.
func (c *cursor) seek(id bleve.IndexInternalID) (times, length float64, err error) {
	if !c.ended && (c.at == nil || c.at.ID.Compare(id) < 0) {
		if c.at, err = c.reader.Advance(id, &c.memory); err != nil {
			return 0, 0, err
		}
		c.ended = c.at == nil
	}
	if c.ended || !c.at.ID.Equals(id) {
		return 0, 0, nil
	}
	return float64(c.at.Freq), 1 / (c.at.Norm * c.at.Norm), nil
}

// textScore returns the first half of a page's score.
func (k *ranker) textScore(id bleve.IndexInternalID) (score float64, err error) {
	for i := range k.words {
		best := 0.0
		for _, t := range k.words[i].terms {
			times, length, err := t.onPage.seek(id)
			if err != nil {
				return 0, err
			}
			value := relevance(times, length)
			if times, length, err = t.inAddress.seek(id); err != nil {
				return 0, err
			}
			if times > 0 {
				value += inAddress / (1 + addressDilutes*(length-1))
			}
			best = max(best, value)
		}
		score += best * k.words[i].weight
	}
	return score, nil
}

// relevance is the BM25 score of a word with a frequency on a page with a length.
func relevance(times, length float64) float64 {
	if times == 0 {
		return 0
	}
	return times * (saturation + 1) / (times + saturation*(1-lengthShare+lengthShare*length/usualLength))
}

// linkScore returns the score of a page from the links to it.
func (k *ranker) linkScore(url string) (score float64, err error) {
	target := targetOf(url)
	links, err := k.linking(target)
	if err != nil || links == 0 {
		return 0, err
	}
	for i := range k.words {
		most := 0.0
		for _, t := range k.words[i].terms {
			n, err := k.linking(target + t.term)
			if err != nil {
				return 0, err
			}
			most = max(most, n)
		}
		score += k.words[i].weight * inLinks * most / (most + manyLinks) * (linksAreFew + (1-linksAreFew)*most/links)
	}
	return score + popularity*math.Log1p(links), nil
}

// linking returns the number of pages with a link term.
func (k *ranker) linking(term string) (float64, error) {
	r, err := k.reader.TermFieldReader(k.ctx, []byte(term), linksField, false, false, false)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	return float64(r.Count()), nil
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
	for i := range k.words {
		text := k.words[i].text
		if utf8.RuneCountInString(text) < 2 || !strings.Contains(segment, text) {
			continue
		}
		segment = strings.Replace(segment, text, " ", 1)
		said += utf8.RuneCountInString(text)
		weight += k.words[i].weight
	}
	if letters == 0 {
		return 0
	}
	return wholeAddress * weight * min(1, float64(said)/float64(letters))
}

// A candidate is a matching page.
type candidate struct {
	id    bleve.IndexInternalID
	url   string // set for candidates with the second half
	score float64
	order float64 // among pages of the same score
}

// compare orders the better candidate first.
func (a candidate) compare(b candidate) int {
	if c := cmp.Compare(b.score, a.score); c != 0 {
		return c
	}
	if c := cmp.Compare(a.url, b.url); c != 0 {
		return c
	}
	if c := cmp.Compare(a.order, b.order); c != 0 {
		return c
	}
	return a.id.Compare(b.id)
}

// candidates is a heap with the worst candidate on top.
type candidates []candidate

func (c candidates) Len() int           { return len(c) }
func (c candidates) Less(i, j int) bool { return c[i].compare(c[j]) > 0 }
func (c candidates) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }
func (c *candidates) Push(x any)        { *c = append(*c, x.(candidate)) }

func (c *candidates) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}

// best returns the number of pages that s finds, and the best of them after the first
// from. The order does not depend on the requested number.
func (k *ranker) best(s search.Searcher, from, size int) (total int, top candidates, err error) {
	room := max(from+size, ranked)
	found := &search.SearchContext{
		DocumentMatchPool: search.NewDocumentMatchPool(s.DocumentMatchPoolSize()+1, 0),
		IndexReader:       k.reader,
	}
	for {
		if total%1024 == 0 && k.ctx.Err() != nil {
			return 0, nil, k.ctx.Err()
		}
		m, err := s.Next(found)
		if err != nil {
			return 0, nil, err
		}
		if m == nil {
			break
		}
		total++
		c := candidate{id: m.IndexInternalID}
		if c.score, err = k.textScore(c.id); err != nil {
			return 0, nil, err
		}
		if c.order, _, err = k.order.seek(c.id); err != nil {
			return 0, nil, err
		}
		if len(top) < room || c.compare(top[0]) < 0 {
			c.id = slices.Clone(c.id) // the searcher reuses its memory
			if heap.Push(&top, c); len(top) > room {
				heap.Pop(&top)
			}
		}
		found.DocumentMatchPool.Put(m)
	}
	slices.SortFunc(top, candidate.compare)
	first := top[:min(ranked, len(top))]
	for i := range first {
		if err := k.complete(&first[i]); err != nil {
			return 0, nil, err
		}
	}
	slices.SortFunc(first, candidate.compare)
	return total, top[min(from, len(top)):min(from+size, len(top))], k.ctx.Err()
}

// complete adds the second half of the score.
func (k *ranker) complete(c *candidate) (err error) {
	if c.url, err = k.reader.ExternalID(c.id); err != nil {
		return err
	}
	links, err := k.linkScore(c.url)
	c.score += links + k.addressScore(c.url)
	return err
}
