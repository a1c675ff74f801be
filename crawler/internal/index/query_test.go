package index_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

func TestQuery(t *testing.T) {
	x := newIndex(t)
	texts := map[string]string{
		"https://example.com/polite":      "Polite robots wait. The robots.txt file tells User-agent lines.",
		"https://www.example.com/rude":    "Robots that are not polite do not wait",
		"https://example.org:8080/fish":   "Polite fish do not read robots.txt",
		"http://127.0.0.1:81/local":       "A local page with fish",
		"https://other.test/es":           "Los robots educados esperan",
		"file:///home/somebody/page.html": "A page on the disk",
	}
	for url, text := range texts {
		put(t, x, page(url, text))
	}
	put(t, x, &index.Page{URL: "https://example.net/band", Title: "The The",
		Passages: []index.Passage{{Text: "a band"}}})
	put(t, x, &index.Page{URL: "https://example.net/joined", Passages: []index.Passage{
		{Text: "begins here"}, {Text: "goes far", Joined: true}, {Text: "another passage"},
	}})
	synced(t, x)
	const (
		polite, rude, fish = "https://example.com/polite", "https://www.example.com/rude",
			"https://example.org:8080/fish"
		local, es, file = "http://127.0.0.1:81/local", "https://other.test/es", "file:///home/somebody/page.html"
		band, joined    = "https://example.net/band", "https://example.net/joined"
	)
	for _, test := range []struct {
		query string
		want  []string
	}{
		{"polite robots", []string{polite, rude, fish}},
		{`"polite robots"`, []string{polite}},
		{`“polite robots”`, []string{polite}},
		{`«polite robots» wait`, []string{polite}},
		{`"polite robots`, []string{polite}}, // unclosed
		{`"robots polite"`, nil},
		{`polite"wait"`, []string{polite, rude}}, // a quote needs no blank
		{"polite -fish", []string{polite, rude}},
		{`polite -"polite robots"`, []string{rude, fish}},
		{"robots.txt", []string{polite, fish}},
		{"user-agent", []string{polite}},
		{"User_Agent:", []string{polite}},
		{"agent-user", nil},
		{"robots site:example.com", []string{polite, rude}},
		{"robots site:www.example.com", []string{rude}},
		{"robots SITE:Example.COM.", []string{polite, rude}},
		{"robots site:https://example.com/some/path", []string{polite, rude}},
		{"robots site:*.example.com", []string{polite, rude}},
		{"robots -site:example.com", []string{fish, es}},
		{"site:example.org", []string{fish}},
		{"site:example.org:8080", []string{fish}},
		{"site:example.org:80", nil},
		{"site:127.0.0.1", []string{local}},
		{"site:0.0.1", nil},
		{"site:com", []string{polite, rude}},
		{"site:ample.com", nil},
		{"robots lang:es", []string{es}},
		{"robots LANG:es-MX", []string{es}},
		{"robots -lang:en", []string{es}},
		{"page disk", []string{file}},
		{"the polite", []string{polite, rude, fish}}, // a stop word
		{"the", []string{band}},                      // in a title
		{`"the the"`, []string{band}},
		{`"begins here goes far"`, []string{joined}},
		{`"far another"`, nil}, // not joined
		{"polite !!! robots ...", []string{polite, rude, fish}},
		{"zzz", nil},
		{"polite zzz", nil},
	} {
		if got := urls(search(t, x, test.query)); !slices.Equal(got, slices.Sorted(slices.Values(test.want))) {
			t.Errorf("%s: got %q, want %q", test.query, got, test.want)
		}
	}
	// Site and Language work like their operators in the text.
	r, err := x.Search(context.Background(), index.Query{Text: "robots", Site: "example.com", Language: "EN"})
	if err != nil || r.Total != 2 {
		t.Errorf("got %+v, %v", r, err)
	}
	if r, err = x.Search(context.Background(), index.Query{Text: "robots", From: 1000}); err != nil ||
		len(r.Hits) != 0 || r.Total != 4 {
		t.Errorf("beyond: %+v, %v", r, err)
	}
}

