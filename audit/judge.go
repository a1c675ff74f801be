package audit

import (
	"slices"
	"strconv"
)

// A judge decides whether the disallowed requests of one robot to one host are violations.
type judge struct {
	*timeline
	rules     *ruleSets
	forbidden []int64 // the seconds of answers 401 and 403 to the robot, in order
	answers   *series // to the robot, by client
}

// newJudge returns the judge of a robot, with the answers to its requests for robots.txt that are
// not forged.
func newJudge(t *timeline, rules *ruleSets, answers *series) *judge {
	j := &judge{timeline: t, rules: rules, answers: answers}
	for h := range answers.all {
		if kindOfValue(h.value) == forbidden {
			j.forbidden = append(j.forbidden, h.second)
		}
	}
	slices.Sort(j.forbidden)
	return j
}

// A Class is the class of a request of a robot.
type Class uint8

// The classes; the package comment defines them.
const (
	Allowed Class = iota
	Certain
	Informed
	InGrace
)

// String returns "allowed", "certain", "informed" or "grace".
func (c Class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return "Class(" + strconv.Itoa(int(c)) + ")"
}

var classNames = [...]string{"allowed", "certain", "informed", "grace"}

// A classifier gives the classes of requests with the same finding.
type classifier struct {
	*judge
	rule     []int // by version: the number of the rule that disallows, or -1
	allowing []int // by version: how many versions before it allow
}

// classifier returns the classifier of requests with a finding.
func (j *judge) classifier(finding []byte) *classifier {
	bySet := j.rules.rulesBySet(finding)
	t := &classifier{judge: j, allowing: make([]int, 1, len(j.versions)+1)}
	for i, v := range j.rules.version {
		rule := -1
		if v.set >= 0 {
			rule = bySet[v.set]
		}
		t.rule = append(t.rule, rule)
		n := t.allowing[i]
		if rule < 0 && j.inForce(i) {
			n++
		}
		t.allowing = append(t.allowing, n)
	}
	return t
}

// disallowedBy returns the version in force at a second and the number of the rule that disallows
// the request then, or -1.
func (t *classifier) disallowedBy(second int64) (version, rule int) {
	version = at(t.versions, second)
	return version, t.rule[version]
}

// certain reports whether every version that the robot may go by at a second disallows the request.
func (t *classifier) certain(second int64, value uint64) bool {
	if !t.certainAt(second) {
		return false
	}
	if value&unzonedTime == 0 {
		return true
	}
	if t.zone == nil {
		return !t.mayHaveChanged(t.since(second), t.until(second))
	}
	other, ok := t.repeated(second)
	return !ok || t.certainAt(other)
}

func (t *classifier) certainAt(second int64) bool {
	since, until := t.since(second), t.until(second)
	first, last := at(t.versions, since), at(t.versions, until)
	return t.allowing[last+1] == t.allowing[first] &&
		!t.readNothing(since, until) && !anyWithin(t.forbidden, since, until)
}

// informs reports whether an answer lets a robot know that the request is disallowed, in a log
// whose times have the value's zone or none.
func (t *classifier) informs(answer hit, value uint64) bool {
	if kindOfValue(answer.value) != read {
		return false
	}
	if value&unzonedTime != 0 && t.zone == nil && t.mayHaveChanged(answer.second, answer.second) {
		return false
	}
	_, rule := t.disallowedBy(answer.second)
	return rule >= 0
}

// classes yields the class of each of some requests, which have the same finding.
func (t *classifier) classes(requests *series, yield func(hit, Class)) {
	var answers answerReader
	answers.start(t.answers)
	defer answers.stop()
	for h := range requests.all {
		if _, rule := t.disallowedBy(h.second); rule < 0 {
			yield(h, Allowed)
			continue
		}
		if t.certain(h.second, h.value) {
			yield(h, Certain)
			continue
		}
		last := answers.last(h.client, h.second-1-t.slack)
		yield(h, t.informedOrGrace(last, h.second, h.value))
	}
}

// informedOrGrace returns the class of a request that is not certain, by the last answers to the
// robot at its address, which are all of one second.
func (t *classifier) informedOrGrace(last []hit, second int64, value uint64) Class {
	if len(last) == 0 || last[0].second < second-t.grace {
		return InGrace
	}
	for _, answer := range last {
		if !t.informs(answer, value) {
			return InGrace
		}
	}
	return Informed
}
