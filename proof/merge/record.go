package merge

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// A recordComparison finds contradicting records of fragments.
type recordComparison struct{ *joiner }

// compare reports contradicting records for a robot, in fields where a robot can obey only one
// record.
func (j *recordComparison) compare(token string) {
	for _, field := range robots.Fields() {
		if !field.Single || !field.OfGroup {
			continue // compareHosts compares hosts
		}
		var first *fragment
		var saying []robots.Record
		for _, f := range j.fragments {
			records := j.obeyed(f.policy, token).Records(field.Name)
			switch {
			case len(records) == 0:
			case first == nil:
				first, saying = f, records
			case !slices.EqualFunc(saying, records, sameValue):
				j.disagree(token, f, records[0], first, saying[0])
			}
		}
	}
	j.compareUsages(token)
}

func sameValue(a, b robots.Record) bool {
	return strings.Join(strings.Fields(a.Value), " ") == strings.Join(strings.Fields(b.Value), " ")
}

// compareUsages reports fragments with different preferences about the same paths.
func (j *recordComparison) compareUsages(token string) {
	type stated struct {
		fragment *fragment
		usage    robots.ContentUsage
	}
	var before []stated
	for _, f := range j.fragments {
		usages := j.obeyed(f.policy, token).ContentUsages()
		for _, u := range usages {
			for _, other := range before {
				if !differ(u, other.usage) {
					continue
				}
				empty, err := pathset.Of(robots.RFC9309, u.Path).Intersect(pathset.Of(robots.RFC9309,
					other.usage.Path)).Empty(j.options.Limit)
				j.undecided = j.undecided || err != nil
				if err == nil && !empty {
					j.disagree(token, f, u.Record, other.fragment, other.usage.Record)
				}
			}
		}
		for _, u := range usages {
			before = append(before, stated{f, u})
		}
	}
}

// differ reports whether two records have different preferences in one category.
func differ(a, b robots.ContentUsage) bool {
	for category, preference := range a.Preferences {
		if other, ok := b.Preferences[category]; ok && other != preference {
			return true
		}
	}
	return false
}

// compareHosts reports fragments that name different main hosts.
func (j *recordComparison) compareHosts() {
	var first *fragment
	var host robots.Host
	for _, f := range j.fragments {
		for _, h := range f.policy.Hosts() {
			if first == nil {
				first, host = f, h
			} else if !strings.EqualFold(h.Host, host.Host) {
				j.disagree("", f, h.Record, first, host.Record)
			}
		}
	}
}

// disagree reports two contradicting records.
func (j *recordComparison) disagree(token string, f *fragment, r robots.Record, other *fragment, said robots.Record) {
	for i, p := range j.problems {
		if token != "" && p.Fragment == f.name && p.Line == f.line(r.Line) && p.OtherFragment == other.name &&
			p.OtherLine == other.line(said.Line) {
			j.problems[i].Agents = append(p.Agents, token)
			return
		}
	}
	var agents []string
	if token != "" {
		agents = []string{token}
	}
	j.problem(Problem{
		Fragment: f.name, Line: f.line(r.Line), Agents: agents, OtherFragment: other.name,
		OtherLine: other.line(said.Line),
	}, textDisagree, r, at(other.name, other.line(said.Line)), said)
}
