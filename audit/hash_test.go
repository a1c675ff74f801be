package audit

import (
	"net/netip"
	"testing"
)

// The hashes decide what parts keep, so they are the same for ever: parts of several programs are
// joined.
func TestHash(t *testing.T) {
	text := []byte("0123456789abcdefghijklmnopqrstuvwxyz")
	for _, test := range []struct {
		size int
		want uint64
	}{
		{0, 0x25f92af9e7fd18b5},
		{1, 0x6b80679f086fe7e8},
		{3, 0xf9f3e0873331b2a6},
		{4, 0xad73f7ecf0bb5ca6},
		{8, 0x80bd53242225f69e},
		{15, 0x7d8d448d34f0c5f9},
		{16, 0x9d3ec393de47f025},
		{36, 0x3bbefd1382db8ad0},
	} {
		if got := hashBytes(seedHeader, text[:test.size]); got != test.want {
			t.Errorf("hash of %q: %#x, want %#x", text[:test.size], got, test.want)
		}
	}
}

// TestHashClient compares the hash of an address, which takes no detour by bytes, with that of its
// bytes.
func TestHashClient(t *testing.T) {
	for _, text := range []string{"192.0.2.7", "0.0.0.0", "255.255.255.255", "::", "::1", "2001:db8::9",
		"::ffff:192.0.2.7", "fe80::1%eth0"} {
		client := netip.MustParseAddr(text)
		bytes := client.As16()
		if got, want := hashClient(client), max(1, hashBytes(seedClient, bytes[:])); got != want {
			t.Errorf("%s: got %x, want %x", text, got, want)
		}
	}
}
