package monitorshare

import (
	"fmt"
	"time"
)

// formatNumber is the first number of a value. Stored: never renumber. An instance does not work with members of other numbers.
const formatNumber = 1

// maxLease limits what a value may say.
const maxLease = time.Hour

// formatHeartbeat returns the value of a member: the number of the form, that of the heartbeat, and its lease in milliseconds.
func formatHeartbeat(n uint64, lease time.Duration) []byte {
	return fmt.Appendf(nil, "%d %d %d", formatNumber, n, lease.Milliseconds())
}

// parseHeartbeat reads the value of a member.
func parseHeartbeat(value []byte) (n uint64, lease time.Duration, err error) {
	var number int
	var ms int64
	if _, err := fmt.Sscan(string(value), &number, &n, &ms); err != nil || number != formatNumber {
		return 0, 0, fmt.Errorf("a value of another version of the program, %.80q", value)
	}
	return n, min(max(0, time.Duration(ms)*time.Millisecond), maxLease), nil
}

// formatOwner returns the value of a part: the number of the form, its owner, and the lease of the owner in milliseconds.
func formatOwner(owner string, lease time.Duration) []byte {
	return fmt.Appendf(nil, "%d %s %d", formatNumber, owner, lease.Milliseconds())
}

// parseOwner reads the value of a part.
func parseOwner(value []byte) (owner string, lease time.Duration, err error) {
	var number int
	var ms int64
	if _, err := fmt.Sscan(string(value), &number, &owner, &ms); err != nil || number != formatNumber {
		return "", 0, fmt.Errorf("a value of another version of the program, %.80q", value)
	}
	return owner, min(max(0, time.Duration(ms)*time.Millisecond), maxLease), nil
}
