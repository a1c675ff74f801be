package accesslog_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestForwardedFirst reads X-Forwarded-For beside the address that connected. The client is that
// which a proxy told, if a proxy connected, and none if it is not known which address told it.
func TestForwardedFirst(t *testing.T) {
	for _, c := range []struct{ before, client, host string }{
		{"203.0.113.7 10.0.0.9 - -", "203.0.113.7", ""},
		{"203.0.113.7, 10.1.1.1 10.0.0.9 - -", "203.0.113.7", ""},
		{"203.0.113.7, 172.68.1.1 10.0.0.9 - -", "203.0.113.7", ""},
		{"203.0.113.7 172.68.1.1 - -", "203.0.113.7", ""},
		{`"203.0.113.7, 10.1.1.1" 10.0.0.9 - -`, "203.0.113.7", ""},
		{"(203.0.113.7) 10.0.0.9 - -", "203.0.113.7", ""},
		{"10.0.0.9 [203.0.113.7] - -", "203.0.113.7", ""},
		{"10.0.0.9 203.0.113.7 -", "203.0.113.7", ""},
		{"2001:db8::7 fd00::9 - -", "2001:db8::7", ""},
		{"203.0.113.7 unix: - -", "203.0.113.7", ""},
		{"- 10.0.0.9 - -", "10.0.0.9", ""},
		{"shop.example 203.0.113.7 10.0.0.9 - -", "203.0.113.7", "shop.example"},
		{"shop.example:443 203.0.113.7, 10.1.1.1 - -", "203.0.113.7", "shop.example"},
		{`"shop.example" 203.0.113.7 - -`, "203.0.113.7", "shop.example"},
		{"shop.example 203.0.113.7 198.51.100.9 - -", "invalid IP", "shop.example"},
		// An address of the Internet that is not a proxy's has no say, and a virtual host may have
		// an address.
		{"198.51.100.9 203.0.113.7 - -", "203.0.113.7", "198.51.100.9"},
		{"10.0.0.5 203.0.113.7 - -", "203.0.113.7", "10.0.0.5"},
		{"shop.example 203.0.113.7 - -", "203.0.113.7", "shop.example"},
	} {
		for _, prefix := range []string{"", "Nov  6 10:00:00 web1 nginx: ", "12:", "web-1  | "} {
			if prefix != "" && strings.ContainsAny(c.before[:1], `"(-`) {
				continue
			}
			checkClient(t, prefix+c.before+afterUser, c.client, c.host)
		}
	}
	// The log decides: where names of hosts stand first, an address there is a host too.
	log := strings.Repeat("shop.example 203.0.113.7 - -"+afterUser+"\n", 3) + "198.51.100.9 10.0.0.9 - -" + afterUser
	var r accesslog.Reader
	for q, err := range r.From("log", strings.NewReader(log)).Requests() {
		fatal.If(t, err)
		if q.Line == 4 && (q.Client.String() != "10.0.0.9" || string(q.Host) != "198.51.100.9") {
			t.Errorf("a virtual host with an address is read as client %v, host %q", q.Client, q.Host)
		}
	}
}

// TestForwardedTail looks for X-Forwarded-For among the fields after the User-Agent.
func TestForwardedTail(t *testing.T) {
	const peer = "10.0.0.9"
	for _, c := range []struct {
		tail, client string
		listed       bool
	}{
		{`"203.0.113.7"`, "203.0.113.7", true},
		{`"203.0.113.7, 10.4.4.4"`, "203.0.113.7", true},
		{`"203.0.113.7:4711"`, "203.0.113.7", true},
		{`"[2001:db8::7]:4711"`, "2001:db8::7", true},
		{`"shop.example" "203.0.113.7"`, "203.0.113.7", true},
		{`0.003 "203.0.113.7"`, "203.0.113.7", true},
		{`rt=0.003 xff="203.0.113.7"`, "203.0.113.7", true},
		{`"TLSv1.3" 203.0.113.7, 10.4.4.4 0.1`, "203.0.113.7", true},
		{`| 203.0.113.7`, "203.0.113.7", true},
		{`"-" "203.0.113.7" "DE"`, "203.0.113.7", true},
		{`"for=203.0.113.7;proto=https"`, "203.0.113.7", true},
		{`"203.0.113.7" "10.2.3.4:8080" "0.01"`, "203.0.113.7", true},
		{`"198.51.100.80:443" "203.0.113.7"`, "203.0.113.7", true},
		{`"198.51.100.80:4711" "203.0.113.7"`, "203.0.113.7", true},
		{`"203.0.113.7" "203.0.113.7, 172.68.1.1"`, "203.0.113.7", true},
		{`"-"`, peer, true},
		{`"192.0.2.80" "203.0.113.7"`, peer, true}, // either may be the server's
		{`"203.0.113.7, unknown"`, peer, true},
		{`"for=203.0.113.7, for=198.51.100.9"`, peer, true},
		{`"198.51.100.80:8080"`, peer, false},
		{`"10.2.3.4:4711"`, peer, false},
		{`0.003 "gzip"`, peer, false},
		{`"203.0.113.7`, peer, false},
	} {
		for _, connected := range []string{peer, "172.68.1.1", "unix:"} {
			var r accesslog.Reader
			scan := r.From("log", strings.NewReader(connected+" - -"+afterUser+" "+c.tail))
			for q, err := range scan.Requests() {
				want := c.client
				if want == peer {
					a, _ := netip.ParseAddr(connected)
					want = a.String()
				}
				if err != nil || q.Client.String() != want {
					t.Errorf("%s … %s: client %v, %v; want %s", connected, c.tail, q.Client, err, want)
				}
			}
			if n := scan.Logs()[0].Forwarded; (n == 1) != c.listed {
				t.Errorf("%s: %d lines have X-Forwarded-For, want %v", c.tail, n, c.listed)
			}
		}
		// A client that connected itself may write what it likes.
		checkClient(t, "198.51.100.23 - -"+afterUser+" "+c.tail, "198.51.100.23", "")
	}
	for _, by := range []accesslog.Forwarded{accesslog.Nearest, accesslog.Farthest} {
		const want = "192.0.2.80"
		r := accesslog.Reader{Forwarded: by}
		line := fmt.Sprintf(`10.0.0.9 - -%s "192.0.2.80" "203.0.113.7"`, afterUser)
		for q, err := range r.From("log", strings.NewReader(line)).Requests() {
			fatal.If(t, err)
			if q.Client.String() != want {
				t.Errorf("%s with Forwarded %d: client %v, want %s", line, by, q.Client, want)
			}
		}
	}
}
