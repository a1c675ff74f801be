package lint

import (
	"embed"
	"fmt"
	"io"
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
)

// explained has the documentation of the checks in other languages: of each check a
// line "# NAME", then its summary, why, and exceptions, a line each; "-" is for
// "none". The examples are those of doc.go.
//
//go:embed explained
var explained embed.FS

// Doc returns the documentation of the check in a language, as [Options] names it, or
// in English where it is not translated: plain text, with a first sentence that says
// what it finds, an example to avoid and one to prefer, why, and the exceptions.
func (c *Check) Doc(locale string) string {
	l := language.Parse(locale)
	parts := c.explanation(l)
	if parts == nil {
		return c.doc()
	}
	words := explainWords[l]
	var b strings.Builder
	b.WriteString(parts[0] + "\n")
	_, examples, _ := strings.Cut(c.doc(), "\nAvoid:\n")
	examples, _, _ = strings.Cut(examples, "\nWhy: ")
	b.WriteString("\n" + words.avoid + ":\n" + strings.Replace(examples, "\nPrefer:\n", "\n"+words.prefer+":\n", 1))
	exceptions := parts[2]
	if exceptions == "-" {
		exceptions = words.none
	}
	b.WriteString("\n" + words.why + ": " + parts[1] + "\n\n" + words.exceptions + ": " + exceptions + "\n")
	return b.String()
}

// Summary returns the first paragraph of [Check.Doc] as one line.
func (c *Check) Summary(locale string) string {
	if parts := c.explanation(language.Parse(locale)); parts != nil {
		return parts[0]
	}
	first, _, _ := strings.Cut(c.doc(), "\n\n")
	return strings.Join(strings.Fields(first), " ")
}

// Explain writes the documentation of checks in a language, as [Options] names it. Without checks
// it writes a table of all checks.
func (wr Writer) Explain(w io.Writer, locale string, checks ...*Check) error {
	if len(checks) == 0 {
		t := &columns.Table{W: w, Color: wr.Color}
		for _, c := range Checks() {
			t.Add([]columns.Cell{columns.Bold(c.Name), columns.Text(c.Severity.String()), columns.Text(joined(c.Profiles)), columns.Text(c.Summary(locale))})
		}
		return t.Flush()
	}
	for i, c := range checks {
		between := "\n"
		if i == 0 {
			between = ""
		}
		if _, err := fmt.Fprintf(w, "%s%s: %v\n\n%s\n", between, c.Name, c.Severity, strings.TrimSpace(c.Doc(locale))); err != nil {
			return err
		}
	}
	return nil
}

// joined returns names in a sentence.
func joined[S ~string](names []S) string {
	var texts []string
	for _, name := range names {
		texts = append(texts, string(name))
	}
	return strings.Join(texts, ", ")
}

// explanation returns the summary, the reason and the exceptions in a language, or nil if it
// has none. The English ones are in doc.go.
func (c *Check) explanation(l language.Language) []string {
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

// explainWords are the headings of the parts of an explanation.
var explainWords = map[language.Language]struct{ avoid, prefer, why, exceptions, none string }{
	language.Spanish: {"Evite", "Mejor", "Por qué", "Excepciones", "ninguna."},
	language.Korean:  {"피할 예", "좋은 예", "이유", "예외", "없습니다."},
	language.Russian: {"Плохо", "Лучше", "Почему", "Исключения", "нет."},
}
