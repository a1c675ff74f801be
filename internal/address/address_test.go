package address_test

import (
	"net/netip"
	"testing"

	"github.com/robotsexclusion/robots/internal/address"
)

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"192.0.2.9": "192.0.2.9", "::ffff:192.0.2.9": "192.0.2.9", "::ffff:192.0.2.9%eth0": "192.0.2.9",
		"64:ff9b::c000:209": "192.0.2.9", "64:ff9b::192.0.2.9%1": "192.0.2.9", "::ffff:0:c000:209": "192.0.2.9",
		"2002:c000:209::1": "192.0.2.9", "2002:c000:209:1:2:3:4:5": "192.0.2.9",
		"2001:db8::c000:209": "2001:db8::c000:209", "fe80::1%eth0": "fe80::1",
		"64:ff9b:0:1::c000:209": "64:ff9b:0:1::c000:209",
		"64:ff9b:1::c000:209":   "64:ff9b:1::c000:209", "::c000:209": "::c000:209",
	} {
		if got := address.Plain(netip.MustParseAddr(text)); got != netip.MustParseAddr(want) {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	if got := address.Plain(netip.Addr{}); got.IsValid() {
		t.Errorf("no address: got %s", got)
	}
}

func TestInside(t *testing.T) {
	for _, text := range []string{
		"0.0.0.0", "0.1.2.3", "10.0.0.9", "100.64.0.1", "100.127.255.255", "127.0.0.1", "169.254.1.1", "172.16.0.1",
		"172.31.255.255", "192.0.0.8", "192.168.1.1", "224.0.0.1", "239.1.1.1", "240.0.0.1",
		"255.255.255.255", "::", "::1", "100::1", "64:ff9b:1::a00:9", "fc00::1", "fd12::1", "fe80::1", "fe80::1%eth0",
		"febf::1", "fec0::1", "ff02::1", "::ffff:10.0.0.9", "64:ff9b::10.0.0.9", "2002:a00:9::1", "::ffff:0:c0a8:101",
	} {
		if !address.Inside(netip.MustParseAddr(text)) {
			t.Errorf("%s: somebody on the Internet has it", text)
		}
	}
	for _, text := range []string{
		"1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
		"169.253.255.255", "172.15.255.255", "172.32.0.0", "192.0.1.1", "192.0.2.9", "192.167.255.255", "192.169.0.0",
		"198.18.0.1", "198.51.100.7", "203.0.113.7", "223.255.255.255", "101::1", "100:0:0:1::1",
		"2001:db8::1", "2606:4700::1", "fbff::1", "64:ff9b::192.0.2.9", "2002:c000:209::1", "64:ff9b:2::1",
	} {
		if address.Inside(netip.MustParseAddr(text)) {
			t.Errorf("%s: nobody on the Internet has it", text)
		}
	}
	if address.Inside(netip.Addr{}) {
		t.Error("no address is inside")
	}
}
