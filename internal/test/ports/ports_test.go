package ports

import (
	"net"
	"net/netip"
	"runtime"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestAddress takes more addresses than a process has hosts. A server can listen at each of them at
// the same time, and its clients have the address 127.0.0.1, as those of a server at 127.0.0.1.
func TestAddress(t *testing.T) {
	hosts := make(map[string]bool)
	for range 300 {
		address := Address(t)
		l, err := net.Listen("tcp", address)
		fatal.If(t, err)
		defer l.Close()
		c, err := net.Dial("tcp", address)
		fatal.If(t, err)
		defer c.Close()
		if got := c.LocalAddr().(*net.TCPAddr).IP.String(); got != "127.0.0.1" {
			t.Fatalf("the client of %s is %s", address, got)
		}
		host, _, _ := net.SplitHostPort(address)
		hosts[host] = true
	}
	if _, err := find("127.1.2.3"); err == nil && runtime.GOOS == "linux" && (len(hosts) != 254 || hosts["127.0.0.1"]) {
		t.Errorf("got %d hosts, want 254", len(hosts))
	}
}

// TestHost checks that processes with different numbers have different hosts, and two calls of each
// too.
func TestHost(t *testing.T) {
	seen := make(map[string]bool)
	for process := range uint32(254 * 254) {
		for n := range uint32(2) {
			h := host(process, process+n)
			b := netip.MustParseAddr(h).As4()
			if seen[h] || b[0] != 127 || min(b[1], b[2], b[3]) == 0 || max(b[1], b[2], b[3]) == 255 {
				t.Fatalf("the host of call %d in process %d is %s", process+n, process, h)
			}
			seen[h] = true
		}
	}
	if got := host(1<<32-1, 1<<32-1); !netip.MustParsePrefix("127.0.0.0/8").Contains(netip.MustParseAddr(got)) {
		t.Errorf("the last host is %s", got)
	}
}
