package auditreport

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/language"
)

// The sums by rules count each robot once, and join the versions and robots of a rule.
func TestRuleSums(t *testing.T) {
	rule := func(text, host, version string, certain, grace int64) audit.Rule {
		return audit.Rule{Rule: text, Host: host, Version: version, Count: audit.Count{Certain: certain, Grace: grace}}
	}
	r := &audit.Report{Robots: []audit.Robot{
		{Violations: audit.Violations{Rules: []audit.Rule{rule("Disallow: /a", "", "1", 2, 0),
			rule("Disallow: /a", "", "2", 3, 0), rule("Disallow: /b", "", "1", 4, 0)}}},
		{Violations: audit.Violations{Rules: []audit.Rule{rule("Disallow: /a", "", "1", 1, 7),
			rule("Disallow: /\x1b<b>", "", "1", 0, 1)}}},
	}}
	b := pageBuilder{language.English}
	rows, more := b.paths(worstCases(r))
	var got []string
	for _, row := range rows {
		var cells []string
		for _, cell := range row {
			cells = append(cells, cell.Text)
		}
		got = append(got, strings.Join(cells, " "))
	}
	if want := "Disallow: /a 2 6 0 7|Disallow: /b 1 4 0 0|"; !strings.HasPrefix(strings.Join(got, "|"), want) ||
		len(got) != 3 || more != "" || strings.Contains(got[2], "\x1b") {
		t.Errorf("got %q, %q", got, more)
	}
	var many []audit.Rule
	for i := range mostPaths + 3 {
		many = append(many, rule("Disallow: /"+strings.Repeat("a", i), "a.example", "1", 1, 0))
	}
	many = append(many, rule("Disallow: /x", "b.example", "1", 9, 0))
	r = &audit.Report{Robots: []audit.Robot{{Violations: audit.Violations{Rules: many}}}}
	rows, more = b.paths(worstCases(r))
	if len(rows) != mostPaths || !strings.HasPrefix(more, "4 ") || rows[0][0].Text != "Disallow: /x (b.example)" {
		t.Errorf("got %d rows, the first %q, and %q", len(rows), rows[0][0].Text, more)
	}
	if rows, _ := b.paths(nil); rows != nil {
		t.Errorf("without cases: %v", rows)
	}
}
