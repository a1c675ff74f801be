package audit

import (
	"iter"
	"slices"
	"time"
)

// A timeline has the facts in the answers of a host to GET /robots.txt. It is used after all
// requests are read.
type timeline struct {
	grace, slack int64 // seconds
	edge         int64
	wallClock

	given    []version
	versions []version // beginning when the answers show
	// soonest are the versions, beginning when the answers show if those of the hour that occurs
	// twice came in its first run.
	soonest []version
	late    []bool // by version: whether it begins later than given
	answers Answers

	// The seconds, in order, of the answers that hold for all robots: that there is no robots.txt,
	// and failed ones.
	nothing, down []int64
	outages       outages // of all robots
}

// newTimeline reads the answers of a host.
func newTimeline(o Options, s *site, answers iter.Seq[hit]) *timeline {
	t := &timeline{
		grace: seconds(o.Grace), slack: seconds(o.Slack), edge: seconds(o.Edge), wallClock: wallClock{o.Zone},
		given: s.versions, late: make([]bool, len(s.versions)),
	}
	t.shift(answers)
	for h := range answers {
		t.count(h)
		switch kindOfValue(h.value) {
		case nothing:
			t.nothing = t.appendTimes(t.nothing, h)
		case failed:
			t.down = t.appendTimes(t.down, h)
		}
	}
	t.nothing = t.unrefuted(inOrder(t.nothing), answers)
	t.down = t.unrefuted(inOrder(t.down), answers)
	t.outages = t.outagesFrom(t.down, answers)
	return t
}

// inOrder sorts seconds, and drops those that are there twice.
func inOrder(list []int64) []int64 {
	slices.Sort(list)
	return slices.Compact(list)
}

// refutedWithin is the number of seconds before and after an answer in which another client that
// reads robots.txt shows that the answer was for its client alone.
const refutedWithin = 60 * 60

// unrefuted returns the seconds of answers, in order, that hold for all robots: nobody read
// robots.txt from an hour before to an hour after them.
func (t *timeline) unrefuted(list []int64, answers iter.Seq[hit]) []int64 {
	if len(list) == 0 {
		return nil
	}
	more := make([]int, len(list)+1) // by index: how many more reads refute than at the one before
	for h := range answers {
		if kindOfValue(h.value) != read {
			continue
		}
		first, last := t.times(h)
		from, _ := slices.BinarySearch(list, last-refutedWithin)
		to, _ := slices.BinarySearch(list, first+refutedWithin+1)
		if from < to {
			more[from]++
			more[to]--
		}
	}
	kept, reads := list[:0], 0
	for i, second := range list {
		if reads += more[i]; reads == 0 {
			kept = append(kept, second)
		}
	}
	return kept
}

// count counts an answer.
func (t *timeline) count(h hit) {
	n := int64(h.count)
	switch kindOfValue(h.value) {
	case read:
		t.answers.Read += n
		first, last := t.times(h)
		if t.isOtherSize(h, first) && t.isOtherSize(h, last) {
			t.answers.OtherSize += n
		}
	case nothing:
		t.answers.Nothing += n
	case forbidden:
		t.answers.Forbidden += n
	case failed:
		t.answers.Failed += n
	}
}

// isOtherSize reports whether an answer has another size than the version in force at a second.
func (t *timeline) isOtherSize(h hit, second int64) bool {
	v := t.versions[at(t.versions, second)]
	size := sizeOfValue(h.value)
	return size >= 0 && v.state != Unknown && (v.state == Nothing || size != v.size)
}

// seconds returns a duration in seconds, rounded up.
func seconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// shift lets versions begin later, where answers with status 200 still have the length of the
// version before.
func (t *timeline) shift(answers iter.Seq[hit]) {
	first := shifted(t.given, answers, func(h hit) int64 { first, _ := t.times(h); return first })
	last := shifted(t.given, answers, func(h hit) int64 { _, last := t.times(h); return last })
	t.versions, t.soonest = slices.Clone(t.given), slices.Clone(t.given)
	for i, v := range t.given {
		t.late[i] = max(first[i], last[i]) != always
		t.versions[i].from = max(v.from, first[i], last[i])
		t.soonest[i].from = max(v.from, min(first[i], last[i]))
	}
	// A version that began after its end as given was never in force: it has the time of the next.
	for _, versions := range [][]version{t.versions, t.soonest} {
		for i := len(versions) - 2; i >= 0; i-- {
			versions[i].from = min(versions[i].from, versions[i+1].from)
		}
	}
}

// shifted returns when versions began, by the sizes of answers at their times. It is always for a
// version that no answer contradicts.
func shifted(given []version, answers iter.Seq[hit], time func(hit) int64) []int64 {
	old, begins := shownBy(given, answers, time)
	for i := range begins {
		switch {
		case old[i] == always:
			begins[i] = always
		case begins[i] == never:
			begins[i] = old[i] + 1
		}
	}
	return begins
}

// shownBy returns for each version the last answer with the size of the version before, or always,
// and the first answer with its own size after that, or never.
func shownBy(given []version, answers iter.Seq[hit], time func(hit) int64) (old, begins []int64) {
	old, begins = slices.Repeat([]int64{always}, len(given)), slices.Repeat([]int64{never}, len(given))
	each := func(use func(i int, second, size int64)) {
		for h := range answers {
			if size := sizeOfValue(h.value); kindOfValue(h.value) == read && size >= 0 {
				second := time(h)
				use(at(given, second), second, size)
			}
		}
	}
	each(func(i int, second, size int64) {
		if i > 0 && given[i-1].known && size == given[i-1].size {
			old[i] = max(old[i], second)
		}
	})
	each(func(i int, second, size int64) {
		if old[i] != always && second > old[i] && given[i].known && size == given[i].size {
			begins[i] = min(begins[i], second)
		}
	})
	return old, begins
}

// inForce reports whether a version was in force at any time.
func (t *timeline) inForce(i int) bool {
	return i+1 == len(t.versions) || t.versions[i].from < t.versions[i+1].from ||
		t.soonest[i].from < t.soonest[i+1].from
}

// until returns the last second of the window of versions that a robot may go by: a slack after the
// request, because the clock of its server may be late, and the order of the requests of a second
// is unknown.
func (t *timeline) until(second int64) int64 { return second + t.slack }

// anyWithin reports whether a list in order has a second in a period, both ends included.
func anyWithin(list []int64, from, to int64) bool {
	i, _ := slices.BinarySearch(list, from)
	return i < len(list) && list[i] <= to
}

// changedWithin reports whether a version may have begun in a period, both ends included.
func (t *timeline) changedWithin(from, to int64) bool {
	return at(t.soonest, to) != at(t.versions, from-1)
}

// Clocks are up to 14 hours ahead of UTC, and up to 12 hours behind: a time of such a clock, read
// as UTC, is that much too late or too early.
const (
	maxAhead  = 14 * 60 * 60
	maxBehind = 12 * 60 * 60
)

// mayHaveChanged reports whether a version began in a period, both ends included, whose times are
// those of a clock in an unknown zone.
func (t *timeline) mayHaveChanged(from, to int64) bool {
	return t.changedWithin(from-maxAhead, to+maxBehind)
}
