package say

import (
	"fmt"
	"io"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/lint"
)

var (
	textErrors   = language.New("%[1]d ⟨error/errors⟩")
	textWarnings = language.New("%[1]d ⟨warning/warnings⟩")
	textInfos    = language.New("%[1]d info")
	textSumFound = language.New("%[1]s in %[2]d ⟨file/files⟩")
	textWarning  = language.New("warning: %[1]s: %[2]s")
)

// Found writes how many findings of each severity there are, in how many files. Like a compiler, it
// is silent where nothing was found.
func Found(w io.Writer, l language.Language, files []lint.File) {
	errors, warnings, infos, with := 0, 0, 0, 0
	for _, f := range files {
		e, upToWarning, all := f.Report.Count(lint.Error), f.Report.Count(lint.Warning), f.Report.Count(lint.Info)
		errors, warnings, infos = errors+e, warnings+upToWarning-e, infos+all-upToWarning
		if all > 0 {
			with++
		}
	}
	var parts []string
	for _, part := range []struct {
		n    int
		text language.Text
	}{{errors, textErrors}, {warnings, textWarnings}, {infos, textInfos}} {
		if part.n > 0 {
			parts = append(parts, part.text.In(l, part.n))
		}
	}
	if len(parts) > 0 {
		fmt.Fprintln(w, textSumFound.In(l, strings.Join(parts, ", "), with))
	}
}

// NotRobots warns of a text that is not a robots.txt.
func NotRobots(w io.Writer, l language.Language, name string, p *robots.Policy) {
	if what := lint.NotRobots(p, l.String()); what != "" {
		fmt.Fprintf(w, "robots: %s\n", textWarning.In(l, printable.Shown(name), what))
	}
}
