package index

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The twin tells which pages a query must find. It knows nothing of indexes and
// scores: it looks through all pages, and has of the package only how a word
// becomes a term.

// twinWord is a word of a page: what stands at a place, and where that is.
type twinWord struct {
	terms []string // more than one where a syllable is indexed too
	place int
}

// twinPage is the words of a page, with no two passages near each other unless
// they are joined.
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
			words = append(words, twinWord{[]string{t.term}, place + t.position})
		}
		place += n
	}
	add(p.Title, Title, false)
	add(p.Description, Description, false)
	for _, k := range p.Keywords {
		add(k, Keywords, false)
	}
	for i, passage := range p.Passages {
		add(passage.Text, passage.Construct, passage.Joined && i > 0)
	}
	return words
}

// twinClause is what stands between blanks of a query, or in quotes.
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

// twinTerms returns what a word of a query may be on a page, and whether it is a
// word that all pages have.
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

// twinFinds tells whether a query finds a page.
func twinFinds(query []twinClause, p *Page) bool {
	manners := []manner{asEnglish, asSpanish, plain}
	for _, c := range query {
		if c.lang != "" && !c.not {
			manners = []manner{mannerOf(c.lang)}
			break
		}
	}
	page := twinPage(p)
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

// twinStands tells whether words stand on a page one after the other. Of several,
// those that all pages have may be any word, unless all are such.
func twinStands(words []string, page []twinWord, manners []manner) bool {
	all := true
	for _, w := range words {
		_, stop := twinTerms(w, manners)
		all = all && stop
	}
	at := func(place int, word string) bool {
		terms, stop := twinTerms(word, manners)
		if stop && !all {
			return true
		}
		return slices.ContainsFunc(page, func(w twinWord) bool {
			return w.place == place && slices.ContainsFunc(w.terms, func(t string) bool { return slices.Contains(terms, t) })
		})
	}
	for _, w := range page {
		for shift := range words {
			stands := true
			for i, word := range words {
				stands = stands && at(w.place-shift+i, word)
			}
			if stands {
				return true
			}
		}
	}
	return false
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
		p := &Page{
			URL:         fmt.Sprintf("https://%s/%d", []string{"a.test", "www.a.test", "b.test"}[random.IntN(3)], i),
			Language:    lang,
			Title:       text(3),
			Description: text(3),
		}
		if random.IntN(4) == 0 {
			p.Keywords = []string{text(3), text(3)}
		}
		for range random.IntN(4) {
			p.Passages = append(p.Passages, Passage{Construct: Construct(random.IntN(len(constructs))), Text: text(8), Joined: random.IntN(2) == 0})
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
			// One word for the twin, also where it has an apostrophe.
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

// TestTwin asks random queries about random pages, some of which were put before
// with other words, or removed and put again.
func TestTwin(t *testing.T) {
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
		for range 300 {
			query := ask(random)
			var want []string
			for _, p := range pages {
				if twinFinds(query, p) {
					want = append(want, p.URL)
				}
			}
			slices.Sort(want)
			text := ""
			for _, c := range query {
				text += c.String() + " "
			}
			r, err := x.Search(context.Background(), Query{Text: text, Size: mostHits})
			if errors.As(err, new(*QueryError)) && !slices.ContainsFunc(query, func(c twinClause) bool { return !c.not }) {
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			var got []string
			for _, h := range r.Hits {
				got = append(got, h.URL)
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
