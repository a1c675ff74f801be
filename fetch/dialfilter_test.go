package fetch_test

import (
	"encoding/binary"
	"errors"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"context"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// refused returns whether the filter refuses an address, and because of which range.
func refused(t *testing.T, g fetch.DialFilter, addr netip.Addr) (by string, yes bool) {
	t.Helper()
	err := g.Check(addr)
	if err == nil {
		return "", false
	}
	e, ok := errors.AsType[*fetch.RefusedError](err)
	if !ok {
		t.Fatalf("%v: got %v, want a RefusedError", addr, err)
	}
	check(t, "address", e.Addr, addr)
	return e.Range.String(), true
}

// ends returns the first and last address of a range.
func ends(p netip.Prefix) (first, last netip.Addr) {
	first = p.Masked().Addr()
	octets := first.AsSlice()
	for bit := p.Bits(); bit < 8*len(octets); bit++ {
		octets[bit/8] |= 0x80 >> (bit % 8)
	}
	last, _ = netip.AddrFromSlice(octets)
	return first, last
}

// TestDialFilterRanges checks the first and the last address of every special range, alone, within
// NAT64, and as IPv4-mapped addresses.
func TestDialFilterRanges(t *testing.T) {
	names := make(map[string]bool)
	for _, s := range fetch.Specials() {
		prefix := netip.MustParsePrefix(s.Prefix)
		check(t, "masked", prefix.Masked(), prefix)
		if names[s.Prefix] || s.Name == "" || s.Source == "" {
			t.Errorf("%+v is there twice, or has no name or source", s)
		}
		names[s.Prefix] = true
		first, last := ends(prefix)
		for _, addr := range []netip.Addr{first, last} {
			if _, ok := refused(t, fetch.DialFilter{}, addr); !ok {
				t.Errorf("%v of %s (%s) is allowed", addr, s.Prefix, s.Name)
			}
			if _, ok := refused(t, fetch.DialFilter{AllowPrivate: true}, addr); ok {
				t.Errorf("%v is refused, although all are allowed", addr)
			}
			if _, ok := refused(t, fetch.DialFilter{Allow: []netip.Prefix{prefix}}, addr); ok {
				t.Errorf("%v is refused, although %s is allowed", addr, s.Prefix)
			}
			if !addr.Is4() {
				continue
			}
			four := addr.As4()
			for _, embedded := range []netip.Addr{
				// mapped
				netip.AddrFrom16(addr.As16()),
				// compatible
				netip.AddrFrom16([16]byte(append(make([]byte, 12), four[:]...))),
				// NAT64
				netip.AddrFrom16([16]byte(append([]byte{0, 0x64, 0xff, 0x9b, 11: 0}, four[:]...))),
				// NAT64, local
				netip.AddrFrom16([16]byte(append([]byte{0, 0x64, 0xff, 0x9b, 0, 1, 11: 0}, four[:]...))),
				// 6to4
				netip.AddrFrom16([16]byte(append(append([]byte{0x20, 0x02}, four[:]...), make([]byte, 10)...))),
				// Teredo, server
				netip.AddrFrom16([16]byte(append(append([]byte{0x20, 0x01, 0, 0}, four[:]...), make([]byte, 8)...))),
				// Teredo, client
				netip.AddrFrom16([16]byte(append([]byte{0x20, 0x01, 11: 0}, ^four[0], ^four[1], ^four[2], ^four[3]))),
			} {
				if _, ok := refused(t, fetch.DialFilter{}, embedded); !ok {
					t.Errorf("%v, which embeds %v, is allowed", embedded, addr)
				}
			}
		}
	}
}

// TestDialFilterNeighbours checks the addresses just outside the ranges that have public
// neighbours.
func TestDialFilterNeighbours(t *testing.T) {
	for _, s := range []string{
		"1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
		"169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0", "192.0.3.0",
		"192.31.195.255", "192.31.197.0", "192.52.192.255", "192.52.194.0", "192.88.98.255", "192.88.100.0",
		"192.167.255.255", "192.169.0.0", "192.175.47.255", "192.175.49.0", "198.17.255.255", "198.20.0.0",
		"198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255", "168.63.129.15",
		"168.63.129.17",
		"8.8.8.8",
		"2000::", "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::", "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff",
		"2001:db9::",
		"2001:4860:4860::8888", "2003::", "2620:4f:7fff:ffff:ffff:ffff:ffff:ffff", "2620:4f:8001::",
		"3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
		"3fff:1000::", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "64:ff9b::808:808",
	} {
		if by, ok := refused(t, fetch.DialFilter{}, netip.MustParseAddr(s)); ok {
			t.Errorf("%s is refused by %s", s, by)
		}
	}
	for s, want := range map[string]string{
		"1fff::":             "::/0",
		"4000::":             "::/0",
		"64:ff9a::1":         "::/0",
		"64:ff9b::a00:7":     "10.0.0.0/8",
		"64:ff9b::a9fe:a9fe": "169.254.169.254/32",
		"169.254.169.254":    "169.254.169.254/32",
		"169.254.169.253":    "169.254.0.0/16",
		"fd00:ec2::254":      "fd00:ec2::254/128",
		"192.0.0.9":          "192.0.0.9/32",
		"192.0.0.11":         "192.0.0.0/24",
		"2001:20::1":         "2001:20::/28",
		"2001::1":            "2001::/32",
		"2001:1::4":          "2001::/23",
		"::ffff:8.8.8.8":     "::ffff:0.0.0.0/96",
		"::8.8.8.8":          "::/96",
		"2002:808:808::":     "2002::/16",
		"fe80::1%eth0":       "::/0",
		"2001:4860::1%eth0":  "::/0",
		"255.255.255.255":    "255.255.255.255/32",
	} {
		if by, _ := refused(t, fetch.DialFilter{}, netip.MustParseAddr(s)); by != want {
			t.Errorf("%s is refused by %q, want %q", s, by, want)
		}
	}
	if _, ok := refused(t, fetch.DialFilter{}, netip.Addr{}); !ok {
		t.Error("the zero address is allowed")
	}
}

// slowRefused is the twin of DialFilter.Check: it compares addresses as numbers with a list of
// first and last addresses, merged by hand from the registries.
func slowRefused(addr netip.Addr) bool {
	within := func(list string) bool {
		n := new(big.Int).SetBytes(addr.AsSlice())
		for line := range strings.Lines(list) {
			from, to, _ := strings.Cut(strings.TrimSpace(line), " ")
			first, last := netip.MustParseAddr(from), netip.MustParseAddr(to)
			if new(big.Int).SetBytes(first.AsSlice()).Cmp(n) <= 0 && n.Cmp(new(big.Int).SetBytes(last.AsSlice())) <= 0 {
				return true
			}
		}
		return false
	}
	if addr.Zone() != "" {
		return true
	}
	if addr.Is4() {
		return within(`0.0.0.0 0.255.255.255
			10.0.0.0 10.255.255.255
			100.64.0.0 100.127.255.255
			127.0.0.0 127.255.255.255
			168.63.129.16 168.63.129.16
			169.254.0.0 169.254.255.255
			172.16.0.0 172.31.255.255
			192.0.0.0 192.0.0.255
			192.0.2.0 192.0.2.255
			192.31.196.0 192.31.196.255
			192.52.193.0 192.52.193.255
			192.88.99.0 192.88.99.255
			192.168.0.0 192.168.255.255
			192.175.48.0 192.175.48.255
			198.18.0.0 198.19.255.255
			198.51.100.0 198.51.100.255
			203.0.113.0 203.0.113.255
			224.0.0.0 255.255.255.255`)
	}
	text := addr.StringExpanded()
	if strings.HasPrefix(text, "0064:ff9b:0000:0000:0000:0000:") {
		octets := addr.AsSlice()
		four, _ := netip.AddrFromSlice(octets[12:])
		return slowRefused(four)
	}
	return addr.Zone() != "" || text[0] != '2' && text[0] != '3' || within(`2001:: 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff
		2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff
		2002:: 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff
		2620:4f:8000:: 2620:4f:8000:ffff:ffff:ffff:ffff:ffff
		3fff:: 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff`)
}

// FuzzDialFilter compares the filter with its twin, and with the properties of net/netip.
func FuzzDialFilter(f *testing.F) {
	for _, s := range fetch.Specials() {
		first, last := ends(netip.MustParsePrefix(s.Prefix))
		f.Add(first.AsSlice(), "")
		f.Add(last.AsSlice(), "")
		f.Add(first.Prev().AsSlice(), "")
		f.Add(last.Next().AsSlice(), "eth0")
	}
	f.Fuzz(func(t *testing.T, octets []byte, zone string) {
		addr, ok := netip.AddrFromSlice(octets)
		if !ok {
			return
		}
		addr = addr.WithZone(zone)
		by, got := refused(t, fetch.DialFilter{}, addr)
		if want := slowRefused(addr); got != want {
			t.Errorf("%v: refused %v by %q, want %v", addr, got, by, want)
		}
		if special := addr.IsLoopback() || addr.IsPrivate() || addr.IsMulticast() || addr.IsLinkLocalUnicast() ||
			addr.IsUnspecified(); special && !got {
			t.Errorf("%v is allowed", addr)
		}
	})
}

// The default client must not connect to this machine, whatever form the URL has.
func TestRefused(t *testing.T) {
	s := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the server was asked") })
	_, port, _ := strings.Cut(strings.TrimPrefix(s.URL, "http://"), ":")
	hosts := []string{"127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "0.0.0.0", "[::]",
		"169.254.169.254", "[fd00:ec2::254]"}
	if _, err := net.LookupHost("localhost"); err == nil {
		hosts = append(hosts, "localhost", "LOCALHOST")
	}
	for _, host := range hosts {
		c := new(fetch.Client)
		r, err := c.Policy(t.Context(), "http://"+host+":"+port+"/x")
		refused, ok := errors.AsType[*fetch.RefusedError](err)
		if !ok {
			t.Errorf("%s: got %v, %v, want a RefusedError", host, r, err)
			continue
		}
		for _, part := range []string{refused.Addr.String(), refused.Name, refused.Range.String(), refused.Source,
			"DialFilter.Allow"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q does not say %q", host, err, part)
			}
		}
		if strings.EqualFold(host, "localhost") {
			check(t, "host", refused.Host, "localhost")
		}
	}
}

