package guardshare

import (
	"fmt"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/guard"
)

// formatNumber is the first number of a value. Stored: never renumber. A guard reads no value with
// another number, and writes none in its place.
const formatNumber = 1

// format returns the value of a pace: the number of the form, both due times in microseconds since
// 1970 or 0, and the documents and the period in nanoseconds of the rate.
func format(p guard.Pace) []byte {
	return fmt.Appendf(nil, "%d %d %d %d %d", formatNumber, micros(p.Delay), micros(p.Rate), p.Documents, p.Period)
}

// parse reads a value.
func parse(value []byte) (p guard.Pace, err error) {
	var number int
	var delay, rate int64
	if n, err := fmt.Sscan(string(value), &number, &delay, &rate, &p.Documents, (*int64)(&p.Period)); n == 0 ||
		number != formatNumber || err != nil {
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

// The numbers of identities. Stored: never renumber.
const (
	identityVerified = 1
	identityForged   = 2
)

// formatIdentity returns the value of an identity: the number of the form, that of the identity,
// and until when it is good, in microseconds since 1970. An identity that is not known has no
// value.
func formatIdentity(result agent.Result, until time.Time) []byte {
	switch result {
	case agent.Verified:
		return fmt.Appendf(nil, "%d %d %d", formatNumber, identityVerified, until.UnixMicro())
	case agent.Forged:
		return fmt.Appendf(nil, "%d %d %d", formatNumber, identityForged, until.UnixMicro())
	}
	return nil
}

// parseIdentity reads a value, and says how long it is good: 0 for one that is old, or of another
// form.
func parseIdentity(value []byte, now time.Time) (result agent.Result, good time.Duration) {
	var number, identity int
	var until int64
	if n, err := fmt.Sscan(string(value), &number, &identity, &until); n == 0 || number != formatNumber || err != nil {
		return agent.Unverifiable, 0
	}
	switch identity {
	case identityVerified:
		result = agent.Verified
	case identityForged:
		result = agent.Forged
	default:
		return agent.Unverifiable, 0
	}
	return result, min(max(0, time.UnixMicro(until).Sub(now)), identityAge)
}
