package agent_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/nameserver"
)

// The zone of an honest operator, whose robots are below crawl.example.com, and of forgers.
const crawlZone = `
	192.0.2.1   PTR  a.crawl.example.com.
	a.crawl.example.com.  A  192.0.2.1
	a.crawl.example.com.  AAAA  2001:db8::99

	2001:db8::1 PTR  six.crawl.example.com.
	six.crawl.example.com.  AAAA  2001:db8::1

	192.0.2.2   PTR  crawl.example.com.
	crawl.example.com.    A  192.0.2.200
	crawl.example.com.    A  192.0.2.2

	192.0.2.3   PTR  UPPER.Crawl.Example.COM.
	upper.crawl.example.com.  A  192.0.2.3

	192.0.2.4   PTR  other.example.net.
	192.0.2.4   PTR  d.crawl.example.com.
	other.example.net.    A  192.0.2.4
	d.crawl.example.com.  A  192.0.2.4

	4.delegated.example.  PTR  e.crawl.example.com.
	192.0.2.5   CNAME  4.delegated.example.
	e.crawl.example.com.  CNAME  e.hosts.example.net.
	e.hosts.example.net.  A  192.0.2.5

	192.0.2.11  PTR  a.crawl.example.com.
	192.0.2.12  PTR  nowhere.crawl.example.com.
	192.0.2.13  PTR  crawl.example.com.evil.example.
	crawl.example.com.evil.example.  A  192.0.2.13
	192.0.2.14  PTR  evilcrawl.example.com.
	evilcrawl.example.com.  A  192.0.2.14
	192.0.2.15  PTR  six.crawl.example.com.
	192.0.2.16  PTR  example.com.
	example.com.  A  192.0.2.16
	PTR 192.0.2.17 NODATA
	192.0.2.18  PTR  .
	192.0.2.19  PTR  *.crawl.example.com.
	192.0.2.20  PTR  *.crawl.example.com.
	192.0.2.20  PTR  a.crawl.example.com.

	PTR 192.0.2.21 SERVFAIL
	PTR 192.0.2.22 REFUSED
	192.0.2.23  PTR  broken.crawl.example.com.
	A broken.crawl.example.com. SERVFAIL
	192.0.2.24  PTR  broken.crawl.example.com.
	192.0.2.24  PTR  a.crawl.example.com.
	192.0.2.25  PTR  broken.crawl.example.com.
	192.0.2.25  PTR  good.crawl.example.com.
	good.crawl.example.com.  A  192.0.2.25

	10.0.0.1    PTR  proxy.internal.example.
	10.0.0.2    PTR  inside.crawl.example.com.
	inside.crawl.example.com.  A  10.0.0.2
`

