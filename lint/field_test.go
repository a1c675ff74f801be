package lint

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
)

// withoutForm returns the fields whose values are checked and whose form recordForms does not
// describe. The check sitemap-url describes sitemaps.
func withoutForm(fields []robots.Field) (names []string) {
	for _, f := range fields {
		if _, ok := recordForms[f.Name]; !ok && f.Check != nil && f.Name != "Sitemap" {
			names = append(names, f.Name)
		}
	}
	return names
}

// Each field with a check has its text in bad-record, and each text its field. A made-up field
// shows that the test names a forgotten one.
func TestFieldTexts(t *testing.T) {
	for _, name := range withoutForm(robots.Fields()) {
		t.Errorf("recordForms in bad_record.go lacks a text for %s: say what its values look like, as %q does", name,
			"Crawl-delay")
	}
	for name := range recordForms {
		if f, _ := robots.FieldNamed(name); f.Name != name || f.Check == nil {
			t.Errorf("recordForms has a text for %q, which robots.Fields does not know, or does not check", name)
		}
	}
	madeUp := robots.Field{Name: "Made-up", Kind: robots.Other,
		Check: func(string) error { return errors.New("made up") }}
	if got := withoutForm([]robots.Field{madeUp}); !slices.Equal(got, []string{"Made-up"}) {
		t.Errorf("without a text: %v, want Made-up", got)
	}
}

// Each known misspelling leads to a known field, and is not a field itself.
func TestSpellings(t *testing.T) {
	for _, spellings := range []map[string]string{misspellings, translations} {
		for _, name := range slices.Sorted(maps.Keys(spellings)) {
			if f, ok := robots.FieldNamed(spellings[name]); !ok || f.Name != spellings[name] {
				t.Errorf("%q stands for %q, which robots.Fields does not know", name, spellings[name])
			}
			if _, ok := robots.FieldNamed(name); ok || name != strings.ToLower(name) {
				t.Errorf("%q is the name of a field, or not in small letters", name)
			}
		}
	}
	if got := strings.Join(commonFields, " "); got != "User-agent Disallow Allow Sitemap Crawl-delay" {
		t.Errorf("the fields of most files are %s", got)
	}
}

// A character that looks like a letter of a field is not a letter of the field.
func TestLongS(t *testing.T) {
	var got []string
	for _, d := range Run(robots.Parse([]byte("User-agent: *\nDi\u017fallow: /x\nDisallow: /y\n")),
		Options{}).Diagnostics {
		if d.Line == 2 {
			got = append(got, d.Check.Name)
		}
	}
	if !slices.Equal(got, []string{"misspelt-field"}) {
		t.Errorf("a long s in Disallow: got %v, want misspelt-field", got)
	}
}
