package audit

import "time"

// An Hour is what a robot did in an hour of UTC.
type Hour struct {
	Begin    time.Time `json:"begin"`
	Requests int64     `json:"requests"`
	Bytes    int64     `json:"bytes"`
	Errors   int64     `json:"5xx"` // answers 5xx
}

// The load of a row is a series with an hour as its second, and a number as the count. The values
// are stored in parts: never renumber them.
const (
	loadRequests = 0
	loadBytes    = 1
	loadErrors   = 2
)

// load counts in the present hour of a row. Requests come nearly in order, so the hour rarely changes.
type load struct {
	hour   int64
	counts [3]uint64
}

// addLoad counts a request.
func (t *tally) addLoad(w *row, second int64, bytes int64, failed bool) {
	if hour := floorDiv(second, 3600); hour != w.now.hour {
		t.flushLoad(w)
		w.now.hour = hour
	}
	w.now.counts[loadRequests]++
	w.now.counts[loadBytes] += uint64(max(0, bytes))
	if failed {
		w.now.counts[loadErrors]++
	}
}

// flushLoad keeps what was counted in the present hour.
func (t *tally) flushLoad(w *row) {
	for value, n := range w.now.counts {
		if n > 0 {
			t.hits.add(&w.load, hit{second: w.now.hour, value: uint64(value), count: n})
		}
	}
	w.now = load{}
}

// hours returns the load of a row.
func (w *row) hours() []Hour {
	var hours []Hour
	for h := range w.load.all {
		begin := clock(h.second * 3600)
		if n := len(hours); n == 0 || !hours[n-1].Begin.Equal(begin) {
			hours = append(hours, Hour{Begin: begin})
		}
		last := &hours[len(hours)-1]
		switch h.value {
		case loadRequests:
			last.Requests += int64(h.count)
		case loadBytes:
			last.Bytes += int64(h.count)
		case loadErrors:
			last.Errors += int64(h.count)
		}
	}
	return hours
}
