package index

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Snippet is an excerpt of a page with the words of the query. It is empty if the
// page may not be quoted.
type Snippet struct {
	Text  string `json:"text"` // as on the page, with white space as single blanks, and "…" where it was cut
	Marks []Mark `json:"marks,omitempty"`
}

// A Mark is the range of a query word in a text: from the byte Start up to but not
// including the byte End.
type Mark struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Marked returns the text in a form safe for a terminal, with open before each word of
// the query, and shut after it.
func (s Snippet) Marked(open, shut string) string {
	var b strings.Builder
	end := 0
	for _, m := range s.Marks {
		b.WriteString(printable.Text(s.Text[end:m.Start]) + open + printable.Text(s.Text[m.Start:m.End]) + shut)
		end = m.End
	}
	return b.String() + printable.Text(s.Text[end:])
}

const (
	usualSnippet = 200   // characters
	leastCut     = 3     // characters of the shortest snippet with room for an ellipsis at each end
	ellipsis     = "…"   // at a cut
	between      = " · " // between passages that are not joined
)

// hit returns a hit with the stored data of its page.
func (a *analyser) hit(url string, score float64, s *resultData, asked *question) Hit {
	f := newFinder(a, asked, mannerOf(s.Language))
	path, _ := addressOf(url)
	f.quote(resultPassage{Text: s.Title, Construct: Title})
	f.quote(resultPassage{Text: path, Construct: Address})
	f.quote(resultPassage{Text: s.Keywords, Construct: Keywords})
	description := f.quote(resultPassage{Text: s.Description, Construct: Description})
	text := f.quote(s.Passages...)
	limit := usualSnippet
	if s.MaxSnippet > 0 {
		limit = min(limit, s.MaxSnippet)
	}
	if description.best(limit).words > text.best(limit).words || text.text == "" {
		text = description
	}
	return Hit{URL: url, Title: s.Title, Snippet: text.snippet(limit), Score: score, Language: s.Language,
		FetchedAt: s.FetchedAt, ETag: s.ETag, Digest: s.Digest, Why: f.why()}
}

// A finder finds the clauses of a question in texts.
type finder struct {
	analyser *analyser
	manner   manner
	clauses  []*clause
	firsts   map[string][]int // indexes of clauses by their possible first terms
	in       []map[Construct]bool
}

func newFinder(a *analyser, asked *question, m manner) *finder {
	f := &finder{analyser: a, manner: m, firsts: make(map[string][]int)}
	for i := range asked.clauses {
		c := &asked.clauses[i]
		if c.not {
			continue
		}
		for _, t := range c.places[0].terms {
			f.firsts[t] = append(f.firsts[t], len(f.clauses))
		}
		f.clauses = append(f.clauses, c)
		f.in = append(f.in, make(map[Construct]bool))
	}
	return f
}

// A find is a range of a text where a clause matches.
type find struct {
	clause     int
	start, end int // bytes
}

// look returns the matches of the clauses in a text.
func (f *finder) look(text string) (found []find) {
	tokens, _ := f.analyser.analyse(text, f.manner)
	for i, t := range tokens {
		for _, n := range f.firsts[t.term] {
			if end, ok := follows(tokens[i:], f.clauses[n].places); ok {
				found = append(found, find{n, t.start, end})
			}
		}
	}
	return found
}

// follows reports whether tokens match places, and returns the end of the last one. The
// first token is known to match the first place.
func follows(tokens []token, places []place) (end int, ok bool) {
	at, end := tokens[0].position, tokens[0].end
	i := 0
	for n, p := range places[1:] {
		if len(p.terms) == 0 {
			continue
		}
		matched := false
		for ; i < len(tokens) && tokens[i].position <= at+n+1 && !matched; i++ {
			if tokens[i].position == at+n+1 && slices.Contains(p.terms, tokens[i].term) {
				matched, end = true, tokens[i].end
			}
		}
		if !matched {
			return 0, false
		}
	}
	return end, true
}