// TestWrongQueries runs invalid queries, and queries that would take long.
func TestWrongQueries(t *testing.T) {
	corpus.Unraced(t)
	x := newIndex(t)
	put(t, x, page("https://example.com/", strings.Repeat("x ", 30_000)+"aaaa* y~2 re/g.*p/"))
	synced(t, x)
	for _, test := range []struct {
		query index.Query
		want  string
	}{
		{index.Query{}, "no words"},
		{index.Query{Text: " \t"}, "no words"},
		{index.Query{Text: "!!! ..."}, "no words"},
		{index.Query{Text: `""`}, "no words"},
		{index.Query{Text: "-fish"}, "what to leave out"},
		{index.Query{Text: "-site:example.com -lang:es"}, "what to leave out"},
		{index.Query{Text: "x site:"}, "names no host"},
		{index.Query{Text: "x lang:"}, "names no language"},
		{index.Query{Text: "x lang:klingon"}, "names no language"},
		{index.Query{Text: "x", Language: "1"}, "no language"},
		{index.Query{Text: strings.Repeat("x", 2000)}, "longer than"},
		{index.Query{Text: strings.Repeat("x", 200)}, "longer than any word"},
		{index.Query{Text: strings.Repeat("x ", 40)}, "more than 32 words"},
		{index.Query{Text: `"` + strings.Repeat("x ", 100) + `"`}, "phrase"},
		{index.Query{Text: "x", From: 1 << 30}, "passed over"},
		{index.Query{Text: "x", From: -1}, "passed over"},
		{index.Query{Text: "x", Size: 1 << 30}, "returned"},
		{index.Query{Text: "x", Size: -1}, "returned"},
	} {
		r, err := x.Search(context.Background(), test.query)
		if wrong := (*index.QueryError)(nil); !errors.As(err, &wrong) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+.60v: got %+v, %v, want %q", test.query, r, err, test.want)
		}
	}
	// These are ordinary words.
	for _, query := range []string{"aaaa*", "y~2", "/g.*p/", "+x", "x^1000", "(x", `x\`, "a:b", "*", "text:x", "w:x",
		"_id:x", "\x00x", "x\xff", "\x1b[31mx", strings.Repeat(`"x `, 15) + `"`, `"` + strings.Repeat("x ", 60) + `"`} {
		if _, err := x.Search(context.Background(), index.Query{Text: query}); err != nil &&
			!errors.As(err, new(*index.QueryError)) {
			t.Errorf("%q: %v", query, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := x.Search(ctx, index.Query{Text: "x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestSnippets shows the best part of pages.
func TestSnippets(t *testing.T) {
	x := newIndex(t)
	filler := strings.Repeat("lorem ipsum dolor ", 40)
	put(t, x, &index.Page{URL: "https://example.com/long", Passages: []index.Passage{
		{Construct: index.Heading1, Text: "Robots"}, {Text: filler + "one robot here"}, {Text: filler},
		{Text: "At last the polite"}, {Construct: index.Strong, Text: "robots", Joined: true},
		{Text: "wait for a second", Joined: true}, {Text: filler},
	}})
	put(t, x, &index.Page{URL: "https://example.com/evil",
		Passages: []index.Passage{{Text: "<script>alert(1)</script> & \x1b[31m evil\u202e giraffes \u202c"}}})
	put(t, x, &index.Page{URL: "https://example.com/ko", MaxSnippet: 12,
		Passages: []index.Passage{{Text: strings.Repeat("다른 말 ", 20) + "검색로봇을 막는다"}}})
	put(t, x, &index.Page{URL: "https://example.com/one", MaxSnippet: 1,
		Passages: []index.Passage{{Text: "zebra zebra"}}})
	synced(t, x)
	show := func(query string) index.Snippet {
		t.Helper()
		r := search(t, x, query)
		if len(r.Hits) != 1 {
			t.Fatalf("%s: %d hits", query, len(r.Hits))
		}
		s := r.Hits[0].Snippet
		if n := len([]rune(s.Text)); n > 200 {
			t.Errorf("%s: %d characters", query, n)
		}
		return s
	}
	if got := show("polite robots").Marked("[", "]"); !strings.HasPrefix(got,
		"…At last the [polite] [robots] wait for a second · lorem") || !strings.HasSuffix(got, "…") {
		t.Errorf("got %q", got)
	}
	if got := show(`"polite robots wait"`).Marked("[", "]"); !strings.Contains(got, "[polite robots wait] for") {
		t.Errorf("got %q", got)
	}
	if got := show("evil giraffe").Marked("[", "]"); strings.ContainsAny(got, "\x1b\u202e") ||
		!strings.HasPrefix(got, "<script>") || !strings.Contains(got, "[giraffes]") {
		t.Errorf("got %q", got)
	}
	s := show("로봇")
	if got := s.Marked("[", "]"); len([]rune(s.Text)) > 12 || !strings.Contains(got, "[로봇]을") {
		t.Errorf("got %q", got)
	}
	if got := show("zebra").Text; len([]rune(got)) > 1 {
		t.Errorf("got %q", got)
	}
}
