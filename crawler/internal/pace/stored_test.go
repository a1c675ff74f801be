package pace

import (
	"encoding/hex"
	"net/netip"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// storedReasons are the names of the reasons by number, as stored by crawls on disks. Add
// new reasons as lines at the end. Never change another line.
var storedReasons = []string{
	0:  "ready",
	1:  "busy",
	2:  "delay",
	3:  "slow",
	4:  "crawl-delay",
	5:  "request-rate",
	6:  "visit-time",
	7:  "retry-after",
	8:  "refused",
	9:  "failed",
	10: "unreachable",
	11: "interrupted",
	12: "address-gap",
	13: "address-budget",
}

// TestStored fixes the reasons, and the form of a host.
func TestStored(t *testing.T) {
	if len(storedReasons) != len(reasons) {
		t.Errorf("%d reasons, %d golden ones: a new one goes to the end of both lists", len(reasons),
			len(storedReasons))
	}
	for number, name := range storedReasons {
		if got := Reason(number).String(); got != name {
			t.Errorf("reason %d is called %q, and %q in crawls on disks", number, got, name)
		}
	}

	at := time.UnixMilli(1_800_000_000_123).UTC()
	h := Host{
		delay: pause{10 * time.Second, 3}, visits: []robots.Window{{From: time.Hour, To: 2 * time.Hour}},
		rates: []rate{{pause{time.Second, 4}, nil},
			{pause{time.Minute, 5}, &robots.Window{From: time.Hour, To: 3 * time.Hour}}},
		ended: at, took: time.Second, blocked: at.Add(time.Minute), why: RetryAfter, strikes: 2, struck: at,
		place: place{netip.MustParseAddr("192.0.2.1"), at, 6},
	}
	form, err := h.AppendBinary(nil)
	fatal.If(t, err)
	const want = "02fca0f1c2b134dcf5f4c2b134fca0f1c2b1348094ebdc03070280c8afa02503028094ebdc03040080b09dc2df01050180c0e285e36880c0a791a9ba0" +
		"20180c0e285e3688080c58bc6d10104c0000201fca0f1c2b13406"
	if got := hex.EncodeToString(form); got != want {
		t.Errorf("a host is\n%s\nand in crawls on disks\n%s\nA new form needs a new version, and the one before must still be read.", got, want)
	}
	// Version 1 ended before the address.
	first := append([]byte{version1}, form[1:len(form)-len("\x04abcd")-7]...)
	if err := new(Host).UnmarshalBinary(first); err != nil {
		t.Errorf("version 1: %v", err)
	}
}
