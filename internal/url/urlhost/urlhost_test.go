package urlhost

import (
	"net/netip"
	"strings"
	"testing"
)

// The cases are in the order of the URL Standard, section 3.5.
func TestParseIPv4(t *testing.T) {
	for host, want := range map[string]string{
		"127.0.0.1": "127.0.0.1", "127.0.0.1.": "127.0.0.1", "127.1": "127.0.0.1", "0x7f.1": "127.0.0.1",
		"0x7f000001":   "127.0.0.1",
		"017700000001": "127.0.0.1", "1.2.772": "1.2.3.4", "256": "0.0.1.0", "4294967295": "255.255.255.255",
		"0x": "0.0.0.0", "0": "0.0.0.0",
		"0x.0x.0": "0.0.0.0", "00000000000000000000000001": "0.0.0.1",
		"": "", ".": "", "1.": "0.0.0.1", "1..2": "", "1.2.3.4.5": "", "256.1": "", "1.256.1": "", "1.2.3.256": "",
		"4294967296":   "",
		"0xffffffffff": "", "08": "", "1.a": "", "+1": "", "-1": "", "0x-1": "", "18446744073709551616": "",
	} {
		got, ok := ParseIPv4(host)
		if ok != (want != "") || ok && got != netip.MustParseAddr(want) {
			t.Errorf("%q: got %v, %t, want %q", host, got, ok, want)
		}
	}
}

// Browsers read these names so (URL Standard, section 3.3), but for the limit of length.
func TestToASCII(t *testing.T) {
	for name, want := range map[string]string{
		"Example.COM": "example.com", "b\u00fccher.example": "xn--bcher-kva.example",
		"fa\u00df.example":     "xn--fa-hia.example",
		"\uff11\uff12\uff17.1": "127.1", "a\u3002b": "a.b", "a\u00adb": "ab", "-\u00fc": "xn----eha",
		"a_\u00fc":              "xn--a_-yka",
		"xn--bcher-kva.example": "xn--bcher-kva.example", "xn--a": "", "xn--": "", "a.XN--": "", "\u00fc\u3002xn--": "",
		"axn--": "axn--", "\u00fc\u05d0": "", "\xff": "", strings.Repeat("\u00fc", 600): "",
	} {
		got, err := ToASCII(name)
		if err != nil {
			got = ""
		}
		if got != want {
			t.Errorf("%q: got %q (%v), want %q", name, got, err, want)
		}
	}
}
