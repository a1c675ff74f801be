package index

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// FuzzShow runs any query against any page, as if the page matched, and checks the
// promises of a snippet: no more characters than the page allows, marks in order, and
// only text of the page.
func FuzzShow(f *testing.F) {
	f.Add("Polite robots", "polite robots wait, and robots wait", `"polite robots" wait -fish`, 20)
	f.Add("", "Роботы посещают сайты", "робот site:example.com lang:ru", 0)
	f.Add("로봇", strings.Repeat("웹을 방문하는 검색로봇들이 ", 40), "로봇을 웹 마을", 30)
	f.Add("\x00\xff", "a\u0301b\u00ADc \u202e d’s l'été", "„a b“ «c» -\"d", 1)
	f.Add("日本", "検索ロボット 日本語", "ロボット 本", 5)
	f.Fuzz(func(t *testing.T, title, text, query string, most int) {
		a := newAnalyser()
		asked, err := a.parse(Query{Text: query})
		if err != nil {
			if !errors.As(err, new(*QueryError)) {
				t.Fatal(err)
			}
			return
		}
		for _, c := range asked.clauses {
			n := len(c.places)
			if n == 0 || len(c.places[0].terms) == 0 || len(c.places[n-1].terms) == 0 ||
				len(asked.clauses) > maxClauses {
				t.Fatalf("a clause of %q begins or ends with nothing, or there are too many: %+v", query, c)
			}
		}
		cut := strings.IndexByte(text, ',') + 1
		d, _, err := a.document(&Page{
			URL: "https://example.com/", Title: title, MaxSnippet: max(0, most),
			Passages: []Passage{{Text: text[:cut]}, {Text: text[cut:], Joined: true, Construct: Strong},
				{Text: "xyzzy", NoSnippet: true}},
		})
		fatal.If(t, err)
		var stored resultData
		for _, f := range d.Fields {
			for term, freq := range f.AnalyzedTokenFrequencies() {
				if freq.Frequency() < 1 || term == "" {
					t.Fatalf("%q is there %d times in %s", term, freq.Frequency(), f.Name())
				}
			}
			if f.Name() == storedField {
				fatal.If(t, json.Unmarshal(f.Value(), &stored))
			}
		}
		h := a.hit(d.ID(), 1, &stored, asked)
		limit := usualSnippet
		if most > 0 {
			limit = min(limit, most)
		}
		s := h.Snippet
		if n := utf8.RuneCountInString(s.Text); n > limit || !utf8.ValidString(s.Text) {
			t.Fatalf("%d characters of %d: %q", n, limit, s.Text)
		}
		if strings.Contains(s.Text, "xyzzy") && !strings.Contains(text, "xyzzy") {
			t.Fatalf("%q is shown", s.Text)
		}
		end := 0
		for _, m := range s.Marks {
			if m.Start < end || m.End <= m.Start || m.End > len(s.Text) || !utf8.ValidString(s.Text[m.Start:m.End]) {
				t.Fatalf("marks %v in %q", s.Marks, s.Text)
			}
			end = m.End
		}
		whole := oneLine(text[:cut]) + " " + oneLine(text[cut:])
		for part := range strings.SplitSeq(strings.Trim(s.Text, ellipsis), between) {
			if !strings.Contains(whole, strings.Trim(part, " ·"+ellipsis)) {
				t.Fatalf("%q is not in %q", part, whole)
			}
		}
		s.Marked("[", "]")
	})
}
