package cli

import "testing"

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
