package say

import (
	"errors"
	"slices"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

// withoutMeaning returns the fields with checked values that neither fileMeanings nor
// groupMeanings explains.
func withoutMeaning(fields []robots.Field) (names []string) {
	for _, f := range fields {
		p := robots.Parse([]byte("User-agent: *\n" + f.Name + ": " + f.Example + "\n"))
		of, group := fileMeanings(p, language.English)[2], groupMeanings(p.For("*"), language.English)[2]
		if f.Check != nil && of.Means == nil && group.Means == nil {
			names = append(names, f.Name)
		}
	}
	return names
}

// Each field with a check has an explanation of its value. A made-up field shows that the test
// names a forgotten field.
func TestFieldMeanings(t *testing.T) {
	for _, name := range withoutMeaning(robots.Fields()) {
		t.Errorf("fileMeanings and groupMeanings in records.go lack %s: add what its value means, with its text in recordtexts.go", name)
	}
	madeUp := robots.Field{Name: "Made-up", Example: "x", Check: func(string) error { return errors.New("made up") }}
	if got := withoutMeaning([]robots.Field{madeUp}); !slices.Equal(got, []string{"Made-up"}) {
		t.Errorf("without a meaning: %v, want Made-up", got)
	}
}