func TestVerifyDNS(t *testing.T) {
	server := nameserver.Start(t, crawlZone)
	verifier := &agent.Verifier{Resolver: server.Resolver()}
	recipe := agent.Recipe{DNS: []string{"crawl.example.com"}}
	for _, test := range []struct {
		addr   string
		result agent.Result
		why    string
	}{
		{"192.0.2.1", agent.Verified, "192.0.2.1 has the name a.crawl.example.com, which has that address"},
		{"::ffff:192.0.2.1", agent.Verified, "192.0.2.1 has the name a.crawl.example.com, which has that address"},
		{"2001:db8::1", agent.Verified, "2001:db8::1 has the name six.crawl.example.com, which has that address"},
		{"192.0.2.2", agent.Verified, "192.0.2.2 has the name crawl.example.com, which has that address"},
		{"192.0.2.3", agent.Verified, "192.0.2.3 has the name upper.crawl.example.com, which has that address"},
		{"192.0.2.4", agent.Verified, "192.0.2.4 has the name d.crawl.example.com, which has that address"},
		{"192.0.2.5", agent.Verified, "192.0.2.5 has the name e.crawl.example.com, which has that address"},
		{"10.0.0.2", agent.Verified, "10.0.0.2 has the name inside.crawl.example.com, which has that address"},
		{"192.0.2.25", agent.Verified, "192.0.2.25 has the name good.crawl.example.com, which has that address"},

		// The owner of an address can give it any name.
		{"192.0.2.11", agent.Forged,
			"192.0.2.11 has the name a.crawl.example.com, which has another address: 192.0.2.1"},
		{"192.0.2.12", agent.Forged, "192.0.2.12 has the name nowhere.crawl.example.com, which has no address"},
		{"192.0.2.13", agent.Forged,
			"192.0.2.13 has the name crawl.example.com.evil.example, which is not below crawl.example.com"},
		{"192.0.2.14", agent.Forged,
			"192.0.2.14 has the name evilcrawl.example.com, which is not below crawl.example.com"},
		{"192.0.2.15", agent.Forged, "192.0.2.15 has the name six.crawl.example.com, which has no address"},
		{"192.0.2.16", agent.Forged, "192.0.2.16 has the name example.com, which is not below crawl.example.com"},
		{"192.0.2.17", agent.Forged, "192.0.2.17 has no name, so none below crawl.example.com"},
		{"192.0.2.18", agent.Forged, "192.0.2.18 has no name, so none below crawl.example.com"},
		{"192.0.2.19", agent.Forged, "192.0.2.19 has no name, so none below crawl.example.com"},
		{"192.0.2.20", agent.Forged,
			"192.0.2.20 has the name a.crawl.example.com, which has another address: 192.0.2.1"},
		{"192.0.2.99", agent.Forged, "192.0.2.99 has no name, so none below crawl.example.com"},
		{"2001:db8::2", agent.Forged, "2001:db8::2 has no name, so none below crawl.example.com"},

		// An error says nothing about the robot.
		{"192.0.2.21", agent.Unverifiable, "192.0.2.21 has names that could not be looked up: "},
		{"192.0.2.22", agent.Unverifiable, "192.0.2.22 has names that could not be looked up: "},
		{"192.0.2.23", agent.Unverifiable,
			"192.0.2.23 has the name broken.crawl.example.com, whose addresses could not be looked up: "},
		{"192.0.2.24", agent.Unverifiable,
			"192.0.2.24 has the name broken.crawl.example.com, whose addresses could not be looked up: "},

		{"10.0.0.1", agent.Unverifiable,
			"10.0.0.1 has the name proxy.internal.example, which is not below crawl.example.com; it is not an address of the Internet, so perhaps that of a proxy"},
		{"100.64.0.1", agent.Unverifiable,
			"100.64.0.1 has no name, so none below crawl.example.com; it is not an address of the Internet, so perhaps that of a proxy"},
		{"fe80::1%eth0", agent.Unverifiable,
			"fe80::1 has no name, so none below crawl.example.com; it is not an address of the Internet, so perhaps that of a proxy"},
	} {
		verdict, err := verifier.Verify(t.Context(), netip.MustParseAddr(test.addr), recipe)
		if err != nil {
			t.Errorf("%s: %v", test.addr, err)
		} else if verdict.Result != test.result {
			t.Errorf("%s: got %s, want %s", test.addr, verdict, test.result)
		} else if why := verdict.Why(); why != test.why && !(strings.HasSuffix(test.why, ": ") &&
			strings.HasPrefix(why, test.why)) {
			t.Errorf("%s:\n got %s\nwant %s", test.addr, why, test.why)
		}
	}
}

// A name is looked up as it is, without the search domains of the system, and only for the
// family of the address.
func TestVerifyDNSQuestions(t *testing.T) {
	server := nameserver.Start(t, crawlZone)
	verifier := &agent.Verifier{Resolver: server.Resolver()}
	addr := netip.MustParseAddr("192.0.2.12")
	if _, err := verifier.Verify(t.Context(), addr, agent.Recipe{DNS: []string{"crawl.example.com"}}); err != nil {
		t.Fatal(err)
	}
	got := slices.Sorted(maps.Keys(server.Asked()))
	want := []string{"A nowhere.crawl.example.com.", "PTR 12.2.0.192.in-addr.arpa."}
	if !slices.Equal(got, want) {
		t.Errorf("got the questions %q, want %q", got, want)
	}
}

// The owner of an address can give it any number of names, and each would be a question to the
// DNS.
func TestVerifyDNSManyNames(t *testing.T) {
	var zone strings.Builder
	for i := range 500 {
		fmt.Fprintf(&zone, "192.0.2.1 PTR n%d.crawl.example.com.\n", i)
		fmt.Fprintf(&zone, "192.0.2.2 PTR n%d.example.net.\n", i)
	}
	server := nameserver.Start(t, zone.String())
	verifier := &agent.Verifier{Resolver: server.Resolver()}
	recipe := agent.Recipe{DNS: []string{"crawl.example.com"}}

	verdict, err := verifier.Verify(t.Context(), netip.MustParseAddr("192.0.2.1"), recipe)
	fatal.If(t, err)
	if verdict.Result != agent.Unverifiable || len(verdict.Reverse.Names) != 10 || verdict.Reverse.More != 490 {
		t.Errorf("names below the suffix: got %s", verdict)
	}
	if !strings.HasSuffix(verdict.Why(), "has 490 more names, which were not looked up") {
		t.Errorf("got %s", verdict)
	}
	if n := server.Count("A n10.crawl.example.com."); n != 0 {
		t.Errorf("the eleventh name was asked for %d times", n)
	}

	verdict, err = verifier.Verify(t.Context(), netip.MustParseAddr("192.0.2.2"), recipe)
	fatal.If(t, err)
	if verdict.Result != agent.Forged || len(verdict.Reverse.Names) != 20 || verdict.Reverse.More != 480 {
		t.Errorf("names that are not below the suffix: got %s", verdict)
	}
	if want := "has 500 names, such as n0.example.net, of which none is below crawl.example.com"; !strings.HasSuffix(verdict.Why(), want) {
		t.Errorf("got %s, want %s", verdict, want)
	}
}