// A redirect to a refused address makes the origin unreachable. The client must not repeat the
// request at each call.
func TestRedirectRefused(t *testing.T) {
	secret := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the secret was asked for") })
	_, port, _ := strings.Cut(strings.TrimPrefix(secret.URL, "http://"), ":")
	for _, place := range []string{
		"http://127.0.0.2:" + port, "http://[::1]:" + port, "http://10.0.0.7/",
		"http://169.254.169.254/latest/meta-data/",
		"http://[::ffff:10.0.0.7]/", "https://[fd00:ec2::254]/",
	} {
		asked := 0
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			asked++
			http.Redirect(w, r, place, http.StatusFound)
		})
		c := &fetch.Client{DialFilter: fetch.DialFilter{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}}
		for range 2 {
			r := policy(t, c, s.URL)
			check(t, "state", r.State, fetch.Unreachable)
			check(t, "redirects", len(r.Redirects), 1)
			if !strings.Contains(r.Cause, "refused to connect") {
				t.Errorf("%s: got %v", place, r)
			}
			if _, ok := errors.AsType[*fetch.RefusedError](r.Err); ok != (r.Source == fetch.Fetched) {
				t.Errorf("%s: got %v", place, r.Err)
			}
		}
		check(t, "requests", asked, 1)
		c.CloseIdleConnections()
	}
}

