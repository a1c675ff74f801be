package auditreport

import (
	"cmp"
	"slices"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// mostPaths is the maximum number of rules in the sums of a page.
const mostPaths = 100

// numberTitles are the titles of columns with numbers.
var numberTitles = []language.Text{textRequests, textRobots, textCertain, textInformed, textGrace}

// A ruleSum is a rule of a host that robots did not obey, in all versions and for all robots.
type ruleSum struct {
	host, rule string
	robots     map[*audit.Robot]bool
	count      audit.Count
}

// ruleSums returns the sums of cases by their rules: first those with the most certain violations.
func ruleSums(cases []worstCase) (sums []*ruleSum) {
	known := make(map[[2]string]*ruleSum)
	for _, c := range cases {
		key := [2]string{c.rule.Host, c.rule.Rule}
		sum := known[key]
		if sum == nil {
			sum = &ruleSum{host: c.rule.Host, rule: c.rule.Rule, robots: make(map[*audit.Robot]bool)}
			known[key] = sum
			sums = append(sums, sum)
		}
		sum.robots[c.robot] = true
		sum.count.Certain += c.rule.Certain
		sum.count.Informed += c.rule.Informed
		sum.count.Grace += c.rule.Grace
	}
	slices.SortStableFunc(sums, func(a, b *ruleSum) int {
		return cmp.Or(
			cmp.Compare(b.count.Certain, a.count.Certain),
			cmp.Compare(b.count.Informed, a.count.Informed),
			cmp.Compare(b.count.Grace, a.count.Grace))
	})
	return sums
}

// paths returns the rows of the sums by rules, and how many are missing.
func (b pageBuilder) paths(cases []worstCase) (rows [][]pageCell, more string) {
	sums := ruleSums(cases)
	hosts := make(map[string]bool)
	for _, sum := range sums {
		hosts[sum.host] = true
	}
	for _, sum := range sums[:min(mostPaths, len(sums))] {
		rule := printable.Clipped(sum.rule, 200)
		if len(hosts) > 1 {
			rule = textOfHost.In(b.Language, rule, hostName(b.Language, sum.host))
		}
		rows = append(rows, []pageCell{{Text: rule}, b.number(int64(len(sum.robots))), b.number(sum.count.Certain),
			b.number(sum.count.Informed), b.number(sum.count.Grace)})
	}
	if n := len(sums) - mostPaths; n > 0 {
		more = textMoreRules.In(b.Language, n)
	}
	return rows, more
}
