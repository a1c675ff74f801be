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

// A page's score is the sum of what each word of the query finds of it: in its text, by
// BM25 over the words as weighted by their constructs; in its address; and in the text
// of links to it. The weights were set on one set of questions and judged on another, in
// oracle/search, where no neighbouring value does clearly better.
//
// The second half costs look-ups for each page, so only the best ranked of the first half
// have it.
const (
	saturation  = 1.2  // k1 of BM25: a word that stands everywhere says little more than one that stands often
	lengthShare = 0.3  // b of BM25: long pages are often those that a subject is explained on
	usualLength = 1000 // words of a page; fixed, so that a score does not change with what else is in the index
	stopShare   = 0.25 // of what a word that nearly all pages have counts

	inAddress      = 0.5 // what a word in the address counts
	addressDilutes = 0.3 // by how much less for each further word there
	wholeAddress   = 1.0 // what a last segment of the address counts that the query says whole

	inLinks     = 1.0 // what a word in the text of links counts
	manyLinks   = 1.0 // links at which that reaches a half
	linksAreFew = 0.3 // what it counts at least, where most links have other texts
	popularity  = 0.1 // what a link counts, on a logarithmic scale

	ranked = 200 // pages that have the second half
)

// A ranker scores the pages that a query matches. Pages are to come in the order of their
// internal numbers.
type ranker struct {
	ctx    context.Context
	reader *scorch.IndexSnapshot
	words  []rankedWord
	order  *cursor // of every page, its order among equals
	open   []bleve.TermFieldReader
}

// A rankedWord is a place of a clause.
type rankedWord struct {
	text   string  // of place.text
	weight float64 // its inverse document frequency
	terms  []rankedTerm
}

// A rankedTerm is one of the forms that a word may have.
type rankedTerm struct {
	term      string
	onPage    *cursor
	inAddress *cursor
}

// newRanker returns a ranker for the clauses of a question that are to be found.
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

// inverseFrequency returns how much a word tells that so many of all pages have.
func inverseFrequency(pages, with uint64) float64 {
	return math.Log(1 + (float64(pages)-float64(with)+0.5)/(float64(with)+0.5))
}

// cursor returns a cursor over the pages with a term, and how many there are.
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

// A cursor goes through the pages with a term.
type cursor struct {
	reader bleve.TermFieldReader
	at     *bleve.TermFieldDoc
	memory bleve.TermFieldDoc
	ended  bool
}

// seek returns how often a page has the term, and how many terms it has. Pages are asked
// for in their order.
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

// relevance is that of BM25 for a word that stands so many times among so many.
func relevance(times, length float64) float64 {
	if times == 0 {
		return 0
	}
	return times * (saturation + 1) / (times + saturation*(1-lengthShare+lengthShare*length/usualLength))
}

// linkScore returns what links to a page add to its score.
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

// linking returns how many pages have a term of links.
func (k *ranker) linking(term string) (float64, error) {
	r, err := k.reader.TermFieldReader(k.ctx, []byte(term), linksField, false, false, false)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	return float64(r.Count()), nil
}

// addressScore returns what a query adds that says the last segment of an address, such
// as "create index" that of sql-createindex.html: words there are often joined.
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

// A candidate is a page that matches.
type candidate struct {
	id    bleve.IndexInternalID
	url   string // of those that have the second half
	score float64
	order float64 // among those of the same score
}

// compare puts the better one first.
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

// candidates is a heap with the worst one on top.
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

// best returns how many pages s finds, and the best of them, without the first from. The
// order does not depend on how many are asked for.
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
			c.id = slices.Clone(c.id) // the searcher uses its memory again
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