// A names is a DNS server on loopback, with the next addresses of each name. A name without an
// address does not exist.
type names struct {
	mu    sync.Mutex
	addrs map[string][]netip.Addr
}

// resolver starts the server and returns a resolver that asks only this server.
func (n *names) resolver(t *testing.T) *net.Resolver {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	fatal.If(t, err)
	t.Cleanup(func() { conn.Close() })
	go func() {
		for buf := make([]byte, 4096); ; {
			size, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			if answer := n.answer(buf[:size]); answer != nil {
				conn.WriteTo(answer, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

// answer answers one question (RFC 1035, section 4) for an IPv4 address.
func (n *names) answer(query []byte) []byte {
	if len(query) < 12 {
		return nil
	}
	name, at := "", 12
	for at < len(query) && query[at] > 0 && at+1+int(query[at]) < len(query) {
		name += string(query[at+1:at+1+int(query[at])]) + "."
		at += 1 + int(query[at])
	}
	if at+5 > len(query) {
		return nil
	}
	question := query[12 : at+5]
	n.mu.Lock()
	defer n.mu.Unlock()
	list, known := n.addrs[strings.TrimSuffix(name, ".")]
	flags, answers := uint16(0x8180), uint16(0)
	var record []byte
	switch {
	case !known:
		flags |= 3 // the name does not exist
	case binary.BigEndian.Uint16(query[at+1:]) == 1: // A
		four := list[0].As4()
		if len(list) > 1 {
			n.addrs[strings.TrimSuffix(name, ".")] = list[1:]
		}
		record = append([]byte{0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4}, four[:]...)
		answers = 1
	}
	reply := append([]byte(nil), query[:2]...)
	for _, field := range []uint16{flags, 1, answers, 0, 0} {
		reply = binary.BigEndian.AppendUint16(reply, field)
	}
	return append(append(reply, question...), record...)
}

// filtered returns a client with its own DNS.
func filtered(t *testing.T, g fetch.DialFilter, n *names) *fetch.Client {
	transport := g.Transport()
	dialer := &net.Dialer{Resolver: n.resolver(t), ControlContext: g.Control}
	transport.DialContext = dialer.DialContext
	transport.DisableKeepAlives = true
	return &fetch.Client{Transport: transport, MinFresh: -1}
}

// A name is refused if its address changes to a special one after the first check.
func TestRebinding(t *testing.T) {
	asked := 0
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		text(closed, "Cache-Control", "no-store")(w, r)
	})
	_, port, _ := strings.Cut(strings.TrimPrefix(s.URL, "http://"), ":")
	n := &names{addrs: map[string][]netip.Addr{"a.example": {netip.MustParseAddr("127.0.0.1"),
		netip.MustParseAddr("127.0.0.2")}}}
	c := filtered(t, fetch.DialFilter{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}, n)
	check(t, "state", policy(t, c, "http://a.example:"+port).State, fetch.OK)
	r, err := c.Policy(t.Context(), "http://a.example:"+port)
	if refused, ok := errors.AsType[*fetch.RefusedError](err); !ok || refused.Addr != netip.MustParseAddr("127.0.0.2") {
		t.Errorf("got %v, %v, want a RefusedError for 127.0.0.2", r, err)
	}
	check(t, "requests", asked, 1)
}

// A name that does not exist makes its origin unreachable.
func TestNoSuchHost(t *testing.T) {
	c := filtered(t, fetch.DialFilter{AllowPrivate: true}, &names{})
	r := policy(t, c, "http://nowhere.example/")
	check(t, "state", r.State, fetch.Unreachable)
	if e, ok := errors.AsType[*net.DNSError](r.Err); !ok || !e.IsNotFound {
		t.Errorf("got %v, want a DNSError", r.Err)
	}
}

// Control also refuses texts that are not addresses.
func TestControl(t *testing.T) {
	for address, ok := range map[string]bool{
		"8.8.8.8:80": true, "[2003::1]:80": true, "10.0.0.7:80": false, "[fe80::1%eth0]:80": false,
		"localhost:80": false, "/run/socket": false, "": false,
	} {
		if err := (fetch.DialFilter{}).Control(t.Context(), "tcp", address, nil); (err == nil) != ok {
			t.Errorf("%q: got %v", address, err)
		}
	}
}
