package audit

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// An Hour counts the requests of a robot in an hour of UTC, or, in Robot.Days, in a day.
type Hour struct {
	Begin    time.Time `json:"begin"`
	Requests int64     `json:"requests"`
	Bytes    int64     `json:"bytes"`
	Errors   int64     `json:"5xx"` // answers 5xx

	Violations *Count `json:"violations,omitempty"` // disallowed requests, or nil without any
}

// The load of a robot is a series with the number of a period as its second, and a number as the
// count. The values are stored in parts: never renumber them.
const (
	loadRequests = 0
	loadBytes    = 1
	loadErrors   = 2
)

// The load of robots in no table is by hour, or left out. That of robots of the table is by hour,
// by day, or left out. The numbers are stored in parts: never renumber them.
const (
	byHour = 0
	byDay  = 1
	unkept = 2
)

// periodSize is the length of a period in seconds.
var periodSize = [...]int64{byHour: 60 * 60, byDay: 24 * 60 * 60}

// maxKnownPeriods is the maximum number of periods of all robots of the table together: sixty
// robots in each hour of a year, or as many robots as the table has in each day of two years.
// maxOtherPeriods is the maximum for all other robots, whose names strangers write: 360 robots in
// each hour of a month.
//
// They are variables for tests only.
var (
	maxKnownPeriods = 1 << 19
	maxOtherPeriods = 1 << 18
)

// A load counts in the present period of a robot. Requests come nearly in order, so the period
// rarely changes.
type load struct {
	from, to int64 // the seconds of the period, without to
	counts   [3]uint64
}

// A loadKeeper limits what is kept of the load of many robots: of those in the table, or of all
// others. Its decisions are the same in any order of the requests.
//
// Robots of the table are never dropped, so their periods only become more. If there are too many
// hours, then there are too many in any order, and the load is by day.
//
// A robot in no table may give way to one with a smaller hash, and takes its hours with it. So
// nothing may depend on the sum of all hours. The load is kept of those with the smallest hashes,
// as long as their hours together are not too many: more requests, and more robots, only make the
// sum up to a hash grow.
type loadKeeper struct {
	most  int    // periods
	unit  int    // byHour, byDay or unkept
	below uint64 // the load of robots in no table is kept below this hash
	count int    // of periods, which count several times while they are in several chunks
}

// keeps reports whether the load of a robot is kept.
func (k *loadKeeper) keeps(robot *robotTally) bool {
	return k.unit < unkept && (robot.agent.Known() || robot.hash < k.below)
}

// loads are the loads of the robots of a tally.
type loads struct {
	known, unknown loadKeeper // of the robots of the table, and of all others
	robots         map[robotKey]*robotTally
	hits           *hitBuffer
}

// newLoads returns the loads of robots, whose hits are collected in a buffer.
func newLoads(robots map[robotKey]*robotTally, hits *hitBuffer) loads {
	return loads{loadKeeper{most: maxKnownPeriods}, loadKeeper{most: maxOtherPeriods, below: math.MaxUint64}, robots,
		hits}
}

// add counts a request that is not forged.
func (l *loads) add(robot *robotTally, second int64, bytes int64, failed bool) {
	now := &robot.now
	if second < now.from || second >= now.to {
		l.begin(robot, second)
	}
	now.counts[loadRequests]++
	now.counts[loadBytes] += uint64(max(0, bytes))
	if failed {
		now.counts[loadErrors]++
	}
}

// begin keeps what was counted in the present period of a robot, and begins that of a second.
func (l *loads) begin(robot *robotTally, second int64) {
	l.flush(robot)
	if k := robot.keeper; k.count > 2*k.most {
		l.limit(k)
	}
	robot.now = load{from: math.MinInt64, to: math.MaxInt64} // counts for nothing
	if k := robot.keeper; k.keeps(robot) {
		size := periodSize[k.unit]
		robot.now.from = floorDiv(second, size) * size
		robot.now.to = robot.now.from + size
	}
}

// flush keeps what was counted in the present period of a robot.
func (l *loads) flush(robot *robotTally) {
	if k := robot.keeper; robot.now.counts[loadRequests] > 0 && k.keeps(robot) {
		for value, n := range robot.now.counts {
			if n > 0 {
				l.hits.add(&robot.load, hit{second: floorDiv(robot.now.from, periodSize[k.unit]), value: uint64(value),
					count: n})
			}
		}
		k.count++
	}
	robot.now = load{}
}

// limitAll cuts the loads down to their limits. The hits must be flushed. It is called for the
// requests of a part, after which the load does not depend on their order.
func (l *loads) limitAll() {
	for _, k := range []*loadKeeper{&l.known, &l.unknown} {
		if k.count > k.most {
			l.limit(k)
		}
	}
}

// limit cuts the loads of a keeper's robots down to their limit.
func (l *loads) limit(k *loadKeeper) {
	var robots []*robotTally
	for _, robot := range l.robots {
		if robot.keeper == k && k.keeps(robot) {
			l.flush(robot)
			robots = append(robots, robot)
		}
	}
	l.hits.flush()
	if k == &l.unknown {
		k.leaveOut(robots)
	} else {
		k.coarsen(robots)
	}
}

// leaveOut leaves out the load of the robots with the largest hashes, if the hours of all are too
// many.
func (k *loadKeeper) leaveOut(robots []*robotTally) {
	slices.SortFunc(robots, func(a, b *robotTally) int { return cmp.Compare(a.hash, b.hash) })
	k.count = 0
	for _, robot := range robots {
		n := robot.load.periods()
		if k.count+n > k.most {
			k.below = robot.hash
			break
		}
		k.count += n
	}
	for _, robot := range robots {
		if !k.keeps(robot) { // also robots before it with the same hash
			robot.load = series{}
		}
	}
}

