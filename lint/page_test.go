package lint

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestPage compares doc/checks.md with the documentation of the checks. With -update it writes
// the page, as go generate does.
func TestPage(t *testing.T) {
	file := filepath.Join("..", "doc", "checks.md")
	want := page()
	if *update {
		fatal.If(t, os.WriteFile(file, []byte(want), 0o666))
	}
	got, err := os.ReadFile(file)
	fatal.If(t, err)
	if string(got) != want {
		t.Error("doc/checks.md is not what explained/en.md says: run go generate in the folder lint")
	}
}

// page returns the documentation of each check as Markdown.
func page() string {
	var b strings.Builder
	b.WriteString("# Checks\n\n" +
		"What `robots lint` looks for. This page is made from `lint/explained/en.md` by\n" +
		"`go generate ./lint`; do not edit it.\n\n" +
		"| check | severity | recommended | strict | seo |\n|---|---|---|---|---|\n")
	for _, c := range Checks() {
		fmt.Fprintf(&b, "| [%s](#%[1]s) | %s |%s|%s|%s|\n", c.Name, c.Severity, mark(c, Recommended), mark(c, Strict),
			mark(c, SEO))
	}
	english, _ := explained.ReadFile("explained/en.md")
	_, sections, _ := strings.Cut(string(english), "\n")
	b.WriteString(sections)
	return b.String()
}

func mark(c *Check, p Profile) string {
	if c.in(p) {
		return " yes "
	}
	return " "
}

// markdown is the inverse of [plain]: indented lines become a block of code, and the rest is
// escaped.
func markdown(doc string) string {
	escaper := strings.NewReplacer("*", `\*`, "_", `\_`, "<", "&lt;", "[", `\[`, "`", "\\`")
	var b strings.Builder
	code := false
	for l := range strings.Lines(doc) {
		text, indented := strings.CutPrefix(l, "\t")
		switch {
		case indented && !code:
			b.WriteString("```text\n")
		case code && !indented:
			b.WriteString("```\n")
		}
		if code = indented; code {
			b.WriteString(text)
		} else {
			b.WriteString(escaper.Replace(l))
		}
	}
	return b.String()
}
