package audit

import (
	"iter"
	"slices"
	"sort"
	"time"
)

// A timeline has the facts in the answers of a host to GET /robots.txt. It is used after all
// requests are read.
type timeline struct {
	grace, slack int64 // seconds
	edge         int64
	zone         *time.Location

	versions []version // beginning when the answers show
	late     []bool    // by version: whether it begins later than given
	answers  Answers
	nothing  []int64 // the seconds of answers that there is no robots.txt, in order

	// standing are the periods in which robots could not read robots.txt, in order: from a failed
	// answer to the next other answer.
	standing []period
}

// A period is seconds, from inclusive, to exclusive.
type period struct {
	from, to int64
	before   int64 // seconds of all periods before
}

// maxStanding is how long robots may rely on a copy while robots.txt is unreachable, in seconds
// (RFC 9309, section 2.3.1.4).
const maxStanding = 30 * 24 * 60 * 60

// newTimeline reads the answers of a host, which are in order.
func newTimeline(o Options, s *site, answers iter.Seq[hit]) *timeline {
	t := &timeline{
		grace: seconds(o.Grace), slack: seconds(o.Slack), edge: seconds(o.Edge), zone: o.Zone,
		versions: slices.Clone(s.versions), late: make([]bool, len(s.versions)),
	}
	t.shift(answers)
	lastFailed := int64(always)
	for h := range answers {
		kind := kindOfValue(h.value)
		t.count(h)
		switch kind {
		case failed:
			lastFailed = h.second
			t.fail(h.second)
			continue
		case nothing:
			t.nothing = append(t.nothing, h.second)
		}
		if n := len(t.standing) - 1; n >= 0 && t.standing[n].to == maxSecond && h.second > t.standing[n].from {
			t.standing[n].to = h.second
			if lastFailed == h.second {
				// Which of the answers of a second was the last is unknown.
				t.fail(h.second)
			}
		}
	}
	for i := 1; i < len(t.standing); i++ {
		last := t.standing[i-1]
		t.standing[i].before = last.before + last.to - last.from
	}
	return t
}

// fail begins a period in which robots cannot read robots.txt, unless one has begun.
func (t *timeline) fail(second int64) {
	if n := len(t.standing) - 1; n < 0 || t.standing[n].to != maxSecond {
		t.standing = append(t.standing, period{from: second, to: maxSecond})
	}
}

// count counts an answer.
func (t *timeline) count(h hit) {
	n := int64(h.count)
	switch kindOfValue(h.value) {
	case read:
		t.answers.Read += n
		v := t.versions[at(t.versions, h.second)]
		if size := sizeOfValue(h.value); size >= 0 && v.state != Unknown && (v.state == Nothing || size != v.size) {
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

// seconds returns a duration in seconds, rounded up.
func seconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// shift lets versions begin later, where answers with status 200 still have the length of the
// version before.
func (t *timeline) shift(answers iter.Seq[hit]) {
	type shown struct{ old, next int64 } // the last answer of the version before, and the first of its own after that
	found := make([]shown, len(t.versions))
	given := slices.Clone(t.versions)
	for h := range answers {
		size := sizeOfValue(h.value)
		if kindOfValue(h.value) != read || size < 0 {
			continue
		}
		i := at(given, h.second)
		f := &found[i]
		switch {
		case i > 0 && given[i-1].known && size == given[i-1].size:
			*f = shown{old: h.second, next: always}
			t.late[i] = true
		case t.late[i] && f.next == always && given[i].known && size == given[i].size && h.second > f.old:
			f.next = h.second
		}
	}
	for i := range t.versions {
		if !t.late[i] {
			continue
		}
		t.versions[i].from = found[i].next
		if found[i].next == always {
			t.versions[i].from = found[i].old + 1
		}
	}
	// A version that began after its end as given was never in force: it has the time of the next.
	for i := len(t.versions) - 2; i >= 0; i-- {
		t.versions[i].from = min(t.versions[i].from, t.versions[i+1].from)
	}
}

// inForce reports whether a version was in force at any time.
func (t *timeline) inForce(i int) bool {
	return i+1 == len(t.versions) || t.versions[i].from < t.versions[i+1].from
}

// running returns how many seconds before a second do not stand, up to a constant.
func (t *timeline) running(second int64) int64 { return second - t.stood(second) }

// stood returns how many seconds before a second stand.
func (t *timeline) stood(second int64) int64 {
	i := sort.Search(len(t.standing), func(i int) bool { return t.standing[i].from >= second })
	if i == 0 {
		return 0
	}
	p := t.standing[i-1]
	return p.before + min(second, p.to) - p.from
}

// since returns the first second of the window of versions that a robot may go by: the last 24
// hours and 10 minutes, without the time that stands.
func (t *timeline) since(second int64) int64 {
	length := t.grace + t.slack + t.edge
	if len(t.standing) == 0 {
		return second - length
	}
	want := t.running(second) - length
	oldest := second - length - maxStanding
	// The first second whose running time is at least want, and that is not too old.
	n := sort.Search(int(second-oldest), func(i int) bool { return t.running(oldest+int64(i)) >= want })
	return oldest + int64(n)
}

// until returns the last second of the window: a slack after the request, because the clock of its
// server may be late, and the order of the requests of a second is unknown.
func (t *timeline) until(second int64) int64 { return second + t.slack }

// readNothing reports whether there was an answer that there is no robots.txt in a period, both
// ends included.
func (t *timeline) readNothing(from, to int64) bool { return anyWithin(t.nothing, from, to) }

// anyWithin reports whether a list in order has a second in a period, both ends included.
func anyWithin(list []int64, from, to int64) bool {
	i, _ := slices.BinarySearch(list, from)
	return i < len(list) && list[i] <= to
}

// changedWithin reports whether a version began in a period, both ends included.
func (t *timeline) changedWithin(from, to int64) bool {
	return at(t.versions, to) != at(t.versions, from-1)
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

// repeated returns the other second with the same time on the clock of the zone, in the hour that
// the end of daylight saving repeats.
func (t *timeline) repeated(second int64) (other int64, ok bool) {
	if t.zone == nil {
		return 0, false
	}
	_, offset := time.Unix(second, 0).In(t.zone).Zone()
	for _, other := range []int64{second - 3600, second + 3600, second - 1800, second + 1800} {
		_, o := time.Unix(other, 0).In(t.zone).Zone()
		if other+int64(o) == second+int64(offset) {
			return other, true
		}
	}
	return 0, false
}
