package audit

import (
	"slices"
	"sort"
	"time"

	"github.com/robotsexclusion/robots"
)

const daySeconds = 24 * 60 * 60

// A timetable has a value for each time of day, in UTC, such as a rate: its stretches in order. The
// last stretch continues after midnight, until the first one begins.
type timetable[T comparable] []stretch[T]

type stretch[T comparable] struct {
	from  int64 // the second of the day when it begins
	value T
}

// newTimetable gets the values from holds, at midnight and where windows begin and end.
func newTimetable[T comparable](windows []robots.Window, holds func(time.Time) T) timetable[T] {
	begins := []int64{0}
	for _, w := range windows {
		begins = append(begins, int64(w.From/time.Second)%daySeconds, int64(w.To/time.Second)%daySeconds)
	}
	slices.Sort(begins)
	var table timetable[T]
	for _, from := range slices.Compact(begins) {
		value := holds(clock(from))
		if n := len(table); n == 0 || table[n-1].value != value {
			table = append(table, stretch[T]{from, value})
		}
	}
	if n := len(table); n > 1 && table[0].value == table[n-1].value {
		table = table[1:]
	}
	return table
}

// at returns the value at a second. The value holds from since until before until.
func (t timetable[T]) at(second int64) (value T, since, until int64) {
	if len(t) == 1 {
		return t[0].value, always, never
	}
	midnight := floorDiv(second, daySeconds) * daySeconds
	next := sort.Search(len(t), func(i int) bool { return t[i].from > second-midnight })
	switch next {
	case 0:
		last := t[len(t)-1]
		return last.value, midnight - daySeconds + last.from, midnight + t[0].from
	case len(t):
		last := t[len(t)-1]
		return last.value, midnight + last.from, midnight + daySeconds + t[0].from
	}
	return t[next-1].value, midnight + t[next-1].from, midnight + t[next].from
}
