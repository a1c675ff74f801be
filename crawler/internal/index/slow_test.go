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
)

// The twin computes the pages that a query must find. It has no index and no scores: it
// scans all pages, and shares with the package only the step from a word to a term.

// twinWord is a word of a page, with its position and construct.
type twinWord struct {
	terms []string // several if a syllable is indexed too
	place int
	in    Construct
}

// twinPage returns the words of a page. Passages are far apart unless they are joined.
func twinPage(p *Page) (words []twinWord) {
	a := newAnalyser()
	place := 0
	add := func(text string, c Construct, joined bool) {
		if !joined {
			place += 1000
		}
		tokens, n := a.analyse(strings.Join(strings.Fields(text), " "), mannerOf(p.Language))
		for _, t := range tokens {
			if t.stop && (c == Text || c == Strong || c == Alt || c == Keywords || c == Description) {
				continue
			}
			words = append(words, twinWord{[]string{t.term}, place + t.position, c})
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

// twinTerms returns the possible terms of a query's word on a page, and whether it is a
// stop word.
func twinTerms(word string, manners []manner) (terms []string, stop bool) {
	if word[0] >= 0xD0 && word[0] <= 0xD3 {
		manners = []manner{asRussian}
	}
	for _, m := range manners {
		t := termOf(word, m)
		terms = append(terms, t.text)
		stop = stop || t.stop
	}
	return terms, stop
}

// twinFinds reports whether a query finds a page of these words.
func twinFinds(query []twinClause, p *Page, page []twinWord) bool {
	manners := []manner{asEnglish, asSpanish, plain}
	for _, c := range query {
		if c.lang != "" && !c.not {
			manners = []manner{mannerOf(c.lang)}
			break
		}
	}
	common := func(c twinClause) bool {
		for _, w := range c.words {
			if _, stop := twinTerms(w, manners); !stop {
				return false
			}
		}
		return !c.quoted
	}
	needed := false
	for _, c := range query {
		needed = needed || c.words != nil && !c.not && !common(c)
	}
	for _, c := range query {
		var found bool
		switch {
		case c.site != "":
			host := strings.Split(p.URL, "/")[2]
			found = host == c.site || strings.HasSuffix(host, "."+c.site)
		case c.lang != "":
			found = p.Language == c.lang
		case !c.not && needed && common(c):
			continue
		default:
			found = twinStands(c.words, page, manners)
		}
		if found == c.not {
			return false
		}
	}
	return true
}

// twinStands reports whether words occur on a page one after the other. In a phrase of
// several words a stop word matches any word, unless all are stop words.
func twinStands(words []string, page []twinWord, manners []manner) bool {
	all := true
	terms, stops := make([][]string, len(words)), make([]bool, len(words))
	for i, w := range words {
		terms[i], stops[i] = twinTerms(w, manners)
		all = all && stops[i]
	}
	at := func(place, word int) bool {
		if stops[word] && !all {
			return true
		}
		return slices.ContainsFunc(page, func(w twinWord) bool {
			return w.place == place && slices.ContainsFunc(w.terms,
				func(t string) bool { return slices.Contains(terms[word], t) })
		})
	}
	for _, w := range page {
		for shift := range words {
			stands := true
			for i := range words {
				stands = stands && at(w.place-shift+i, i)
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

// twinScore returns the score of a matching page, computed from the pages and their words
// alone: it counts each number again.
func twinScore(query []twinClause, pages []*Page, words map[*Page][]twinWord, p *Page) (score float64) {
	manners := []manner{asEnglish, asSpanish, plain}
	for _, c := range query {
		if c.lang != "" && !c.not {
			manners = []manner{mannerOf(c.lang)}
			break
		}
	}
	has := func(p *Page, term string) (times, length float64) {
		for _, w := range words[p] {
			if w.terms[0] == term {
				times += float64(constructs[w.in].weight)
			}
			length++
		}
		return times, length
	}
	links := func(term string) (n float64) {
		for _, q := range pages {
			for _, l := range q.Links {
				if strings.TrimSuffix(l.URL, "#here") == p.URL && q != p &&
					(term == "" || slices.Contains(twinTokens(l.Text, q), term)) {
					n++
					break
				}
			}
		}
		return n
	}
	segment := []rune(twinSegment(p.URL))
	letters, said, saidWeight := 0, 0, 0.0
	for _, r := range segment {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			letters++
		}
	}
	for _, c := range query {
		if c.not {
			continue
		}
		all := true
		for _, w := range c.words {
			_, stop := twinTerms(w, manners)
			all = all && stop
		}
		for _, w := range c.words {
			terms, stop := twinTerms(w, manners)
			if stop && !all {
				continue
			}
			with, best, linking := 0.0, 0.0, 0.0
			for _, term := range terms {
				n := 0.0
				for _, q := range pages {
					if times, _ := has(q, term); times > 0 {
						n++
					}
				}
				with = max(with, n)
				value := 0.0
				if times, length := has(p, term); times > 0 {
					value = times * 2.2 / (times + 1.2*(0.7+0.3*length/1000))
				}
				host := strings.Split(strings.Split(p.URL, "/")[2], ".")
				address := twinTokens(strings.Join(host[:len(host)-1], " ")+" "+twinPath(p.URL), p)
				if i := slices.Index(address, term); i >= 0 {
					value += 0.5 / (1 + 0.3*float64(len(twinAll(strings.Join(host[:len(host)-1], " ")+" "+
						twinPath(p.URL), p))-1))
				}
				best = max(best, value)
				linking = max(linking, links(term))
			}
			weight := math.Log(1 + (float64(len(pages))-with+0.5)/(with+0.5))
			if stop {
				weight /= 4
			}
			score += weight * best
			if n := links(""); n > 0 {
				score += weight * linking / (linking + 1) * (0.3 + 0.7*linking/n)
			}
			word := []rune(fold(w))
			if i := strings.Index(string(segment), string(word)); i >= 0 && len(word) > 1 {
				segment = []rune(string(segment)[:i] + " " + string(segment)[i+len(string(word)):])
				said += len(word)
				saidWeight += weight
			}
		}
	}
	score += 0.1 * math.Log(1+links(""))
	if letters > 0 {
		score += saidWeight * min(1, float64(said)/float64(letters))
	}
	return score
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

// twinAll returns the terms of a text of a page.
func twinAll(text string, p *Page) (terms []string) {
	tokens, _ := newAnalyser().analyse(text, mannerOf(p.Language))
	for _, t := range tokens {
		terms = append(terms, t.term)
	}
	return terms
}

// twinTokens returns the terms that are not stop words; in an address, all terms.
func twinTokens(text string, p *Page) (terms []string) {
	tokens, _ := newAnalyser().analyse(text, mannerOf(p.Language))
	for _, t := range tokens {
		if !t.stop || strings.Contains(text, "/") {
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
func ask(random *rand.Rand) (query []twinClause) {
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
	return query
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
		if err != nil {
			t.Fatal(err)
		}
		pages := corpus(random)
		for _, p := range corpus(random) {
			if err := x.Put(p); err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(pages, func(q *Page) bool { return q.URL == p.URL }) {
				if err := x.Remove(p.URL); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, p := range pages {
			if err := x.Put(p); err != nil {
				t.Fatal(err)
			}
		}
		if err := x.Sync(); err != nil {
			t.Fatal(err)
		}
		words := make(map[*Page][]twinWord)
		for _, p := range pages {
			words[p] = twinPage(p)
		}
		for range 300 {
			query := ask(random)
			var want []string
			for _, p := range pages {
				if twinFinds(query, p, words[p]) {
					want = append(want, p.URL)
				}
			}
			slices.Sort(want)
			text := ""
			for _, c := range query {
				text += c.String() + " "
			}
			r, err := x.Search(context.Background(), Query{Text: text, Size: MaxHits})
			if errors.As(err, new(*QueryError)) &&
				!slices.ContainsFunc(query, func(c twinClause) bool { return !c.not }) {
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			var got []string
			for _, h := range r.Hits {
				got = append(got, h.URL)
				i := slices.IndexFunc(pages, func(p *Page) bool { return p.URL == h.URL })
				if i < 0 {
					continue // reported below
				}
				if score := twinScore(query, pages, words, pages[i]); math.Abs(h.Score-score) > 1e-5*max(1, score) {
					t.Errorf("seed %d: %s: the score of %s is %v, want %v", seed, text, h.URL, h.Score, score)
				}
			}
			if !slices.IsSortedFunc(r.Hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) }) {
				t.Errorf("seed %d: %s: the best are not first", seed, text)
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("seed %d: %s\ngot  %q\nwant %q", seed, text, got, want)
				for _, p := range pages {
					if slices.Contains(got, p.URL) != slices.Contains(want, p.URL) {
						t.Logf("%+v", *p)
					}
				}
				break
			}
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