// coarsen makes hours days if all are too many, and leaves out the load if the days are too many.
func (k *loadKeeper) coarsen(robots []*robotTally) {
	for {
		k.count = 0
		for _, robot := range robots {
			k.count += robot.load.periods()
		}
		if k.count <= k.most {
			return
		}
		k.widen(robots, k.unit+1)
	}
}

// widen gives the load of robots another unit.
func (k *loadKeeper) widen(robots []*robotTally, unit int) {
	for ; k.unit < unit; k.unit++ {
		for _, robot := range robots {
			if k.unit+1 == unkept {
				robot.load = series{}
				continue
			}
			robot.load = robot.load.joined(periodSize[k.unit+1] / periodSize[k.unit])
		}
	}
}

// periods returns the number of different seconds.
func (s *series) periods() (n int) {
	last := int64(always)
	for h := range s.all {
		if h.second != last {
			n++
			last = h.second
		}
	}
	return n
}

// joined returns a series in which some seconds in turn are one, numbered from 0 at 1970 on.
func (s *series) joined(seconds int64) (out series) {
	var w chunkWriter
	var counts [3]uint64
	last := int64(always)
	flush := func() {
		for value, n := range counts {
			if n > 0 {
				w.add(hit{second: last, value: uint64(value), count: n})
			}
		}
		counts = [3]uint64{}
	}
	for h := range s.all {
		if second := floorDiv(h.second, seconds); second != last {
			flush()
			last = second
		}
		counts[h.value%uint64(len(counts))] += h.count
	}
	flush()
	if len(w.data) > 0 {
		out.append(slices.Clip(w.data))
	}
	return out
}

// align prepares the loads of two tallies for a join: each leaves out what the other leaves out.
func (l *loads) align(other *loads) {
	unit, below := max(l.known.unit, other.known.unit), min(l.unknown.below, other.unknown.below)
	for _, x := range []*loads{l, other} {
		var known []*robotTally
		for _, robot := range x.robots {
			switch {
			case robot.keeper == &x.known:
				known = append(known, robot)
			case robot.hash >= below:
				robot.load = series{}
			}
		}
		x.known.widen(known, unit)
		x.unknown.below = below
	}
	l.known.count += other.known.count
	l.unknown.count += other.unknown.count
}

// A periodCounter counts the disallowed requests of a robot by the periods of its load.
type periodCounter struct {
	size    int64 // of a period in seconds, or 0 to count nothing
	periods map[int64]*Count
}

// newPeriodCounter returns a counter for a robot.
func newPeriodCounter(robot *robotTally) *periodCounter {
	c := &periodCounter{periods: map[int64]*Count{}}
	if robot.keeper.keeps(robot) {
		c.size = periodSize[robot.keeper.unit]
	}
	return c
}

// add counts requests of a class.
func (c *periodCounter) add(h hit, class Class) {
	if c.size == 0 {
		return
	}
	period := floorDiv(h.second, c.size)
	n := c.periods[period]
	if n == nil {
		n = &Count{}
		c.periods[period] = n
	}
	n.add(class, h.count)
}

// hours returns the load of a robot by hour or by day, with the disallowed requests of each.
func (robot *robotTally) hours(disallowed *periodCounter) (hours, days []Hour) {
	if !robot.keeper.keeps(robot) {
		return nil, nil
	}
	size := periodSize[robot.keeper.unit]
	list := make([]Hour, 0, robot.load.periods())
	for h := range robot.load.all {
		begin := clock(h.second * size)
		if n := len(list); n == 0 || !list[n-1].Begin.Equal(begin) {
			list = append(list, Hour{Begin: begin, Violations: disallowed.periods[h.second]})
		}
		last := &list[len(list)-1]
		switch h.value {
		case loadRequests:
			last.Requests += int64(h.count)
		case loadBytes:
			last.Bytes += int64(h.count)
		case loadErrors:
			last.Errors += int64(h.count)
		}
	}
	switch {
	case len(list) == 0:
		return nil, nil
	case robot.keeper.unit == byDay:
		return nil, list
	}
	return list, nil
}

// storedLoads describes the loads of robots.
type storedLoads struct {
	Known   int    `json:"known"`   // byHour, byDay or unkept
	Unknown uint64 `json:"unknown"` // the load of robots in no table is kept below this hash
}

// stored returns the loads in the form of a part.
func (l *loads) stored() *storedLoads { return &storedLoads{l.known.unit, l.unknown.below} }

// restore adds the loads of a part, before its robots.
func (l *loads) restore(s *storedLoads) error {
	if s.Known < byHour || s.Known > unkept || len(l.robots) > 0 {
		return errDamaged
	}
	l.known.unit, l.unknown.below = s.Known, s.Unknown
	return nil
}

// restoreLoad adds the load of a robot.
func (robot *robotTally) restoreLoad(chunks [][]byte) error {
	if len(chunks) == 0 {
		return nil
	}
	if robot.dropped || !robot.keeper.keeps(robot) {
		return errDamaged
	}
	for _, chunk := range chunks {
		if err := checkLoad(chunk, periodSize[robot.keeper.unit]); err != nil {
			return err
		}
		robot.load.append(chunk)
	}
	robot.keeper.count += robot.load.periods()
	return nil
}

// checkLoad returns an error if a chunk from elsewhere is not a load in periods of a size in
// seconds.
func checkLoad(chunk []byte, size int64) error {
	if err := checkChunk(chunk); err != nil {
		return err
	}
	for r := (chunkReader{data: chunk}); r.next(); {
		if r.hit.client.IsValid() || r.hit.value > loadErrors || max(r.hit.second, -r.hit.second) > maxSecond/size {
			return errChunk
		}
	}
	return nil
}
