package cli

import (
	"net"
	"net/netip"
	"strings"
	"testing"
)

// TestListenOn: a port alone is that of the loopback address, and never of all.
func TestListenOn(t *testing.T) {
	for text, want := range map[string]string{
		"8000": "127.0.0.1:8000", "0": "127.0.0.1:0", ":80": ":80", "localhost:8000": "localhost:8000",
		"[::1]:80": "[::1]:80", "0.0.0.0:80": "0.0.0.0:80", "host:http": "host:http",
		"": "", "moon": "", "65536": "", "-1": "", "127.0.0.1": "", "::1": "", "8000 ": "", "+80": "",
	} {
		got, err := ListenOn(text)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%q: %s, %v; want %s", text, got, err, want)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "--listen ") {
			t.Errorf("%q: %v does not name the flag", text, err)
		}
	}
}

// TestMetricsAddress: a text that is not an address is refused.
func TestMetricsAddress(t *testing.T) {
	for text, want := range map[string]string{
		"9090": "127.0.0.1:9090", ":9090": "127.0.0.1:9090", "localhost:1": "127.0.0.1:1", "[::1]:9090": "[::1]:9090",
		"127.0.0.2:0":  "127.0.0.2:0",
		"0.0.0.0:9090": "0.0.0.0:9090", "192.0.2.1:80": "192.0.2.1:80",
		"example.com:80": "", "127.0.0.1": "", "moon": "", "127.0.0.1:99999": "", "\x1b:1": "",
	} {
		at, ok := listenAddress(text)
		if got := at.String(); ok && got != want || !ok && want != "" {
			t.Errorf("%q: got %s, %v", text, got, ok)
		}
	}
}

// TestListening checks that a terminal can open what a verb prints.
func TestListening(t *testing.T) {
	for _, c := range []struct{ address, want string }{
		{"127.0.0.1:8000", "listening at http://127.0.0.1:8000/"},
		{"[::1]:8000", "listening at http://[::1]:8000/"},
		{"[::]:80", "listening at http://localhost:80/ and all other addresses of this machine"},
		{"0.0.0.0:80", "listening at http://localhost:80/ and all other addresses of this machine"},
	} {
		if got := Listening("http", net.TCPAddrFromAddrPort(netip.MustParseAddrPort(c.address))); got != c.want {
			t.Errorf("%s: got %q, want %q", c.address, got, c.want)
		}
	}
}
