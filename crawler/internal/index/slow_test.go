package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// The twin computes the pages that a query must find. It has no index and no scores: it
// scans all pages, and shares with the package only the step from a word to a term.

// twinWord is a word of a page, with its position and construct.
type twinWord struct {
	term  string
	place int
	in    Construct
}

// twinPage returns the words of a page. Passages are far apart unless they are joined.
func twinPage(p *Page) (words []twinWord) {
	place := 0
	add := func(text string, c Construct, joined bool) {
		if !joined {
			place += 1000
		}
		tokens, n := newAnalyser().analyse(text, mannerOf(p.Language))
		for _, t := range tokens {
			if t.stop && (c == Text || c == Strong || c == Alt || c == Keywords || c == Description) {
				continue
			}
			words = append(words, twinWord{t.term, place + t.position, c})
		}
		place += n
	}
	add(p.Title, Title, false)
	add(twinPath(p.URL), Address, false)
	add(p.Description, Description, false)
	for _, k := range p.Keywords {
		add(k, Keywords, false)
	}
	for i, passage := range p.Passages {
		add(passage.Text, passage.Construct, passage.Joined && i > 0)
	}
	return words
}

// twinClause is a part of a query between blanks, or in quotes.
type twinClause struct {
	words       []string // each of one script
	quoted, not bool
	site, lang  string
}

func (c twinClause) String() string {
	text := strings.Join(c.words, " ")
	switch {
	case c.site != "":
		text = "site:" + c.site
	case c.lang != "":
		text = "lang:" + c.lang
	case c.quoted:
		text = `"` + text + `"`
	}
	if c.not {
		text = "-" + text
	}
	return text
}

// A twinQuery is a query with the manners of its words, and their terms.
type twinQuery struct {
	clauses []twinClause
	manners []manner
	known   map[string]twinTerms
}

// twinTerms are the possible terms of a query's word on a page.
type twinTerms struct {
	terms []string
	stop  bool
}

func newTwinQuery(clauses []twinClause) *twinQuery {
	for _, c := range clauses {
		if c.lang != "" && !c.not {
			return &twinQuery{clauses, []manner{mannerOf(c.lang)}, make(map[string]twinTerms)}
		}
	}
	return &twinQuery{clauses, []manner{asEnglish, asSpanish, plain}, make(map[string]twinTerms)}
}

func (q *twinQuery) String() (text string) {
	for _, c := range q.clauses {
		text += c.String() + " "
	}
	return text
}

// terms returns the possible terms of a query's word on a page, and whether it is a stop
// word.
func (q *twinQuery) terms(word string) ([]string, bool) {
	w, ok := q.known[word]
	if !ok {
		manners := q.manners
		if word[0] >= 0xD0 && word[0] <= 0xD3 {
			manners = []manner{asRussian}
		}
		for _, m := range manners {
			t := termOf(word, m)
			w.terms = append(w.terms, t.text)
			w.stop = w.stop || t.stop
		}
		q.known[word] = w
	}
	return w.terms, w.stop
}

// stops reports whether all words of a clause are stop words.
func (q *twinQuery) stops(c twinClause) bool {
	return !slices.ContainsFunc(c.words, func(w string) bool {
		_, stop := q.terms(w)
		return !stop
	})
}

// finds reports whether a query finds a page of these words.
func (q *twinQuery) finds(p *Page, page []twinWord) bool {
	common := func(c twinClause) bool { return c.words != nil && !c.quoted && !c.not && q.stops(c) }
	needed := slices.ContainsFunc(q.clauses, func(c twinClause) bool { return c.words != nil && !c.not && !common(c) })
	for _, c := range q.clauses {
		var found bool
		switch {
		case c.site != "":
			host := strings.Split(p.URL, "/")[2]
			found = host == c.site || strings.HasSuffix(host, "."+c.site)
		case c.lang != "":
			found = p.Language == c.lang
		case needed && common(c):
			continue
		default:
			found = q.stands(c, page)
		}
		if found == c.not {
			return false
		}
	}
	return true
}

// stands reports whether the words of a clause occur on a page one after the other. In a
// phrase of several words a stop word matches any word, unless all are stop words.
func (q *twinQuery) stands(c twinClause, page []twinWord) bool {
	all := q.stops(c)
	at := func(place int, word string) bool {
		terms, stop := q.terms(word)
		return stop && !all || slices.ContainsFunc(page, func(w twinWord) bool {
			return w.place == place && slices.Contains(terms, w.term)
		})
	}
	for _, w := range page {
		for shift := range c.words {
			stands := true
			for i, word := range c.words {
				stands = stands && at(w.place-shift+i, word)
			}
			if stands {
				return true
			}
		}
	}
	return false
}

