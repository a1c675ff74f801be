package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/lint"
)

// lensTitles returns the texts of all lenses, with their lines.
func lensTitles(t *testing.T, d *document) (all []string) {
	t.Helper()
	found, err := lensesOf(d, nil, documentParams{})
	fatal.If(t, err)
	for _, lens := range found.([]codeLens) {
		resolved, err := resolve(d, nil, lensParams{lens})
		if err != nil {
			t.Fatalf("%q: line %d: %v", d.text.content, lens.Data.Line, err)
		}
		c := resolved.(codeLens).Command
		if c.Title == "" || !printable.IsText(c.Title) || lens.Range.Start.Line != lens.Data.Line-1 {
			t.Fatalf("%q: lens %+v with title %q", d.text.content, lens, c.Title)
		}
		all = append(all, fmt.Sprintf("%d: %s", lens.Data.Line, c.Title))
	}
	return all
}

// slowReaders returns the known robots of each group, by its index. It asks package agent for the
// group of each robot.
func slowReaders(d *document) map[int][]string {
	starts := make(map[int]int) // groups by their first lines
	for number, l := range d.policy().Lines() {
		if l.Kind == robots.UserAgent && len(starts) == l.Group {
			starts[number] = l.Group
		}
	}
	readers := make(map[int][]string)
	for a := range d.options.Robots.All() {
		for _, line := range d.options.Robots.SubjectNamed(a.Token).Group(d.policy()).Lines() {
			readers[starts[line]] = append(readers[starts[line]], a.Token)
		}
	}
	return readers
}

func askLenses(t *testing.T, d *document) {
	t.Helper()
	want := slowReaders(d)
	for i, g := range d.policy().Groups() {
		if got := slices.Sorted(slices.Values(d.facts.readersOf(g.Agents()))); !slices.Equal(got,
			slices.Sorted(slices.Values(want[i]))) {
			t.Fatalf("%q: group %d has the robots %q, want %q", d.text.content, i, got, want[i])
		}
	}
	lensTitles(t, d)
}

func lensDocument(t *testing.T, text, language string) *document {
	t.Helper()
	table, err := agent.ParseTable([]byte(`{"robots": [
		{"token": "ExampleOneBot", "operator": "Example"}, {"token": "ExampleTwoBot", "operator": "Example"},
		{"token": "ExampleThreeBot", "operator": "Example"}, {"token": "ExampleFourBot", "operator": "Example"}
	]}`))
	fatal.If(t, err)
	return testDocument(text, utf16Units, lint.Options{Robots: table, Language: language})
}

// The lenses of groups and rules of all kinds.
func TestLenses(t *testing.T) {
	const text = "User-agent: ExampleOneBot\nUser-agent: Else\nDisallow: /\nDisallow: /a\n\nUser-agent: *\nAllow: /b\nDisallow: /c/d\nDisallow: /c\nDisallow: /e\nAllow: /e*\n\n" +
		"User-agent: Nobody\nDisallow: /\n\nUser-agent: Nobody2\nAllow: /x/y\nAllow: /x\nDisallow: /\n\n" +
		"User-agent: ExampleTwoBot\nUser-agent: ExampleThreeBot\nUser-agent: ExampleFourBot\nUser-agent: GPTBot\nDisallow: /y\n"
	for language, want := range map[string][]string{
		"en": {
			"1: closes the site to 1 known robot: ExampleOneBot",
			"4: says nothing new: line 3 closes these paths, too",
			"6: for COUNT known robots",
			"7: says nothing new: without it no answer changes",
			"8: says nothing new: line 9 closes these paths, too",
			"10: never decides: line 11 does",
			"11: says nothing new: without it no answer changes",
			"13: closes the site, but to no known robot",
			"16: for no known robot",
			"17: says nothing new: line 18 opens these paths, too",
			"21: for 4 known robots: ExampleTwoBot, ExampleThreeBot, ExampleFourBot, …",
		},
		"es": {"1: cierra el sitio a 1 robot conocido: ExampleOneBot"},
		"ko": {"1: 알려진 로봇 1개에 사이트를 닫음: ExampleOneBot"},
		"ru": {"1: закрывает сайт для известных роботов (1): ExampleOneBot"},
	} {
		d := lensDocument(t, text, language)
		got := lensTitles(t, d)
		want[min(2, len(want)-1)] = strings.Replace(want[min(2, len(want)-1)], "COUNT",
			fmt.Sprint(len(slowReaders(d)[1])), 1)
		if got = got[:min(len(got), len(want))]; !slices.Equal(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", language, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// A lens of an older version of the document, or of a line without a lens, is refused or empty.
func TestLensOutdated(t *testing.T) {
	d := lensDocument(t, "User-agent: *\nDisallow:\n", "")
	for _, data := range []lensData{{d.uri, d.serial + 1, 1}, {d.uri, d.serial, 0}, {d.uri, d.serial, 9}} {
		if _, err := resolve(d, nil, lensParams{codeLens{Data: data}}); err == nil {
			t.Errorf("%v is resolved", data)
		}
	}
}

// The lenses of a file of 30,000 rules: groups have theirs, up to a limit, and rules are not
// compared.
func TestManyLenses(t *testing.T) {
	d := testDocument(strings.Repeat("User-agent: *\nDisallow: /a\nDisallow: /a\n", 15_000), utf16Units, lint.Options{})
	found, err := lensesOf(d, nil, documentParams{})
	if err != nil || len(found.([]codeLens)) != maxLenses {
		t.Fatalf("got %d lenses, %v", len(found.([]codeLens)), err)
	}
	last := found.([]codeLens)[maxLenses-1]
	resolved, err := resolve(d, nil, lensParams{last})
	if err != nil || !strings.HasPrefix(resolved.(codeLens).Command.Title, "for ") {
		t.Errorf("got %v, %v", resolved, err)
	}
}

// The time for the lenses of a file with as many rules as are compared, and for one of them.
func BenchmarkLenses(b *testing.B) {
	var text strings.Builder
	for i := range maxLensRules / 40 {
		fmt.Fprintf(&text, "User-agent: bot%d\n", i)
		for n := range 39 {
			fmt.Fprintf(&text, "Disallow: /shop/%d/*/%d\n", n%30, i)
		}
	}
	policy := robots.Parse([]byte(text.String()))
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			d := testDocument(policy.String(), utf16Units, lint.Options{})
			lensesOf(d, nil, documentParams{})
		}
	})
	b.Run("resolve", func(b *testing.B) {
		d := testDocument(policy.String(), utf16Units, lint.Options{})
		found, _ := lensesOf(d, nil, documentParams{})
		last := found.([]codeLens)[len(found.([]codeLens))-1]
		for b.Loop() {
			resolve(d, nil, lensParams{last})
		}
	})
}
