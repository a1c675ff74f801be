package auditreport

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
)

// mostBeside is the maximum number of robots in the text of a report with figures beside their
// violations.
const mostBeside = 10

// beside says what the figures beside the violations of a robot are, or "".
func beside(l language.Language, v *audit.Violations) string {
	var parts []string
	if v.AfterRedirect > 0 {
		parts = append(parts, textAfterRedirect.In(l, number(l, v.AfterRedirect)))
	}
	if v.Normalized > 0 {
		parts = append(parts, textNormalized.In(l, number(l, v.Normalized)))
	}
	return strings.Join(parts, "; ")
}

// beside writes the robots with figures beside their violations: those with the largest ones first.
func (p *Printer) beside(robots []audit.Robot) {
	var list []*audit.Robot
	for i := range robots {
		if v := &robots[i].Violations; v.AfterRedirect+v.Normalized > 0 {
			list = append(list, &robots[i])
		}
	}
	if len(list) == 0 {
		return
	}
	slices.SortStableFunc(list, func(a, b *audit.Robot) int {
		return cmp.Compare(b.Violations.AfterRedirect+b.Violations.Normalized,
			a.Violations.AfterRedirect+a.Violations.Normalized)
	})
	p.title(textBeside)
	for _, r := range list[:min(mostBeside, len(list))] {
		p.line(columns.Bold("  " + robotName(p.Language, r, 64)))
		fmt.Fprintf(p.W, "    %s\n", beside(p.Language, &r.Violations))
	}
	p.more(len(list)-mostBeside, textOtherBots)
}

var (
	textBeside        = language.New("Beside the violations")
	textAfterRedirect = language.New("disallowed requests within ten seconds after a redirect: %[1]s")
	textNormalized    = language.New(
		"allowed as written, closed once the path is normalized, and answered with 2xx: %[1]s")
)
