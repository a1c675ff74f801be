package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var templateSource = &Check{
	Name:     "template-source",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if from, to := l.template(); to > from {
				p.report(l.span(from, to), textTemplateSource, l.body[from:to])
			}
		})
		if n := p.frontMatter(); n > 0 && p.alien == robotsText {
			p.report(span{line: 1, to: len("---")}, textFrontMatter, n).Severity = Warning
		}
	},
}

// templates matches what programs replace in the source of a page: tags of Liquid, Jinja, Twig,
// Handlebars and Go, of PHP, ERB and ASP, and variables as of shells and builds.
var templates = lazyRegexp(`\{\{[^{}]*[\w'"][^{}]*\}\}|\{%[^%]*%\}|\{#[^#]*#\}|<\?(php|=).*|<%.*?%>` +
	`|\$\{[A-Za-z_][\w.:-]*\}`)

// template returns the source of a template in a line outside of its comment. After the start of a
// pattern it is meant: pages without their data link to such addresses, and a rule closes them.
func (l *line) template() (from, to int) {
	if l.Kind == robots.Comment || !strings.ContainsAny(l.body, "{<") {
		return 0, 0
	}
	at := templates().FindStringIndex(l.body)
	if at == nil || strings.ContainsAny(l.body[:at[0]], "#*") {
		return 0, 0
	}
	if rule := l.Kind == robots.Allow || l.Kind == robots.Disallow; rule && at[0] > l.value().from {
		return 0, 0
	}
	return at[0], at[1]
}

// isTemplate reports whether template-source reports the line.
func (l *line) isTemplate() bool {
	from, to := l.template()
	return to > from
}

// frontMatter returns the last line of the front matter of Jekyll and its kin at the start of a
// text: lines between two lines of three hyphens. It returns 0 if there is none.
func (f *file) frontMatter() int {
	for number, l := range f.policy.Lines() {
		switch text := strings.TrimSpace(strings.TrimPrefix(l.Text, byteOrderMark)); {
		case number == 1 && text != "---", number > maxFrontMatter, l.Group >= 0:
			return 0
		case number > 1 && text == "---":
			return number
		}
	}
	return 0
}

const maxFrontMatter = 50 // lines

var (
	textTemplateSource = language.New(
		"\"%[1]s\" is the source of a template: the program that should have replaced it did not run, and robots read it as it is")
	textFrontMatter = language.New(
		"these lines, up to line %[1]d, are for the program that makes the file (front matter): it did not run, or leaves them in")
)