// twinPath returns the path of a URL.
func twinPath(url string) string { return strings.Join(strings.Split(url, "/")[3:], "/") }

// A twinCorpus is all pages with their words.
type twinCorpus struct {
	pages []*Page
	words map[*Page][]twinWord
}

// has returns the frequency of a term on a page, and the number of its words.
func (x *twinCorpus) has(p *Page, term string) (times, length float64) {
	for _, w := range x.words[p] {
		if w.term == term {
			times += float64(constructs[w.in].weight)
		}
	}
	return times, float64(len(x.words[p]))
}

// links returns the number of pages that link to p, with a term or with any text.
func (x *twinCorpus) links(p *Page, term string) (n float64) {
	for _, from := range x.pages {
		if from != p && slices.ContainsFunc(from.Links, func(l Link) bool {
			return strings.TrimSuffix(l.URL, "#here") == p.URL &&
				(term == "" || slices.Contains(twinTokens(l.Text, from, false), term))
		}) {
			n++
		}
	}
	return n
}

// score returns the score of a matching page, computed from the pages and their words
// alone: it counts each number again.
func (x *twinCorpus) score(q *twinQuery, p *Page) (score float64) {
	host := strings.Split(strings.Split(p.URL, "/")[2], ".")
	address := twinTokens(strings.Join(host[:len(host)-1], " ")+" "+twinPath(p.URL), p, true)
	segment := twinSegment(p.URL)
	letters, said, saidWeight := 0, 0, 0.0
	for _, r := range segment {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			letters++
		}
	}
	all := x.links(p, "")
	for _, c := range q.clauses {
		for _, w := range c.words {
			terms, stop := q.terms(w)
			if c.not || stop && !q.stops(c) {
				continue
			}
			with, best, linking := 0.0, 0.0, 0.0
			for _, term := range terms {
				n, value := 0.0, 0.0
				for _, other := range x.pages {
					if times, _ := x.has(other, term); times > 0 {
						n++
					}
				}
				if times, length := x.has(p, term); times > 0 {
					value = times * 2.2 / (times + 1.2*(0.7+0.3*length/1000))
				}
				if slices.Contains(address, term) {
					value += 0.5 / (1 + 0.3*float64(len(address)-1))
				}
				with, best, linking = max(with, n), max(best, value), max(linking, x.links(p, term))
			}
			weight := math.Log(1 + (float64(len(x.pages))-with+0.5)/(with+0.5))
			if stop {
				weight /= 4
			}
			score += weight * best
			if all > 0 {
				score += weight * linking / (linking + 1) * (0.3 + 0.7*linking/all)
			}
			if word := fold(w); strings.Contains(segment, word) && utf8.RuneCountInString(word) > 1 {
				segment = strings.Replace(segment, word, " ", 1)
				said += utf8.RuneCountInString(word)
				saidWeight += weight
			}
		}
	}
	return score + 0.1*math.Log(1+all) + saidWeight*min(1, float64(said)/max(1, float64(letters)))
}

// twinSegment returns the last segment of a URL.
func twinSegment(url string) string {
	segments := strings.Split(strings.Trim(twinPath(url), "/"), "/")
	last := strings.TrimSuffix(segments[len(segments)-1], ".html")
	if last == "index" {
		last = segments[len(segments)-2]
	}
	return fold(last)
}

// twinTokens returns the terms of a text of a page, with or without stop words.
func twinTokens(text string, p *Page, stops bool) (terms []string) {
	tokens, _ := newAnalyser().analyse(text, mannerOf(p.Language))
	for _, t := range tokens {
		if stops || !t.stop {
			terms = append(terms, t.term)
		}
	}
	return terms
}

var twinVocabulary = map[string][]string{
	english: strings.Fields("robot robots Robot's crawl crawlers polite the and of son wait waits waiting archive"),
	spanish: strings.Fields("robot robots rastreador rastreadores el y de son espera archivo política politica"),
	russian: strings.Fields("робот роботы роботов и на файл файла ждёт ждет robots"),
	"fr":    strings.Fields("robot robots le et de archive archivé son"),
}