// quote returns a quote of passages, and keeps the constructs of its matches. A phrase may
// span joined passages.
func (f *finder) quote(passages ...resultPassage) *quote {
	var b strings.Builder
	q := new(quote)
	for first, last := 0, 0; first < len(passages); first = last {
		if first > 0 {
			b.WriteString(between)
		}
		start := b.Len()
		var ends []int // of the passages
		for ; last == first || last < len(passages) && passages[last].Joined; last++ {
			if last > first {
				b.WriteByte(' ')
			}
			b.WriteString(passages[last].Text)
			ends = append(ends, b.Len())
		}
		for _, found := range f.look(b.String()[start:]) {
			found.start, found.end = found.start+start, found.end+start
			n, _ := slices.BinarySearch(ends, found.start+1)
			f.in[found.clause][passages[first+n].Construct] = true
			q.found = append(q.found, found)
		}
	}
	q.text = b.String()
	return q
}

// why returns the constructs of each clause.
func (f *finder) why() (why []Found) {
	for i, c := range f.clauses {
		in := slices.SortedFunc(maps.Keys(f.in[i]), func(a, b Construct) int {
			return cmp.Or(cmp.Compare(constructs[b].weight, constructs[a].weight), cmp.Compare(b, a))
		})
		found := Found{Words: c.text}
		for _, construct := range in {
			found.In = append(found.In, construct.String())
		}
		found.In = slices.Compact(found.In)
		why = append(why, found)
	}
	return why
}

// A quote is a text that may be shown, with its matches.
type quote struct {
	text  string
	found []find
}

// A window is a part of a quote.
type window struct {
	first, last int // indexes in found
	words       int // number of clauses in it
	count       int // number of finds in it
}

// best returns the window with the most clauses, and among these the most finds, that
// fits into a snippet; the first one wins.
func (q *quote) best(limit int) (best window) {
	in := make(map[int]int)
	w := window{}
	for w.last = range q.found {
		in[q.found[w.last].clause]++
		for w.first < w.last && after(q.text, q.found[w.first].start, limit*3/4) < q.found[w.last].end {
			c := q.found[w.first].clause
			if in[c]--; in[c] == 0 {
				delete(in, c)
			}
			w.first++
		}
		w.words, w.count = len(in), w.last-w.first+1
		if w.words > best.words || w.words == best.words && w.count > best.count {
			best = w
		}
	}
	return best
}

// snippet returns the best part of the quote, at most limit characters.
func (q *quote) snippet(limit int) (s Snippet) {
	start, end := 0, len(q.text)
	if after(q.text, 0, limit) < end {
		start, end = q.cut(limit)
	}
	s.Text = q.text[start:end]
	offset := -start
	if start > 0 && limit >= leastCut {
		s.Text = ellipsis + s.Text
		offset += len(ellipsis)
	}
	if end < len(q.text) && limit >= leastCut {
		s.Text += ellipsis
	}
	for _, f := range q.found {
		m := Mark{f.start + offset, f.end + offset}
		if f.start < start || f.end > end {
			continue
		}
		if n := len(s.Marks); n > 0 && m.Start <= s.Marks[n-1].End {
			s.Marks[n-1].End = max(s.Marks[n-1].End, m.End) // pairs of syllables overlap
			continue
		}
		s.Marks = append(s.Marks, m)
	}
	return s
}

// cut returns the range of the text to show, at word boundaries if possible: with an
// ellipsis at each end it has at most limit characters.
func (q *quote) cut(limit int) (start, end int) {
	room := limit
	if limit >= leastCut {
		room -= 2
	}
	if w := q.best(limit); w.words > 0 {
		from := q.found[w.first].start
		start = q.begin(from, max(0, room-utf8.RuneCountInString(q.text[from:q.found[w.last].end]))/3)
	}
	end = after(q.text, start, room)
	if end < len(q.text) && q.text[end] != ' ' {
		if i := strings.LastIndexByte(q.text[start:end], ' '); i > (end-start)/2 {
			end = start + i
		}
	}
	return start, start + len(strings.TrimRight(q.text[start:end], " ·"))
}

// begin returns where to begin a snippet whose first find begins at from: at a passage or
// a word, at most n characters before.
func (q *quote) begin(from, n int) int {
	start := from
	for ; n > 0 && start > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(q.text[:start])
		start -= size
	}
	if start == 0 {
		return 0
	}
	if i := strings.LastIndex(q.text[start:from], between); i >= 0 {
		return start + i + len(between)
	}
	if i := strings.IndexByte(q.text[start:from], ' '); i >= 0 {
		return start + i + 1
	}
	return from
}

// after returns the offset n characters after another offset, or the end of the text.
func after(text string, from, n int) int {
	for ; n > 0 && from < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[from:])
		from += size
	}
	return from
}
