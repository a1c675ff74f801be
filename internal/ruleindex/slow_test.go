package ruleindex

import "strings"

// slowMatch is the slow twin of [Index.Match]: it tries each rule in turn. It returns the line and
// the value of the deciding rule, or 0.
func slowMatch(rules []textRule, first bool, path string) (line int, value string) {
	best := -1
	for i, rule := range rules {
		if !slowMatches(rule.value, path) {
			continue
		}
		if best < 0 || !first && Weight(len(rule.value), rule.allow) > Weight(len(rules[best].value),
			rules[best].allow) {
			best = i
		}
	}
	if best < 0 {
		return 0, ""
	}
	return rules[best].line, rules[best].value
}

// slowMatches reports whether a pattern matches a path. For each prefix of the pattern it computes
// which prefixes of the path match.
func slowMatches(pattern, path string) bool {
	body, anchored := strings.CutSuffix(pattern, "$")
	starts := make([]bool, len(path)+1) // the prefixes that the pattern before byte i matches
	starts[0] = true
	for i := range len(body) {
		next := make([]bool, len(path)+1)
		for k := range starts {
			switch {
			case body[i] == '*':
				next[k] = starts[k] || k > 0 && next[k-1]
			case k > 0:
				next[k] = starts[k-1] && path[k-1] == body[i]
			}
		}
		starts = next
	}
	if anchored {
		return starts[len(path)]
	}
	for _, ok := range starts {
		if ok {
			return true
		}
	}
	return false
}
