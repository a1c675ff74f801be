package audit

import (
	"slices"
	"time"

	"github.com/robotsexclusion/robots/agent"
)

// asks returns the pace that each version asks of the robot, or nil if none asks for a pace.
// Versions that ask the same have the same ask.
func (r *ruleSets) asks() []*ask {
	asks := make([]*ask, len(r.version))
	known := map[string]*ask{}
	for i, v := range r.version {
		if v.group == nil || !r.site.versions[i].paced {
			continue
		}
		delay, _ := v.group.CrawlDelay()
		a := newAsk(delay.Delay.Seconds(), v.group)
		if a == nil {
			continue
		}
		key := a.key()
		if known[key] == nil {
			known[key] = a
		}
		asks[i] = known[key]
	}
	if len(known) == 0 {
		return nil
	}
	return asks
}

// A pacer holds the pace of a robot at a host against what versions asked.
type pacer struct {
	*judge
	asks    []*ask // by version
	delays  bool   // the robot reads Crawl-delay as a pause between requests
	periods []PaceVersion

	first, last int // the versions of the last answer of within
	answer      []*ask

	requests []byte // a chunk of those of certain time
	seen     int64  // those before the present second
	trails   map[*ask]*trail
}

func newPacer(j *judge, asks []*ask, reads agent.Delay) *pacer {
	return &pacer{judge: j, asks: asks, delays: reads != agent.DelayRate, first: -1,
		periods: make([]PaceVersion, len(asks)), trails: map[*ask]*trail{}}
}

// addAll compares the requests of certain time with the asked pace.
func (p *pacer) addAll(host string, seconds *series, times placer) {
	var chunk chunkWriter
	for h := range seconds.all {
		if times.certain(h) {
			chunk.add(hit{second: h.second, count: h.count})
		}
	}
	p.requests = chunk.data
	last := int64(always)
	for r := (chunkReader{data: p.requests}); r.next(); last = r.hit.second {
		p.add(r.hit, last)
		p.seen += int64(r.hit.count)
	}
	for i := range p.periods {
		v := &p.periods[i]
		v.Host, v.Version = host, p.versions[i].id
		if p.versions[i].from != always {
			v.From = clock(p.versions[i].from)
		}
	}
}

// add adds the requests of a second. The last second with requests is before, or always.
func (p *pacer) add(h hit, last int64) {
	i := at(p.versions, h.second)
	v := &p.periods[i]
	v.Requests += int64(h.count)
	asks := p.within(p.since(h.second), h.second)
	if len(asks) == 0 {
		return
	}
	// Logs cut times to seconds, so a gap may be nearly one second longer than it seems.
	if delay := p.shortest(asks); last != always && float64(h.second-last+1) <= delay {
		v.Faster++
	}
	if p.shortest(asks) >= 1 {
		v.Faster += int64(h.count) - 1
	}
	if p.outside(asks, h.second) {
		v.Outside += int64(h.count)
	}
	v.Exceeded += p.exceeding(asks, h)
}

// within returns the asks of all versions that the robot may follow if its window begins at a
// second. It returns none if one of these versions asks for no pace. It is valid until the next
// call.
func (p *pacer) within(since, second int64) []*ask {
	until := p.until(second)
	if p.toldNothing(since, until) {
		return nil
	}
	first, last := at(p.versions, since), at(p.soonest, until)
	if first == p.first && last == p.last {
		return p.answer
	}
	p.first, p.last, p.answer = first, last, p.answer[:0]
	for i := first; i <= last; i++ {
		if i < last && !p.inForce(i) {
			continue
		}
		if p.asks[i] == nil {
			p.answer = p.answer[:0]
			break
		}
		if !slices.Contains(p.answer, p.asks[i]) {
			p.answer = append(p.answer, p.asks[i])
		}
	}
	return p.answer
}

// shortest returns the shortest Crawl-delay in seconds, or 0 if one asks for none.
func (p *pacer) shortest(asks []*ask) float64 {
	if !p.delays {
		return 0
	}
	shortest := asks[0].delay
	for _, a := range asks[1:] {
		shortest = min(shortest, a.delay)
	}
	return shortest
}

// outside reports whether a second is outside the times to visit, by more than the slack.
func (p *pacer) outside(asks []*ask, second int64) bool {
	for _, a := range asks {
		open, since, until := a.open.at(second)
		if open || second-p.slack < since || second+p.slack >= until {
			return false
		}
	}
	return true
}

// exceeding returns how many requests of a second exceed the rates. A robot that has just learned
// of a rate knows nothing of it in the period before, so the versions count that it may have gone
// by since then.
func (p *pacer) exceeding(asks []*ask, h hit) int64 {
	longest := int64(0)
	for _, a := range asks {
		r, _, _ := a.rate.at(h.second)
		if r == (rate{}) {
			return 0
		}
		longest = max(longest, r.period)
	}
	asks = p.within(p.since(h.second+1-longest), h.second)
	if len(asks) == 0 {
		return 0
	}
	count := int64(h.count)
	for _, a := range asks {
		count = min(count, p.beyond(a, h))
	}
	return count
}

// beyond returns how many requests of a second exceed the rate of one ask. A request exceeds the
// rate only if it does so wherever in their seconds the requests came, and if the rate certainly
// held at its time.
func (p *pacer) beyond(a *ask, h hit) int64 {
	r, since, until := a.rate.at(h.second)
	if r == (rate{}) || h.second-p.slack < since || h.second+p.slack >= until {
		return 0
	}
	first := h.second + 1 - r.period
	if since != always {
		first = max(first, since+p.slack)
	}
	t := p.trails[a]
	if t == nil {
		t = &trail{chunkReader: chunkReader{data: p.requests}}
		t.more = t.next()
		p.trails[a] = t
	}
	before := p.seen - t.before(first)
	return max(0, min(before+int64(h.count)-r.documents, int64(h.count)))
}

// A trail follows the requests of a pacer.
type trail struct {
	chunkReader
	more   bool
	passed int64
}

// before returns how many requests are before a second, which is not before that of the last call.
func (t *trail) before(second int64) int64 {
	for t.more && t.hit.second < second {
		t.passed += int64(t.hit.count)
		t.more = t.next()
	}
	return t.passed
}

// report returns the versions that asked for a pace and have requests.
func (p *pacer) report() (versions []PaceVersion) {
	for i, v := range p.periods {
		a := p.asks[i]
		if a == nil || v.Requests == 0 {
			continue
		}
		if a.delay > 0 {
			v.CrawlDelay = &a.delay
		}
		v.RequestRate, v.VisitTime = a.rateTexts(), a.visitTexts()
		versions = append(versions, v)
	}
	return versions
}

// A placer tells which times are certain.
type placer struct {
	*timeline
	calmFrom, calmTo int64 // no clock is changed near: exclusive of calmTo
}

// certain reports whether the time of requests is certain.
func (p *placer) certain(h hit) bool {
	if h.value&unzonedTime == 0 {
		return true
	}
	if p.zone == nil {
		return false
	}
	if p.calmFrom <= h.second && h.second < p.calmTo {
		return true
	}
	start, end := time.Unix(h.second, 0).In(p.zone).ZoneBounds()
	p.calmFrom, p.calmTo = always, never
	if !start.IsZero() {
		p.calmFrom = start.Unix() + 3600
	}
	if !end.IsZero() {
		p.calmTo = end.Unix() - 3600
	}
	_, repeated := p.repeated(h.second)
	return !repeated
}
