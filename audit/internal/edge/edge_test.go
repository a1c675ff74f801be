package edge

import (
	"net/netip"
	"testing"
)

func TestProxy(t *testing.T) {
	for _, c := range []struct {
		address          string
		published, proxy bool
	}{
		{"162.158.62.29", true, true},
		{"172.70.1.9", true, true},
		{"2606:4700:3033::6815:1", true, true},
		{"151.101.1.1", true, true},
		{"130.176.4.5", true, true},
		{"2a04:4e42::1", true, true},
		{"35.191.8.1", true, true},
		{"130.211.1.4", true, true},
		{"147.243.9.9", true, true},
		{"45.60.1.1", true, true},
		{"192.88.135.9", true, true},
		{"64:ff9b::162.158.62.29", true, true},
		{"10.0.0.1", false, true},
		{"64:ff9b::10.0.0.1", false, true},
		{"127.0.0.1", false, true},
		{"100.64.0.9", false, true},
		{"fd00::1", false, true},
		{"169.254.1.1", false, true},
		{"104.28.1.1", false, false}, // people behind WARP
		{"66.249.66.1", false, false},
		{"203.0.113.7", false, false},
		{"2001:db8::1", false, false},
		{"100.128.0.1", false, false},
	} {
		a := netip.MustParseAddr(c.address)
		if got := Published(a); got != c.published {
			t.Errorf("Published(%s) = %v", a, got)
		}
		if got := Proxy(a); got != c.proxy {
			t.Errorf("Proxy(%s) = %v", a, got)
		}
	}
}
