package lint

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/language"
)

// unexplained are the names of checks without explanations in other languages (explained/es.txt
// and others). Add yours if you do not write Spanish, Korean and Russian.
var unexplained = []string{}

// TestExplain requires a translated explanation of each check that is not unexplained, with the
// examples of doc.go.
func TestExplain(t *testing.T) {
	scripts := map[language.Language]*regexp.Regexp{
		language.Spanish: regexp.MustCompile(`[a-záéíóúñ]`), language.Korean: regexp.MustCompile(`\p{Hangul}`), language.Russian: regexp.MustCompile(`\p{Cyrillic}`),
	}
	for l, script := range scripts {
		data, err := explained.ReadFile("explained/" + l.String() + ".txt")
		if err != nil {
			t.Errorf("no explanations in %s: %v", l, err)
			continue
		}
		want := 0
		for _, c := range Checks() {
			parts := c.explanation(l)
			if slices.Contains(unexplained, c.Name) {
				if parts != nil {
					t.Errorf("%s: it is explained in %s: take it out of unexplained in explain_test.go", c.Name, l)
				}
				continue
			}
			want++
			if parts == nil {
				t.Errorf("%s: no explanation of three lines in lint/explained/%s.txt: write one, or add the check to unexplained in explain_test.go", c.Name, l)
				continue
			}
			for i, part := range parts {
				if i == 2 && part == "-" {
					continue
				}
				if !script.MatchString(part) || !strings.HasSuffix(part, ".") || strings.TrimSpace(part) != part {
					t.Errorf("%s: in %s, no sentence: %q", c.Name, l, part)
				}
			}
			doc, english := c.Doc(l.String()), c.doc()
			for line := range strings.Lines(english) {
				if strings.HasPrefix(line, "\t") && !strings.Contains(doc, line) {
					t.Errorf("%s: in %s the example %q is missing", c.Name, l, line)
				}
			}
			for _, heading := range []string{"\nAvoid:", "\nPrefer:", "\nWhy:", "\nExceptions:"} {
				if strings.Contains(doc, heading) {
					t.Errorf("%s: in %s there is %q", c.Name, l, heading)
				}
			}
		}
		if got := strings.Count("\n"+string(data), "\n# "); got != want {
			t.Errorf("%d explanations in %s for %d checks", got, l, want)
		}
	}
	if got := notRobots.Doc(""); got != notRobots.doc() {
		t.Errorf("in English: %q", got)
	}
}
