package audit

import (
	"fmt"
	"testing"
)

// A cache never gives the robot of another header, and remembers most of the last headers.
func TestHeaderCache(t *testing.T) {
	var c headerCache
	robots := map[string]*robotTally{}
	for i := range maxSlots + maxSlots/4 {
		header := fmt.Sprint("header ", i)
		robot := &robotTally{}
		if i%3 == 0 {
			robot = nil
		}
		robots[header] = robot
		c.put(secretHash([]byte(header)), robot)
	}
	if len(c.slots) != maxSlots {
		t.Errorf("%d slots", len(c.slots))
	}
	found := 0
	for header, want := range robots {
		if got, ok := c.find(secretHash([]byte(header))); ok {
			found++
			if got != want {
				t.Fatalf("%s: another robot", header)
			}
		}
	}
	if found < maxSlots*8/10 {
		t.Errorf("%d headers found", found)
	}
	if _, ok := c.find(secretHash([]byte("another"))); ok {
		t.Error("a header that was never put is found")
	}
}