// corpus makes pages of few words.
func corpus(random *rand.Rand) (pages []*Page) {
	languages := []string{english, spanish, russian, "fr"}
	for i := range 1 + random.IntN(25) {
		lang := languages[random.IntN(len(languages))]
		text := func(most int) string {
			var words []string
			for range random.IntN(most) {
				words = append(words, twinVocabulary[lang][random.IntN(len(twinVocabulary[lang]))])
			}
			return strings.Join(words, " ")
		}
		path := []string{"", "robots", "politerobots.html", "архив/index.html", "de-" + text(2)}[random.IntN(5)]
		p := &Page{
			URL: fmt.Sprintf("https://%s/%d/%s", []string{"a.test", "www.a.test", "b.test"}[random.IntN(3)], i,
				strings.ReplaceAll(path, " ", "-")),
			Language:    lang,
			Title:       text(3),
			Description: text(3),
		}
		if random.IntN(4) == 0 {
			p.Keywords = []string{text(3), text(3)}
		}
		for range random.IntN(4) {
			p.Passages = append(p.Passages, Passage{Construct: Construct(random.IntN(len(constructs))), Text: text(8),
				Joined: random.IntN(2) == 0})
		}
		for range random.IntN(4) {
			l := Link{URL: "https://nowhere.test/", Text: text(3)}
			if len(pages) > 0 {
				l.URL = pages[random.IntN(len(pages))].URL + []string{"", "#here"}[random.IntN(2)]
			}
			p.Links = append(p.Links, l)
			if other := strings.TrimSuffix(l.URL, "#here"); len(pages) > 0 && random.IntN(2) == 0 {
				pages[0].Links = append(pages[0].Links, Link{URL: other, Text: text(2)})
			}
		}
		pages = append(pages, p)
	}
	return pages
}

// ask makes a query.
func ask(random *rand.Rand) *twinQuery {
	var query []twinClause
	for range 1 + random.IntN(4) {
		c := twinClause{not: random.IntN(5) == 0}
		var list []string
		for _, lang := range []string{english, spanish, russian, "fr"} {
			list = append(list, twinVocabulary[lang]...)
		}
		word := func() string {
			// This is one word for the twin, even with an apostrophe.
			return list[random.IntN(len(list))]
		}
		switch random.IntN(8) {
		case 0:
			c.site = []string{"a.test", "www.a.test", "test", "c.test"}[random.IntN(4)]
		case 1:
			c.lang = []string{english, spanish, russian, "fr"}[random.IntN(4)]
		case 2, 3:
			c.quoted = true
			for range 1 + random.IntN(3) {
				c.words = append(c.words, word())
			}
		default:
			c.words = []string{word()}
		}
		query = append(query, c)
	}
	return newTwinQuery(query)
}

// TestTwin runs random queries on random pages, some of which were replaced, or removed
// and put again.
func TestTwin(t *testing.T) {
	t.Parallel()
	rounds := 25
	if testing.Short() {
		rounds = 5
	}
	for seed := range rounds {
		random := rand.New(rand.NewPCG(uint64(seed), 1))
		x, err := Open(filepath.Join(t.TempDir(), "index"), Options{Memory: 300 + random.IntN(3000)})
		fatal.If(t, err)
		twin := &twinCorpus{corpus(random), make(map[*Page][]twinWord)}
		for _, p := range corpus(random) {
			err = errors.Join(err, x.Put(p))
			if !slices.ContainsFunc(twin.pages, func(q *Page) bool { return q.URL == p.URL }) {
				err = errors.Join(err, x.Remove(p.URL))
			}
		}
		for _, p := range twin.pages {
			err = errors.Join(err, x.Put(p))
			twin.words[p] = twinPage(p)
		}
		if err = errors.Join(err, x.Sync()); err != nil {
			t.Fatal(err)
		}
		for range 300 {
			twin.compare(t, x, ask(random))
		}
		fatal.If(t, x.Close())
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// compare compares the answers of an index and of the twin to a query.
func (x *twinCorpus) compare(t *testing.T, own *Index, q *twinQuery) {
	r, err := own.Search(context.Background(), Query{Text: q.String(), Size: MaxHits})
	if errors.As(err, new(*QueryError)) &&
		!slices.ContainsFunc(q.clauses, func(c twinClause) bool { return !c.not }) {
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	if !slices.IsSortedFunc(r.Hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) }) {
		t.Errorf("%s: the best are not first", q)
	}
	scores := make(map[string]float64)
	for _, h := range r.Hits {
		scores[h.URL] = h.Score
	}
	for _, p := range x.pages {
		score, found := scores[p.URL]
		if want := q.finds(p, x.words[p]); found != want {
			t.Errorf("%s: found %t, want %t: %+v", q, found, want, *p)
		}
		if !found {
			continue
		}
		if want := x.score(q, p); math.Abs(score-want) > 1e-5*max(1, want) {
			t.Errorf("%s: the score of %s is %v, want %v", q, p.URL, score, want)
		}
		delete(scores, p.URL)
	}
	if len(scores) > 0 {
		t.Errorf("%s: found pages that are not there: %v", q, scores)
	}
}
