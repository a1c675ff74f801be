// Package say writes answers for people, in four languages: a match, the directives of a page, the
// meaning of a change of robots.txt and of its records, and facts about a robot. An answer itself,
// with its form in JSON, belongs to the package that gives it; this package has the sentences and
// the rows of text.
//
// Text of strangers is made safe for a terminal.
package say

import (
	"io"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/cmd/internal/say/changetext"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/language/matchtext"
)

// A Printer writes answers. It does not report errors of W: use a writer that keeps them, such as
// a [bufio.Writer].
type Printer struct {
	W        io.Writer
	Color    bool
	Language language.Language
}

// table returns an empty table.
func (p *Printer) table() *columns.Table { return &columns.Table{W: p.W, Color: p.Color} }

// in returns a text in the language of p.
func (p *Printer) in(text language.Text, args ...any) string { return text.In(p.Language, args...) }

// Match returns a match as a sentence, such as "disallowed by line 3: Disallow: /x".
func Match(l language.Language, m robots.Match) string {
	return matchtext.Sentence(l, m.Allowed, m.Reason.String(), m.Rule.Line, m.Rule.String())
}

var (
	textLine         = language.New("line %[1]d")
	textLineSays     = language.New("line %[1]d: %[2]s")
	textNoRule       = language.New("no rule")
	textAndMore      = language.New("and %[1]d more")
	textTooManyCases = language.New("there are too many cases: --limit lets it look at more")
)

// Line returns the number of a line, such as "line 3".
func Line(l language.Language, number int) string { return textLine.In(l, number) }

// names returns names: at most this many, and the number of the others.
func (p *Printer) names(names []string, most int) string {
	return changetext.Names(p.Language, names, most)
}
