package audit

import (
	"iter"
	"slices"
	"strconv"
)

// A judge decides whether the disallowed requests of one robot to one host are violations.
type judge struct {
	*timeline
	rules   *ruleSets
	own     []int64 // the seconds of answers to the robot that there is no robots.txt for it, in order
	outages outages // of all robots and of this one
	answers *series // to the robot, by client
	unzoned bool    // some of these answers do not state the zone
}

// newJudge returns the judge of a robot, with the answers to its requests for robots.txt that are
// not forged.
func newJudge(t *timeline, rules *ruleSets, answers *series) *judge {
	j := &judge{timeline: t, rules: rules, answers: answers}
	j.hold(answers.all)
	return j
}

// hold takes the answers that hold for the robot alone. It returns the seconds of failed ones.
func (j *judge) hold(answers iter.Seq[hit]) (down []int64) {
	j.outages = j.timeline.outages
	for h := range answers {
		j.unzoned = j.unzoned || h.value&unzonedAnswer != 0
		switch kindOfValue(h.value) {
		case nothing, forbidden:
			j.own = j.appendTimes(j.own, h)
		case failed:
			down = j.appendTimes(down, h)
		}
	}
	j.own = inOrder(j.own)
	down = slices.DeleteFunc(inOrder(down), func(second int64) bool { return anyWithin(j.down, second, second) })
	if len(down) > 0 {
		j.outages = joinPeriods(slices.Concat(j.outages, j.outagesFrom(down, answers)))
	}
	return down
}

// since returns the first second of the window of versions that the robot may go by: the last 24
// hours and 10 minutes, without the time that stands.
func (j *judge) since(second int64) int64 { return j.outages.back(second, j.grace+j.slack+j.edge) }

// toldNothing reports whether there was an answer in a period, both ends included, that there is no
// robots.txt.
func (j *judge) toldNothing(from, to int64) bool {
	return anyWithin(j.nothing, from, to) || anyWithin(j.own, from, to)
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
		since, until := t.since(second), t.until(second)
		return !t.mayHaveChanged(since, until) && !t.toldNothing(since-maxAhead, until+maxBehind)
	}
	other, ok := t.repeated(second)
	return !ok || t.certainAt(other)
}

func (t *classifier) certainAt(second int64) bool {
	since, until := t.since(second), t.until(second)
	first, last := at(t.versions, since), at(t.soonest, until)
	return t.allDisallow(first, last) && !t.toldNothing(since, until)
}

// allDisallow reports whether all versions from one to another disallow the request.
func (t *classifier) allDisallow(first, last int) bool {
	return t.allowing[last+1] == t.allowing[first]
}

// classes yields the class of each of some requests, which have the same finding.
func (t *classifier) classes(requests *series, yield func(hit, Class)) {
	var answers answerReader
	answers.start(t.answers)
	defer answers.stop()
	for h := range requests.all {
		switch _, rule := t.disallowedBy(h.second); {
		case rule < 0:
			yield(h, Allowed)
		case t.certain(h.second, h.value):
			yield(h, Certain)
		case t.unzoned:
			yield(h, t.informedOrGrace(answers.of(h.client, t.placed), h.second, h.value))
		default:
			yield(h, t.informedOrGrace(answers.last(h.client, h.second-1-t.slack), h.second, h.value))
		}
	}
}

// informedOrGrace returns the class of a request that is not certain, by the placed answers to the
// robot at its address, in order: the last ones before the request at least.
func (t *classifier) informedOrGrace(answers []hit, second int64, value uint64) Class {
	if !t.informed(answers, second, value) {
		return InGrace
	}
	if value&unzonedTime != 0 {
		if other, ok := t.repeated(second); ok && !t.informed(answers, other, value) {
			return InGrace
		}
	}
	return Informed
}

// informed reports whether all of the last answers before a second, which are of one second, let
// the robot know that the request is disallowed.
func (t *classifier) informed(answers []hit, second int64, value uint64) bool {
	last := lastBefore(answers, second-1-t.slack)
	if len(last) == 0 {
		return false
	}
	// The order of answers in the hour that occurs twice is unknown: each of them must be so.
	if i := slices.IndexFunc(last, t.isDoubtful); i >= 0 {
		from, to := t.times(last[i])
		for _, h := range answers {
			if t.isDoubtful(h) && h.second >= from-refutedWithin && h.second <= to+refutedWithin {
				last = append(slices.Clip(last), h)
			}
		}
	}
	for _, answer := range last {
		from, to := t.times(answer)
		if from < second-t.grace || to > second-1-t.slack || !t.informs(answer, from, value) ||
			!t.informs(answer, to, value) {
			return false
		}
	}
	return true
}

// informs reports whether an answer at a second lets a robot know that the request is disallowed,
// in a log whose times have the value's zone or none.
func (t *classifier) informs(answer hit, second int64, value uint64) bool {
	if kindOfValue(answer.value) != read {
		return false
	}
	if value&unzonedTime != 0 && t.zone == nil && t.mayHaveChanged(second, second) {
		return false
	}
	return t.allDisallow(at(t.versions, second), at(t.soonest, second))
}
