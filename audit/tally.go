package audit

// The value of a request in a series.
const (
	zonedTime   = 0
	unzonedTime = 1 // the line does not state the zone
)
