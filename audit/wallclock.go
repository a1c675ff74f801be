package audit

import "time"

// A wallClock is the clock of the logs whose times do not state the zone. The zone is nil if it is
// unknown.
type wallClock struct{ zone *time.Location }

// times returns the first and the last second at which an answer may have been given. They differ
// in the hour that the end of daylight saving repeats.
func (c wallClock) times(h hit) (first, last int64) {
	if h.value&unzonedAnswer != 0 {
		if other, ok := c.repeated(h.second); ok {
			return min(h.second, other), max(h.second, other)
		}
	}
	return h.second, h.second
}

// isDoubtful reports whether an answer may have been given at two seconds.
func (c wallClock) isDoubtful(h hit) bool {
	first, last := c.times(h)
	return first != last
}

// appendTimes appends the seconds at which an answer counts, without those that are there.
func (c wallClock) appendTimes(list []int64, h hit) []int64 {
	first, last := c.times(h)
	if n := len(list); n == 0 || list[n-1] != first {
		list = append(list, first)
	}
	if first != last {
		list = append(list, last)
	}
	return list
}

// placed appends an answer to those of a client, at each second at which it counts.
func (c wallClock) placed(list []hit, h hit) []hit {
	first, last := c.times(h)
	h.second = first
	list = append(list, h)
	if first != last {
		h.second = last
		list = append(list, h)
	}
	return list
}

// repeated returns the other second with the same time on the clock of the zone, in the hour that
// the end of daylight saving repeats.
func (c wallClock) repeated(second int64) (other int64, ok bool) {
	if c.zone == nil {
		return 0, false
	}
	_, offset := time.Unix(second, 0).In(c.zone).Zone()
	for _, other := range []int64{second - 3600, second + 3600, second - 1800, second + 1800} {
		_, o := time.Unix(other, 0).In(c.zone).Zone()
		if other+int64(o) == second+int64(offset) {
			return other, true
		}
	}
	return 0, false
}
