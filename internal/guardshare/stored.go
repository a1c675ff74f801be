package guardshare

import (
	"fmt"
	"time"

	"github.com/robotsexclusion/robots/guard"
)

// formatNumber is the first number of a value. Stored: never renumber. A guard reads no value with another number, and writes none in
// its place.
const formatNumber = 1

// format returns the value of a pace: the number of the form, both due times in microseconds since 1970 or 0, and the documents and the
// period in nanoseconds of the rate.
func format(p guard.Pace) []byte {
	return fmt.Appendf(nil, "%d %d %d %d %d", formatNumber, micros(p.Delay), micros(p.Rate), p.Documents, p.Period)
}

// parse reads a value.
func parse(value []byte) (p guard.Pace, err error) {
	var number int
	var delay, rate int64
	if n, err := fmt.Sscan(string(value), &number, &delay, &rate, &p.Documents, (*int64)(&p.Period)); n == 0 || number != formatNumber || err != nil {
		return guard.Pace{}, fmt.Errorf("a value of another form: %w", err)
	}
	p.Delay, p.Rate = fromMicros(delay), fromMicros(rate)
	return p, nil
}

func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func fromMicros(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(n)
}
