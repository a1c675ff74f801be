package lint

import (
	"embed"
	"strings"
)

// explained has the documentation of the checks in other languages: of each check a
// line "# NAME", then its summary, why, and exceptions, a line each; "-" is for
// "none". The examples are those of doc.go.
//
//go:embed explained
var explained embed.FS

// Explain returns what the documentation says about the check in a language, in the
// form of [Check.Doc].
func (c *Check) Explain(l Language) string {
	parts := c.explanation(l)
	if parts == nil {
		return c.Doc()
	}
	words := explainWords[l]
	var b strings.Builder
	b.WriteString(parts[0] + "\n")
	_, examples, _ := strings.Cut(c.Doc(), "\nAvoid:\n")
	examples, _, _ = strings.Cut(examples, "\nWhy: ")
	b.WriteString("\n" + words.avoid + ":\n" + strings.Replace(examples, "\nPrefer:\n", "\n"+words.prefer+":\n", 1))
	exceptions := parts[2]
	if exceptions == "-" {
		exceptions = words.none
	}
	b.WriteString("\n" + words.why + ": " + parts[1] + "\n\n" + words.exceptions + ": " + exceptions + "\n")
	return b.String()
}

// Summarize returns what the check finds, in one sentence of a language.
func (c *Check) Summarize(l Language) string {
	if parts := c.explanation(l); parts != nil {
		return parts[0]
	}
	return c.Summary()
}

// explanation returns the summary, why, and exceptions in a language, or nil where
// it has none: those in English are in doc.go.
func (c *Check) explanation(l Language) []string {
	data, err := explained.ReadFile("explained/" + l.String() + ".txt")
	if err != nil {
		return nil
	}
	text := strings.ReplaceAll("\n"+string(data), "\r\n", "\n")
	_, text, found := strings.Cut(text, "\n# "+c.Name+"\n")
	if !found {
		return nil
	}
	text, _, _ = strings.Cut(text, "\n\n")
	parts := strings.Split(strings.Trim(text, "\n"), "\n")
	if len(parts) != 3 {
		return nil
	}
	return parts
}

// explainWords are the words between the parts of an explanation.
var explainWords = map[Language]struct{ avoid, prefer, why, exceptions, none string }{
	Spanish: {"Evite", "Mejor", "Por qué", "Excepciones", "ninguna."},
	Korean:  {"피할 예", "좋은 예", "이유", "예외", "없습니다."},
	Russian: {"Плохо", "Лучше", "Почему", "Исключения", "нет."},
}
