package lint

import (
	"embed"
	"fmt"
	"io"
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
)

//go:generate go test -run TestPage -update

// explained has the documentation of the checks: a file for each language, and in it a section for
// each check, in the order of [Checks]. The files have the same form and the same examples, and
// doc/checks.md has the sections of the English one.
//
//go:embed explained
var explained embed.FS

// Doc returns the documentation of the check in a language, as [Options] names it, or
// in English where it is not translated: plain text, with a first sentence about the mistake, an
// example to avoid and one to prefer, the reason, and the exceptions.
func (c *Check) Doc(locale string) string {
	section := c.section(language.Parse(locale))
	if section == "" {
		section = c.section(language.English)
	}
	return plain(section)
}

// Summary returns the first paragraph of [Check.Doc] as one line.
func (c *Check) Summary(locale string) string {
	first, _, _ := strings.Cut(c.Doc(locale), "\n\n")
	return strings.ReplaceAll(first, "\n", " ")
}

// Explain writes the documentation of checks in a language, as [Options] names it. Without checks
// it writes a table of all checks.
func (wr Writer) Explain(w io.Writer, locale string, checks ...*Check) error {
	if len(checks) == 0 {
		t := &columns.Table{W: w, Color: wr.Color}
		for _, c := range Checks() {
			t.Add([]columns.Cell{columns.Bold(c.Name), columns.Text(c.Severity.String()),
				columns.Text(joined(c.Profiles)), columns.Text(c.Summary(locale))})
		}
		return t.Flush()
	}
	for i, c := range checks {
		between := "\n"
		if i == 0 {
			between = ""
		}
		if _, err := fmt.Fprintf(w, "%s%s: %v\n\n%s\n", between, c.Name, c.Severity,
			strings.TrimSpace(c.Doc(locale))); err != nil {
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

// section returns the section of the check in the file of a language, or "" if it has none.
func (c *Check) section(l language.Language) string {
	data, _ := explained.ReadFile("explained/" + l.String() + ".md")
	_, section, _ := strings.Cut(string(data), "\n## "+c.Name+"\n\n")
	section, _, _ = strings.Cut(section, "\n## ")
	return section
}

// plain returns Markdown, as the files of explained have it, as plain text: an example is indented
// by a tab.
func plain(markdown string) string {
	var b strings.Builder
	example := false
	for line := range strings.Lines(markdown) {
		switch {
		case strings.HasPrefix(line, "```"):
			example = !example
		case example:
			b.WriteString("\t" + line)
		default:
			b.WriteString(unescape.Replace(line))
		}
	}
	return b.String()
}

var unescape = strings.NewReplacer(`\*`, "*", `\_`, "_", "&lt;", "<", `\[`, "[", "\\`", "`")
