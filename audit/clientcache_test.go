package audit

import (
	"net/netip"
	"testing"

	"github.com/robotsexclusion/robots/agent"
)

// A cache never gives the result of another client or robot, and remembers most of the last clients.
func TestClientCache(t *testing.T) {
	var c clientCache
	const most = clientSlots / 4
	result := func(i int) agent.Result { return agent.Result(i % identities) }
	client := func(i int) netip.Addr { return netip.AddrFrom4([4]byte{192, byte(i >> 16), byte(i >> 8), byte(i)}) }
	for i := range most {
		slot, hash, _ := c.find(int32(i%5), client(i))
		put(slot, hash, result(i))
	}
	found := 0
	for i := range most {
		slot, _, ok := c.find(int32(i%5), client(i))
		if ok {
			found++
			if got := agent.Result(*slot & resultBits); got != result(i) {
				t.Fatalf("client %d: %v, want %v", i, got, result(i))
			}
		}
		if _, _, ok := c.find(int32(i%5+1), client(i)); ok {
			t.Fatalf("client %d is found for another robot", i)
		}
	}
	if found < most*7/10 {
		t.Errorf("%d clients found", found)
	}
}
