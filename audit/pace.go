package audit

import (
	"maps"
	"slices"

	"github.com/robotsexclusion/robots/agent"
)

// paces measures how fast a robot requested.
type paces struct {
	gaps   map[int64]int64 // how many gaps have a length in seconds
	faster int64
	peak   int64
	asked  float64
}

// add measures the requests of a robot to one host. The judge is nil if the host is not judged.
func (p *paces) add(requests *series, reads agent.Delay, j *judge) {
	if p.gaps == nil {
		p.gaps = map[int64]int64{}
	}
	var delays *delays
	if j != nil && reads != agent.DelayIgnored && reads != agent.DelayRate {
		delays = newDelays(j)
	}
	last, minute, inMinute := int64(always), int64(always), int64(0)
	for h := range requests.all {
		if m := floorDiv(h.second, 60); m != minute {
			minute, inMinute = m, 0
		}
		inMinute += int64(h.count)
		p.peak = max(p.peak, inMinute)
		var asked float64
		if delays != nil {
			asked = delays.shortest(h.second)
		}
		if last != always {
			p.addGaps(h.second-last, 1, asked)
		}
		p.addGaps(0, int64(h.count)-1, asked)
		last = h.second
	}
}

// addGaps adds gaps of one length. Logs cut times to seconds, so a gap may be nearly one second
// longer than it seems.
func (p *paces) addGaps(gap, count int64, asked float64) {
	if count == 0 {
		return
	}
	p.gaps[gap] += count
	if float64(gap+1) <= asked {
		p.faster += count
	}
}

// median returns the median of the gaps in seconds, or nil if there are none.
func (p *paces) median() *float64 {
	var total int64
	for _, n := range p.gaps {
		total += n
	}
	if total == 0 {
		return nil
	}
	var sum float64
	var seen int64
	low, high := (total-1)/2, total/2
	for _, gap := range slices.Sorted(maps.Keys(p.gaps)) {
		n := p.gaps[gap]
		if seen <= low && low < seen+n {
			sum += float64(gap)
		}
		if seen <= high && high < seen+n {
			sum += float64(gap)
		}
		seen += n
	}
	median := sum / 2
	return &median
}

// delays are the Crawl-delays of a host for a robot.
type delays struct {
	*judge
	none        bool // no version asks for a delay
	first, last int  // the versions of the last answer
	answer      float64
}

func newDelays(j *judge) *delays {
	d := &delays{judge: j, none: true, first: -1}
	for _, v := range j.rules.version {
		d.none = d.none && v.delay == 0
	}
	return d
}

// shortest returns the shortest delay among the versions that the robot may go by at a second, in
// seconds. A version without one has 0.
func (d *delays) shortest(second int64) float64 {
	if d.none {
		return 0
	}
	since := d.since(second)
	if d.readNothing(since, second) || anyWithin(d.forbidden, since, second) {
		return 0
	}
	first, last := at(d.versions, since), at(d.versions, second)
	if first == d.first && last == d.last {
		return d.answer
	}
	d.first, d.last, d.answer = first, last, d.rules.version[last].delay
	for i := first; i < last; i++ {
		if d.inForce(i) {
			d.answer = min(d.answer, d.rules.version[i].delay)
		}
	}
	return d.answer
}

// floorDiv returns the quotient, rounded down.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
