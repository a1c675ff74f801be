package guard_test

import (
	"fmt"
	"net/netip"
	"os"
	"runtime"
	"strconv"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/nameserver"
)

// TestMemory checks that the memory does not grow with the number of clients: each request comes
// from another address, and every second one has a header that no other has. It logs the memory;
//
//	ROBOTS_GUARD_ADDRESSES=10000000 go test -run TestMemory -v ./guard
//
// measures it with ten million addresses.
func TestMemory(t *testing.T) {
	corpus.Unraced(t)
	addresses := 100_000
	if n, err := strconv.Atoi(os.Getenv("ROBOTS_GUARD_ADDRESSES")); err == nil {
		addresses = n
	}
	server := nameserver.Start(t, googlebotZone)
	server.Forget()
	ids := &guard.Identities{Verifier: &agent.Verifier{Server: server.Address()}, DNS: true}
	defer ids.Close()
	g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte(text + "Crawl-delay: 1\n"))), Identities: ids}
	memory := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	r := request(t, "/x", googlebot)
	before, highest := memory(), int64(0)
	for i := range addresses {
		r.RemoteAddr = netip.AddrPortFrom(netip.AddrFrom4([4]byte{11, byte(i >> 16), byte(i >> 8), byte(i)}),
			uint16(i>>24)+1).String()
		r.Header["User-Agent"] = []string{googlebot}
		if i%2 == 1 {
			r.Header["User-Agent"] = []string{fmt.Sprintf("Hostile%dBot/1.0 (%0200d)", i, i)}
		}
		g.Decide(r)
		if i%(addresses/10) == addresses/10-1 {
			highest = max(highest, memory()-before)
		}
	}
	answered, dropped, _ := ids.Lookups()
	t.Logf("%d addresses, %d headers: %.1f MB more at most; %d lookups, %d dropped", addresses, addresses/2+1,
		float64(highest)/1e6, answered, dropped)
	if limit := int64(64 << 20); highest > limit {
		t.Errorf("the memory grows by %d bytes, more than %d", highest, limit)
	}
	runtime.KeepAlive(g)
}
