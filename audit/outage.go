package audit

import (
	"cmp"
	"iter"
	"slices"
	"sort"
)

// outages are the periods in which robots could not read robots.txt, in order: from a failed answer
// to the next other answer. Time stands still in them.
type outages []period

// A period is seconds, from inclusive, to exclusive.
type period struct {
	from, to int64
	before   int64 // seconds of all periods before
}

// maxStanding is how long robots may rely on a copy while robots.txt is unreachable, in seconds
// (RFC 9309, section 2.3.1.4).
const maxStanding = 30 * 24 * 60 * 60

// outagesFrom returns the outages that begin at the seconds of failed answers, in order, and end at
// the next answer that is not failed. Which of the answers of a second was the last is unknown. An
// answer of the hour that occurs twice ends an outage only if it came later in both cases.
func (t *timeline) outagesFrom(down []int64, answers iter.Seq[hit]) outages {
	if len(down) == 0 {
		return nil
	}
	ends := make([]int64, len(down))
	for i := range ends {
		ends[i] = maxSecond
	}
	for h := range answers {
		if kindOfValue(h.value) == failed {
			continue
		}
		first, last := t.times(h)
		if i, _ := slices.BinarySearch(down, first); i > 0 { // the failed answers before it
			ends[i-1] = min(ends[i-1], last)
		}
	}
	var list []period
	end := int64(maxSecond)
	for i, from := range slices.Backward(down) {
		end = min(end, ends[i])
		list = append(list, period{from: from, to: end})
	}
	return joinPeriods(list)
}

// joinPeriods returns periods in order, those that overlap as one.
func joinPeriods(list []period) (joined outages) {
	slices.SortFunc(list, func(p, q period) int { return cmp.Compare(p.from, q.from) })
	for _, p := range list {
		n := len(joined) - 1
		if n >= 0 && p.from <= joined[n].to {
			joined[n].to = max(joined[n].to, p.to)
			continue
		}
		if n >= 0 {
			last := joined[n]
			p.before = last.before + last.to - last.from
		}
		joined = append(joined, p)
	}
	return joined
}

// running returns how many seconds before a second do not stand, up to a constant.
func (o outages) running(second int64) int64 { return second - o.stood(second) }

// stood returns how many seconds before a second stand.
func (o outages) stood(second int64) int64 {
	i := sort.Search(len(o), func(i int) bool { return o[i].from >= second })
	if i == 0 {
		return 0
	}
	p := o[i-1]
	return p.before + min(second, p.to) - p.from
}

// back returns the first second of a window that ends at a second, and has a length in seconds
// without the time that stands.
func (o outages) back(second, length int64) int64 {
	if len(o) == 0 {
		return second - length
	}
	want := o.running(second) - length
	oldest := second - length - maxStanding
	// The first second whose running time is at least want, and that is not too old.
	n := sort.Search(int(second-oldest), func(i int) bool { return o.running(oldest+int64(i)) >= want })
	return oldest + int64(n)
}
