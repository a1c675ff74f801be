package audit

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/url/urlcheck"
)

// ruleSets are the rules that the versions of a site have for one robot. Successive versions often
// have the same rules for it, which are one set: a request is matched once with each set that
// matters for its time.
type ruleSets struct {
	site    *site
	sets    []ruleSet
	version []versionRules // by version
	spans   []span
	last    int // the span of the last request
}

// A ruleSet is the rules of a robot in some versions.
type ruleSet struct {
	group   *robots.Group
	ordinal map[int]int // from the line of a rule to its number in the set, from 0 on
}

// versionRules are the rules of a robot in one version.
type versionRules struct {
	set      int // index of its set, or -1 if everything is allowed
	group    *robots.Group
	rules    []robots.Rule // as the version has them
	everyone bool          // the version has rules only for "*", which the robot does not obey
}

// A span is a run of seconds when the same sets matter.
type span struct {
	from int64 // until the next one's
	sets []int
}

// newRuleSets finds the rules of a robot in the versions of a site. Versions matter for a request
// from slack seconds before their beginning to horizon seconds after their end.
func newRuleSets(s *site, robot agent.Subject, slack, horizon int64) *ruleSets {
	r := &ruleSets{site: s}
	known := map[string]int{}
	for _, v := range s.versions {
		rules := versionRules{set: -1}
		if v.state == Served {
			rules.group = robot.Group(v.policy)
			rules.everyone = robot.Alone && rules.group.Token() == "" && v.policy.For("*").Token() != ""
			for rule := range rules.group.Rules() {
				rules.rules = append(rules.rules, rule)
			}
			rules.set = r.addSet(known, rules)
		}
		r.version = append(r.version, rules)
	}
	r.addSpans(slack, horizon)
	return r
}

// addSet returns the index of the set with the rules of a version.
func (r *ruleSets) addSet(known map[string]int, v versionRules) int {
	if len(v.rules) == 0 {
		return -1
	}
	var key strings.Builder
	for _, rule := range v.rules {
		if rule.Allow {
			key.WriteByte('+')
		}
		key.WriteString(rule.Pattern)
		key.WriteByte('\n')
	}
	if i, ok := known[key.String()]; ok {
		return i
	}
	set := ruleSet{group: v.group, ordinal: map[int]int{}}
	for i, rule := range v.rules {
		set.ordinal[rule.Line] = i
	}
	r.sets = append(r.sets, set)
	known[key.String()] = len(r.sets) - 1
	return len(r.sets) - 1
}

// addSpans finds the sets that matter for each second: those of the version in force, those of
// versions that ended at most horizon seconds ago, and those of versions that begin at most slack
// seconds later. A version may begin later than given, so a set matters for as long after the end
// of the next version too.
func (r *ruleSets) addSpans(slack, horizon int64) {
	versions := r.site.versions
	ends := func(i int) int64 { // when version i no longer matters
		if i+1 == len(versions) {
			return maxSecond
		}
		end := versions[i+1].from
		if i+2 < len(versions) {
			end = versions[i+2].from
		} else if versions[i].known {
			end = maxSecond // the last version may not have begun before the log ends
		}
		return min(maxSecond, end+horizon)
	}
	starts, begins := []int64{always}, make([]int64, len(versions))
	for i, v := range versions {
		begins[i] = v.from
		if i > 0 {
			begins[i] -= slack
		}
		starts = append(starts, begins[i])
		if end := ends(i); end < maxSecond {
			starts = append(starts, end+1)
		}
	}
	for _, from := range slices.Compact(slices.Sorted(slices.Values(starts))) {
		s := span{from: from}
		seen := map[int]bool{}
		for i := range versions {
			if set := r.version[i].set; set >= 0 && begins[i] <= from && from <= ends(i) && !seen[set] {
				seen[set] = true
				s.sets = append(s.sets, set)
			}
		}
		r.spans = append(r.spans, s)
	}
}

// span returns the sets that matter for a second.
func (r *ruleSets) span(second int64) []int {
	if s := r.last; r.spans[s].from <= second && (s+1 == len(r.spans) || second < r.spans[s+1].from) {
		return r.spans[s].sets
	}
	low, high := 0, len(r.spans)
	for low+1 < high {
		if middle := (low + high) / 2; r.spans[middle].from <= second {
			low = middle
		} else {
			high = middle
		}
	}
	r.last = low
	return r.spans[low].sets
}

// A finding is the rules that disallow a request: for each set that does, in order, the number of
// the set and the number of the rule. An empty one allows. It is stored in parts.

// appendFinding appends the finding for a path at a second.
func (r *ruleSets) appendFinding(finding []byte, path string, second int64) []byte {
	for _, set := range r.span(second) {
		match := r.sets[set].group.Match(urlcheck.OfHost(path))
		if match.Allowed {
			continue
		}
		finding = binary.AppendUvarint(finding, uint64(set))
		finding = binary.AppendUvarint(finding, uint64(r.sets[set].ordinal[match.Rule.Line]))
	}
	return finding
}

// rulesBySet returns the number of the rule that disallows, for each set of a finding, or -1.
func (r *ruleSets) rulesBySet(finding []byte) []int {
	rules := make([]int, len(r.sets))
	for i := range rules {
		rules[i] = -1
	}
	for len(finding) > 0 {
		set, n := binary.Uvarint(finding)
		rule, m := binary.Uvarint(finding[max(n, 0):])
		if n <= 0 || m <= 0 || set >= uint64(len(rules)) {
			break
		}
		rules[set] = int(rule)
		finding = finding[n+m:]
	}
	return rules
}

// has reports whether a finding from elsewhere names sets and rules that exist.
func (r *ruleSets) has(finding []byte) bool {
	if len(finding) == 0 {
		return false
	}
	for len(finding) > 0 {
		set, n := binary.Uvarint(finding)
		rule, m := binary.Uvarint(finding[max(n, 0):])
		if n <= 0 || m <= 0 || set >= uint64(len(r.sets)) || rule >= uint64(len(r.sets[set].ordinal)) {
			return false
		}
		finding = finding[n+m:]
	}
	return true
}
