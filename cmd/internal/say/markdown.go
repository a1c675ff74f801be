package say

import (
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof"
)

var (
	textMarkdownTitle = language.New("What this change of robots.txt means")
	textNotDecided    = language.New("Not everything could be decided, for %[1]s.")
	textAllSame       = language.New("Every robot gets the same answer for every path.")
	textSameFor       = language.New("No change for %[1]s.")
	textPatterns      = language.New("%[1]d ⟨pattern/patterns⟩ closed, %[2]d ⟨pattern/patterns⟩ opened.")
	textMarkdownHead  = language.New("| | robots | paths | for example | decided by |")
	textMoreInDiff    = language.New("and more; `robots diff` shows all changes.")
	textRecords       = language.New("Records beside the rules:")
)

// Markdown writes a difference as Markdown, for the comment of a pull request: a row for each
// pattern, up to 100.
func (p *Printer) Markdown(d *proof.Difference) {
	closed, opened := 0, 0
	changes := join(d.Changes)
	for _, j := range changes {
		if j.opened {
			opened += len(j.regions)
		} else {
			closed += len(j.regions)
		}
	}
	fmt.Fprintf(p.W, "### %s\n\n", p.in(textMarkdownTitle))
	switch {
	case len(d.Undecided) > 0:
		fmt.Fprintf(p.W, "%s\n\n", p.in(textNotDecided, code(strings.Join(d.Undecided, ", "))))
	case len(d.Changes) == 0 && len(d.Agents) == 0:
		fmt.Fprintf(p.W, "%s\n\n", p.in(textAllSame))
	}
	if same := d.Same(); len(same) > 0 {
		fmt.Fprintf(p.W, "%s\n\n", p.in(textSameFor, code(p.names(same, 10))))
	}
	if len(d.Changes) > 0 {
		fmt.Fprintf(p.W, "%s\n\n%s\n|---|---|---|---|---|\n", p.in(textPatterns, closed, opened),
			p.in(textMarkdownHead))
		p.markdownRows(changes)
	}
	if len(d.Records) > 0 {
		fmt.Fprintf(p.W, "\n%s\n\n", p.in(textRecords))
		for _, c := range d.Records {
			fmt.Fprintf(p.W, "- %s\n", code(p.recordChange(c)))
		}
	}
}

// markdownRows writes the rows of the table.
func (p *Printer) markdownRows(changes []*joinedChange) {
	rows := 0
	for _, j := range changes {
		direction := textClosed
		if j.opened {
			direction = textOpened
		}
		for i, r := range j.regions {
			if rows++; rows > 2*mostRegions {
				fmt.Fprintf(p.W, "\n%s\n", p.in(textMoreInDiff))
				return
			}
			fmt.Fprintf(p.W, "| %s | %s | %s | %s | %s |\n", p.in(direction), code(p.title(j)), code(pattern(r)),
				code(r.Witness), p.deciding(j, i))
		}
	}
}

// deciding returns the lines that decide about a region now, each with its robots unless the
// line decides for all.
func (p *Printer) deciding(j *joinedChange, region int) string {
	texts, agents := j.texts(region, func(a answer) string {
		if a.after.Reason != robots.DecidingRule {
			return p.in(textNoRule)
		}
		return p.in(textLineSays, a.after.Rule.Line, code(a.after.Rule.String()))
	})
	var all []string
	for i, text := range texts {
		if i == mostAnswers {
			all = append(all, p.in(textAndMore, len(texts)-i))
			break
		}
		if len(agents) > 0 {
			text += " (" + code(p.names(agents[text], 3)) + ")"
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// code returns s as code of Markdown that may stand in a table.
func code(s string) string {
	return "`" + strings.NewReplacer("|", `\|`, "`", "ˋ").Replace(printable.Clipped(s, 200)) + "`"
}
