package lint

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/language"
)

// unexplained are the names of checks without explanations in other languages (explained/es.md
// and others). Add yours if you do not write Spanish, Korean and Russian.
var unexplained = []string{}

// explanations say how explanations look in each language: the starts of their parts, and the
// letters of their sentences.
var explanations = map[language.Language]struct {
	avoid, prefer, why, exceptions string
	letters                        *regexp.Regexp
}{
	language.English: {"Avoid:", "Prefer:", "Why: ", "Exceptions: ", regexp.MustCompile(`[a-z]`)},
	language.Spanish: {"Evite:", "Mejor:", "Por qué: ", "Excepciones: ", regexp.MustCompile(`[a-záéíóúñ]`)},
	language.Korean:  {"피할 예:", "좋은 예:", "이유: ", "예외: ", regexp.MustCompile(`\p{Hangul}`)},
	language.Russian: {"Плохо:", "Лучше:", "Почему: ", "Исключения: ", regexp.MustCompile(`\p{Cyrillic}`)},
}

// TestExplain requires an explanation of each check in each language, unless the check is
// unexplained: the parts are in order, and the examples are those of the English one.
func TestExplain(t *testing.T) {
	for l := range explanations {
		data, err := explained.ReadFile("explained/" + l.String() + ".md")
		if err != nil {
			t.Error(err)
			continue
		}
		var want []string
		for _, c := range Checks() {
			if l == language.English || !slices.Contains(unexplained, c.Name) {
				want = append(want, c.Name)
				checkExplanation(t, c, l)
			}
		}
		var got []string
		for _, m := range regexp.MustCompile(`(?m)^## (.*)$`).FindAllStringSubmatch(string(data), -1) {
			got = append(got, m[1])
		}
		if !slices.Equal(got, want) {
			t.Errorf("explained/%s.md has the sections\n%q, want those of checks in their order, "+
				"and unexplained in explain_test.go has the others\n%q", l, got, want)
		}
	}
}

// checkExplanation checks the explanation of a check in a language.
func checkExplanation(t *testing.T, c *Check, l language.Language) {
	t.Helper()
	section, form := c.section(l), explanations[l]
	doc := plain(section)
	if markdown(doc) != section {
		t.Errorf("%s: a character of Markdown has no backslash in explained/%s.md", c.Name, l)
	}
	summary, rest, ok1 := strings.Cut(doc, "\n\n"+form.avoid+"\n")
	examples, rest, ok2 := strings.Cut(rest, "\n\n"+form.why)
	why, exceptions, ok3 := strings.Cut(rest, "\n\n"+form.exceptions)
	if !ok1 || !ok2 || !ok3 || strings.Count(examples, "\n"+form.prefer+"\n") != 1 {
		t.Errorf("%s: in explained/%s.md, a part is missing or not in its place: %q, %q, %q, %q",
			c.Name, l, form.avoid, form.prefer, form.why, form.exceptions)
		return
	}
	for _, part := range []string{summary, why, strings.TrimSuffix(exceptions, "\n")} {
		if !form.letters.MatchString(part) || !strings.HasSuffix(part, ".") || strings.TrimSpace(part) != part {
			t.Errorf("%s: in explained/%s.md, no sentence: %q", c.Name, l, part)
		}
	}
	if got := strings.Replace(examples, form.prefer, "Prefer:", 1); !strings.Contains(c.Doc(""), "\nAvoid:\n"+got+
		"\n\nWhy: ") {
		t.Errorf("%s: in explained/%s.md, the examples are not those of explained/en.md: %q", c.Name, l, got)
	}
}
