package audit

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/agent"
)

// paces measures how fast a robot requested.
type paces struct {
	gaps     gapCounts
	peak     int64
	judged   int64
	delay    float64       // the longest Crawl-delay in force for it
	slowest  rate          // of the Request-rates in force for it
	narrow   *ask          // of the Visit-times in force for it, those with the least time
	versions []PaceVersion // those that ask for a pace, by place
}

// add measures the requests of a robot to a host, which j judges.
func (p *paces) add(host string, w *row, reads agent.Delay, j *judge) {
	times := placer{timeline: j.timeline}
	last, minute, inMinute := int64(always), int64(always), int64(0)
	for h := range w.seconds.all {
		if m := floorDiv(h.second, 60); m != minute {
			minute, inMinute = m, 0
		}
		inMinute += int64(h.count)
		p.peak = max(p.peak, inMinute)
		if last != always {
			p.gaps.add(h.second-last, 1)
		}
		if h.count > 1 {
			p.gaps.add(0, int64(h.count)-1)
		}
		last = h.second
		if reads != agent.DelayIgnored && times.certain(h) {
			p.judged += int64(h.count)
		}
	}
	asks := j.rules.asks()
	if asks == nil || w.Judgeable == 0 {
		return
	}
	p.addAsked(j, asks, w)
	if reads == agent.DelayIgnored {
		return
	}
	c := newPacer(j, asks, reads)
	c.addAll(host, &w.seconds.series, times)
	p.versions = append(p.versions, c.report()...)
}

// addAsked adds what versions asked that were in force between the first and the last request.
func (p *paces) addAsked(j *judge, asks []*ask, w *row) {
	for i := at(j.versions, w.First); i <= at(j.versions, w.Last); i++ {
		a := asks[i]
		if a == nil || !j.inForce(i) {
			continue
		}
		p.delay = max(p.delay, a.delay)
		if len(a.rates) > 0 {
			p.slowest = slower(p.slowest, a.slowest())
		}
		if len(a.visits) > 0 && (p.narrow == nil || cmp.Or(cmp.Compare(a.openFor(), p.narrow.openFor()),
			slices.Compare(a.visitTexts(), p.narrow.visitTexts())) < 0) {
			p.narrow = a
		}
	}
}

// report returns the pace of a robot.
func (p *paces) report() Pace {
	out := Pace{Median: p.gaps.median(), Peak: p.peak, Judged: p.judged, Versions: []PaceVersion{}}
	if p.delay > 0 {
		out.Asked = &p.delay
	}
	if p.slowest != (rate{}) {
		out.RequestRate = &RequestRate{Asked: p.slowest.String()}
	}
	if p.narrow != nil {
		out.VisitTime = &VisitTime{Asked: strings.Join(p.narrow.visitTexts(), ", ")}
	}
	slices.SortStableFunc(p.versions, func(v, w PaceVersion) int { return strings.Compare(v.Host, w.Host) })
	for _, v := range p.versions {
		out.Versions = append(out.Versions, v)
		out.Faster += v.Faster
		if out.RequestRate != nil {
			out.RequestRate.Exceeded += v.Exceeded
		}
		if out.VisitTime != nil {
			out.VisitTime.Outside += v.Outside
		}
	}
	return out
}

// gapCounts says how many gaps have a length in seconds. Most gaps are short.
type gapCounts struct {
	short [256]int64 // by length
	long  map[int64]int64
}

// add adds gaps of a length, which is not below 0.
func (g *gapCounts) add(length, count int64) {
	if length < int64(len(g.short)) {
		g.short[length] += count
		return
	}
	if g.long == nil {
		g.long = map[int64]int64{}
	}
	g.long[length] += count
}

// all yields the lengths that gaps have, in order, and how many have each.
func (g *gapCounts) all(yield func(length, count int64) bool) {
	for length, n := range g.short {
		if n > 0 && !yield(int64(length), n) {
			return
		}
	}
	for _, length := range slices.Sorted(maps.Keys(g.long)) {
		if !yield(length, g.long[length]) {
			return
		}
	}
}

// median returns the median of the gaps in seconds, or nil if there are none.
func (g *gapCounts) median() *float64 {
	var total int64
	for _, n := range g.all {
		total += n
	}
	if total == 0 {
		return nil
	}
	var sum float64
	var seen int64
	low, high := (total-1)/2, total/2
	for gap, n := range g.all {
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

// floorDiv returns the quotient, rounded down.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