// A silent server neither makes a robot a forger nor blocks the caller.
func TestVerifyDNSSilence(t *testing.T) {
	server := nameserver.Start(t, `
		PTR 192.0.2.1 SILENCE
		192.0.2.2 PTR silent.crawl.example.com.
		A silent.crawl.example.com. SILENCE
	`)
	recipe := agent.Recipe{DNS: []string{"crawl.example.com"}}

	// The first question is answered at once, and later ones are not.
	verifier := &agent.Verifier{Resolver: server.Resolver(), Timeout: 100 * time.Millisecond}
	for _, addr := range []string{"192.0.2.1", "192.0.2.2"} {
		verdict, err := verifier.Verify(t.Context(), netip.MustParseAddr(addr), recipe)
		if err != nil || verdict.Result != agent.Unverifiable {
			t.Errorf("%s: got %s, %v, want unverifiable", addr, verdict, err)
		}
	}

	// A cancelled caller gets an error.
	verifier = &agent.Verifier{Resolver: server.Resolver(), Timeout: time.Hour}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	verdict, err := verifier.Verify(ctx, netip.MustParseAddr("192.0.2.1"), recipe)
	if !errors.Is(err, context.DeadlineExceeded) || verdict.Result != agent.Unverifiable {
		t.Errorf("got %s, %v, want the error of the context", verdict, err)
	}
}

// A port without a server refuses connections at once.
func TestVerifyDNSNoServer(t *testing.T) {
	resolver := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("no route")
	}}
	verifier := &agent.Verifier{Resolver: resolver}
	verdict, err := verifier.Verify(t.Context(), netip.MustParseAddr("192.0.2.1"),
		agent.Recipe{DNS: []string{"example.com"}})
	if err != nil || verdict.Result != agent.Unverifiable {
		t.Errorf("got %s, %v, want unverifiable", verdict, err)
	}
}

func TestVerifySuffixes(t *testing.T) {
	server := nameserver.Start(t, crawlZone)
	verifier := &agent.Verifier{Resolver: server.Resolver()}
	addr := netip.MustParseAddr("192.0.2.1")
	for _, suffix := range []string{"crawl.example.com", "crawl.example.com.", ".crawl.example.com",
		"Crawl.Example.com", "example.com"} {
		verdict, err := verifier.Verify(t.Context(), addr, agent.Recipe{DNS: []string{"example.net", suffix}})
		if err != nil || verdict.Result != agent.Verified {
			t.Errorf("%q: got %s, %v, want verified", suffix, verdict, err)
		}
	}
	for _, suffix := range []string{"", ".", "com", ".com.", "COM"} {
		if verdict, err := verifier.Verify(t.Context(), addr, agent.Recipe{DNS: []string{suffix}}); err == nil {
			t.Errorf("%q: got %s, want an error: everyone can have a name below it", suffix, verdict)
		}
	}
}

// TestServer asks a DNS server by its address, and a server that does not exist.
func TestServer(t *testing.T) {
	gone, err := net.ListenPacket("udp", "127.0.0.1:0")
	fatal.If(t, err)
	server := gone.LocalAddr().String()
	gone.Close()
	v := &agent.Verifier{Server: server, Timeout: 5 * time.Second}
	verdict, err := v.Verify(t.Context(), netip.MustParseAddr("192.0.2.7"), agent.Recipe{DNS: []string{"bot.example"}})
	fatal.If(t, err)
	if want := " on " + server + ": "; verdict.Result != agent.Unverifiable || !strings.Contains(verdict.Why(), want) {
		t.Errorf("%v: %s; want unverifiable, and %q", verdict.Result, verdict.Why(), want)
	}
}
