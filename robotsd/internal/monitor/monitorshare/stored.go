package monitorshare

import (
	"fmt"
	"time"
)

// formatNumber is the first number of a value. Stored: never renumber. An instance does not work
// with members of other numbers.
const formatNumber = 1

// maxLease limits what a value may say.
const maxLease = time.Hour

// formatHeartbeat returns the value of a member: the number of the form, that of the heartbeat, and
// its lease in milliseconds.
func formatHeartbeat(n uint64, lease time.Duration) []byte {
	return fmt.Appendf(nil, "%d %d %d", formatNumber, n, lease.Milliseconds())
}

// formatOwner returns the value of a part: the number of the form, its owner, and the lease of the
// owner in milliseconds.
func formatOwner(owner string, lease time.Duration) []byte {
	return fmt.Appendf(nil, "%d %s %d", formatNumber, owner, lease.Milliseconds())
}

// parseHeartbeat and parseOwner read what the value of a member and of a part is about, and the
// lease.
func parseHeartbeat(value []byte) (n uint64, lease time.Duration, err error) {
	return parse[uint64](value)
}

func parseOwner(value []byte) (owner string, lease time.Duration, err error) {
	return parse[string](value)
}

func parse[T any](value []byte) (subject T, lease time.Duration, err error) {
	var number int
	var ms int64
	if _, err := fmt.Sscan(string(value), &number, &subject, &ms); err != nil || number != formatNumber {
		var none T
		return none, 0, fmt.Errorf("a value of another version of the program, %.80q", value)
	}
	return subject, min(max(0, time.Duration(ms)*time.Millisecond), maxLease), nil
}
