package agent_test

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

func TestParseRanges(t *testing.T) {
	for _, test := range []struct {
		name, text string
		created    string // RFC 3339
		skipped    int
		prefixes   string // with the addresses below, the longest first
	}{
		{
			"as Google writes it",
			`{"creationTime": "2024-06-18T22:00:57.000000", "prefixes": [{"ipv6Prefix": "2001:db8:10::/64"}, {"ipv4Prefix": "192.0.2.0/27"}]}`,
			"2024-06-18T22:00:57Z", 0, "192.0.2.0/27 2001:db8:10::/64",
		},
		{
			"as the draft has it, with members of other times",
			`{"synctoken": "7", "creationTime": "2025-08-15T14:30:00Z", "notes": "", "version": {"major": 1},
			  "prefixes": [{"ipv4Prefix": "192.0.2.0/24", "services": ["Bot", "Ads"], "since": 1}]}`,
			"2025-08-15T14:30:00Z", 0, "192.0.2.0/24",
		},
		{"a zone other than UTC",
			`{"creationTime": "2025-08-15T14:30:00.5+02:00", "prefixes": [{"ipv4Prefix": "192.0.2.1"}]}`,
			"2025-08-15T12:30:00.5Z", 0, "192.0.2.1/32"},
		{"a date", `{"creationTime": "2023-01-02", "prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}`,
			"2023-01-02T00:00:00Z", 0, "192.0.2.0/24"},
		{"a time with a blank", `{"creationTime": "2023-01-02 03:04:05", "prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}`,
			"2023-01-02T03:04:05Z", 0, "192.0.2.0/24"},
		{"no time", `{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}`, "", 0, "192.0.2.0/24"},
		{"a time that is none", `{"creationTime": "yesterday", "prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}`, "", 0,
			"192.0.2.0/24"},
		{"a time that is a number", `{"creationTime": 1718748057, "prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}`, "", 0,
			"192.0.2.0/24"},
		{"a byte order mark", "\uFEFF" + `{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}`, "", 0, "192.0.2.0/24"},
		{"prefixes as text", `{"prefixes": ["192.0.2.0/24", "2001:db8::/32"]}`, "", 0, "192.0.2.0/24 2001:db8::/32"},
		{"an array", `["192.0.2.0/25", "192.0.2.1"]`, "", 0, "192.0.2.1/32 192.0.2.0/25"},
		{"an empty IPv6 list beside", `{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}, {}]}`, "", 1, "192.0.2.0/24"},
		{"both, which is to be ignored",
			`{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}, {"ipv4Prefix": "198.51.100.0/24", "ipv6Prefix": "2001:db8::/32"}]}`, "", 1, "192.0.2.0/24"},
		{"a family under the other name", `{"prefixes": [{"ipv4Prefix": "2001:db8::/32"}]}`, "", 0, "2001:db8::/32"},
		{"entries that are none",
			`{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}, {"ipv4Prefix": "198.51.100.0/24"}, {"ipv4Prefix": 7}, null]}`, "", 2, "192.0.2.0/24 198.51.100.0/24"},
		{"bits beyond the length", "192.0.2.77/24", "", 0, "192.0.2.0/24"},
		{"IPv4 as IPv6", "::ffff:192.0.2.0/120\n::ffff:192.0.2.1\n", "", 0, "192.0.2.1/32 192.0.2.0/24"},
		{"one a line", "# robots\r\n192.0.2.0/24\r\n\r\n  2001:db8::/32  # the new ones\r\n", "", 0,
			"192.0.2.0/24 2001:db8::/32"},
		{"lines that end with CR", "192.0.2.0/24\r198.51.100.0/24", "", 0, "192.0.2.0/24 198.51.100.0/24"},
		{"a geofeed", "# RFC 8805\n192.0.2.0/24,US,US-AL,Huntsville,\n2001:db8::/32,,,,\n", "", 0,
			"192.0.2.0/24 2001:db8::/32"},
		{"a table with a heading", "prefix,country\n\"192.0.2.0/24\",\"US\"\n", "", 0, "192.0.2.0/24"},
		{"a line that is none", "192.0.2.0/24\n198.51.100.0/33\n", "", 1, "192.0.2.0/24"},
		{"a span", "192.0.2.0/24\n198.51.100.1-198.51.100.9\n", "", 1, "192.0.2.0/24"},
		{"a zone", "192.0.2.0/24\nfe80::1%eth0\n", "", 1, "192.0.2.0/24"},
		{"twice the same", "192.0.2.0/24\n192.0.2.0/24\n", "", 0, "192.0.2.0/24"},
		{"the shortest", "192.0.0.0/8\n2001::/16\n", "", 0, "192.0.0.0/8 2001::/16"},
	} {
		ranges, err := agent.ParseRanges([]byte(test.text))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		created := ""
		if !ranges.Created().IsZero() {
			created = ranges.Created().Format(time.RFC3339Nano)
		}
		if created != test.created || ranges.Skipped() != test.skipped {
			t.Errorf("%s: got created %s, %d skipped, want %s, %d", test.name, created, ranges.Skipped(), test.created,
				test.skipped)
		}
		want := strings.Fields(test.prefixes)
		if ranges.Len() != len(want) {
			t.Errorf("%s: got %d prefixes, want %d", test.name, ranges.Len(), len(want))
		}
		for _, prefix := range want {
			first := netip.MustParsePrefix(prefix).Addr()
			if got, ok := ranges.Find(first); !ok || !strings.Contains(test.prefixes, got.String()) {
				t.Errorf("%s: %s is in %s, %t, want %s", test.name, first, got, ok, prefix)
			}
		}
	}
}

func TestParseRangesRefuses(t *testing.T) {
	long := strings.Repeat("192.0.2.1\n", 1<<17)
	for _, test := range []struct{ name, text, err string }{
		{"nothing", "", "empty"},
		{"white space", " \r\n\t", "empty"},
		{"a page", "<!DOCTYPE html><p>192.0.2.1", "HTML"},
		{"no prefixes", `{"creationTime": "2024-06-18T22:00:57Z", "prefixes": []}`, "no prefix"},
		{"another document", `{"name": "x"}`, "no prefix"},
		{"no array", `{"prefixes": {"ipv4Prefix": "192.0.2.0/24"}}`, "cannot be used"},
		{"cut", `{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}`, "cannot be used"},
		{"two documents", `{"prefixes": ["192.0.2.0/24"]}{}`, "cannot be used"},
		{"deep", strings.Repeat(`[`, 100_000), "cannot be used"},
		{"a table of several robots", `[{"name": "GoodBot", "range": "192.0.2.0/24"}]`, "no prefix"},
		{"prose", "We do not publish\nour addresses\n", "no prefix"},
		{"mostly prose", "Our robots have the address\n192.0.2.1\nand\nmore\n", "only 1"},
		{"NUL", "\x00\x00\x00", "no prefix"},
		{"UTF-16", "\xff\xfe1\x009\x002\x00", "no prefix"},
		{"everyone", "0.0.0.0/0", "/8"},
		{"everyone of IPv6", `{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}, {"ipv6Prefix": "::/0"}]}`, "/16"},
		{"everyone of IPv4 as IPv6", "::ffff:0.0.0.0/96", "/8"},
		{"half of everyone", "192.0.2.0/24\n128.0.0.0/1\n", "/8"},
		{"much that is none", "192.0.2.1\n" + strings.Repeat("x\n", 1<<17), "more than 131072 entries"},
		{"much that is none, in JSON", `{"prefixes": [` + strings.Repeat("0,", 1<<17) + `0]}`,
			"more than 131072 entries"},
		{"a name without a value", `{"prefixes"}`, "cannot be used"},
		{"no comma", `{"prefixes": ["192.0.2.1" "192.0.2.2"]}`, "cannot be used"},
		{"too many", long + "192.0.2.2", "more than 131072 entries"},
	} {
		ranges, err := agent.ParseRanges([]byte(test.text))
		if err == nil {
			t.Errorf("%s: got %d prefixes, want an error", test.name, ranges.Len())
		} else if !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: got %q, want an error with %q", test.name, err, test.err)
		}
	}
}

// Prefixes may contain others, in any order; the longest counts.
func TestFindNested(t *testing.T) {
	ranges, err := agent.ParseRanges([]byte("10.1.2.128/25\n10.0.0.0/8\n10.1.2.0/24\n10.1.0.0/16\n10.1.2.3\n10.200.0.0/16\n2001:db8::/32\n2001:db8:1::/48"))
	fatal.If(t, err)
	for _, test := range []struct{ addr, prefix string }{
		{"10.0.0.0", "10.0.0.0/8"},
		{"10.1.2.2", "10.1.2.0/24"},
		{"10.1.2.3", "10.1.2.3/32"},
		{"10.1.2.4", "10.1.2.0/24"},
		{"10.1.2.200", "10.1.2.128/25"},
		{"10.1.3.0", "10.1.0.0/16"},
		{"10.199.0.0", "10.0.0.0/8"},
		{"10.200.255.255", "10.200.0.0/16"},
		{"10.201.0.0", "10.0.0.0/8"},
		{"10.255.255.255", "10.0.0.0/8"},
		{"::ffff:10.1.2.3", "10.1.2.3/32"},
		{"::ffff:10.1.2.3%eth0", "10.1.2.3/32"},
		{"64:ff9b::10.1.2.3", "10.1.2.3/32"},
		{"2002:a01:203::1", "10.1.2.3/32"},
		{"::ffff:0:a01:203", "10.1.2.3/32"},
		{"2001:db8:1::9", "2001:db8:1::/48"},
		{"2001:db8:2::9%eth0", "2001:db8::/32"},
		{"9.255.255.255", ""},
		{"11.0.0.0", ""},
		{"::a01:203", ""}, // no longer the form of an IPv4 address
		{"2001:db9::", ""},
		{"::", ""},
		{"ffff::", ""},
	} {
		got, ok := ranges.Find(netip.MustParseAddr(test.addr))
		if want := test.prefix; ok != (want != "") || ok && got.String() != want {
			t.Errorf("%s: got %s, %t, want %q", test.addr, got, ok, want)
		}
	}
	if got, ok := ranges.Find(netip.Addr{}); ok {
		t.Errorf("no address: got %s", got)
	}
	if got, ok := new(agent.Ranges).Find(netip.MustParseAddr("10.0.0.1")); ok {
		t.Errorf("no ranges: got %s", got)
	}
}

func TestFindAllocates(t *testing.T) {
	corpus.Unraced(t)
	ranges, err := agent.ParseRanges([]byte("10.0.0.0/8\n10.1.0.0/16\n2001:db8::/32"))
	fatal.If(t, err)
	addr := netip.MustParseAddr("::ffff:10.1.2.3")
	if n := testing.AllocsPerRun(100, func() { ranges.Find(addr) }); n != 0 {
		t.Errorf("got %v allocations, want none", n)
	}
}

// slowFind is the slow twin of Find, and of the code that sorts prefixes.
func slowFind(prefixes []netip.Prefix, addr netip.Addr) (longest netip.Prefix, ok bool) {
	for _, p := range prefixes {
		if p.Contains(addr.Unmap().WithZone("")) && (!ok || p.Bits() > longest.Bits()) {
			longest, ok = p, true
		}
	}
	return longest, ok
}

// slowPrefixes is the slow twin of ParseRanges for texts with one prefix or address on each line,
// and blanks around it.
func slowPrefixes(text string) (prefixes []netip.Prefix) {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		p, err := netip.ParsePrefix(line)
		if err != nil {
			addr, err := netip.ParseAddr(line)
			if err != nil || addr.Zone() != "" {
				continue
			}
			p, _ = addr.Prefix(addr.BitLen())
		}
		if a := p.Addr(); a.Is4In6() && p.Bits() >= 96 {
			p = netip.PrefixFrom(a.Unmap(), p.Bits()-96)
		}
		prefixes = append(prefixes, p.Masked())
	}
	return prefixes
}

// holdToTwin compares Find with its slow twin around the ends of each prefix, or of some prefixes
// if there are very many.
func holdToTwin(t *testing.T, ranges *agent.Ranges, prefixes []netip.Prefix, more ...netip.Addr) {
	t.Helper()
	addrs := more
	for i := 0; i < len(prefixes); i += 1 + len(prefixes)/100 {
		p := prefixes[i]
		last := p.Addr()
		for bit := p.Bits(); bit < p.Addr().BitLen(); bit++ {
			last = withBit(last, bit)
		}
		addrs = append(addrs, p.Addr(), p.Addr().Prev(), p.Addr().Next(), last, last.Prev(), last.Next())
	}
	for _, addr := range addrs {
		if !addr.IsValid() {
			continue // before the first address, or after the last
		}
		got, ok := ranges.Find(addr)
		if want, wantOK := slowFind(prefixes, addr); got != want || ok != wantOK {
			t.Fatalf("%s: got %s, %t, want %s, %t", addr, got, ok, want, wantOK)
		}
		if got := ranges.Contains(addr); got != ok {
			t.Fatalf("%s: contained is %t, want %t", addr, got, ok)
		}
	}
}

// withBit returns addr with one bit set, counted from the first.
func withBit(addr netip.Addr, bit int) netip.Addr {
	data := addr.AsSlice()
	data[bit/8] |= 1 << (7 - bit%8)
	set, _ := netip.AddrFromSlice(data)
	return set
}

// FuzzRanges compares ParseRanges and Find with their slow twins.
func FuzzRanges(f *testing.F) {
	for _, text := range []string{
		"10.0.0.0/8\n10.1.0.0/16\n10.1.2.3\n2001:db8::/32",
		"::ffff:10.0.0.0/104\n10.0.0.0/8\n::/16",
		"192.0.2.0/24\n192.0.2.0/25\n192.0.2.128/25\n192.0.2.0/32\n192.0.2.255",
		"255.255.255.255\nffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff\n::",
		`{"prefixes":[{"ipv4Prefix":"192.0.2.0/24"}]}`,
	} {
		f.Add(text, []byte{10, 1, 2, 3})
	}
	f.Fuzz(func(t *testing.T, text string, data []byte) {
		ranges, err := agent.ParseRanges([]byte(text))
		if err != nil {
			return
		}
		if ranges.Len() == 0 {
			t.Fatal("no prefix, and no error")
		}
		addr, _ := netip.AddrFromSlice(data)
		prefix, ok := ranges.Find(addr)
		if ok && !prefix.Contains(addr.Unmap()) {
			t.Fatalf("%s is not in %s", addr, prefix)
		}
		if strings.Trim(text, "0123456789abcdef:./\n") == "" {
			holdToTwin(t, ranges, slowPrefixes(strings.Trim(text, "\n")), addr)
		}
	})
}

func BenchmarkFind(b *testing.B) {
	for _, n := range []int{10, 1000, 10_000} {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "%d.%d.%d.0/26\n2001:db8:%x::/48\n", 11+i%200, i/200%256, i/7%256, i)
		}
		ranges, err := agent.ParseRanges([]byte(text.String()))
		fatal.If(b, err)
		for _, addr := range []string{"11.0.0.7", "211.9.9.9", "2001:db8:9::1"} {
			b.Run(fmt.Sprintf("%d/%s", ranges.Len(), addr), func(b *testing.B) {
				a := netip.MustParseAddr(addr)
				for b.Loop() {
					ranges.Find(a)
				}
			})
		}
	}
}

// InRanges says what a Verifier says by the same document.
func TestInRanges(t *testing.T) {
	for _, c := range []struct {
		document, addr string
		want           agent.Result
		prefix         string
	}{
		{"192.0.2.0/24\n192.0.2.0/28", "192.0.2.7", agent.Verified, "192.0.2.0/28"},
		{"192.0.2.0/24", "::ffff:192.0.2.7", agent.Verified, "192.0.2.0/24"},
		{`{"prefixes":[{"ipv6Prefix":"2001:db8::/32"}]}`, "2001:db8::1", agent.Verified, "2001:db8::/32"},
		{"192.0.2.0/24", "198.51.100.1", agent.Forged, "invalid Prefix"},
		{"192.0.2.0/24\nnothing", "198.51.100.1", agent.Unverifiable, "invalid Prefix"},
		{"192.0.2.0/24", "10.0.0.1", agent.Unverifiable, "invalid Prefix"},
	} {
		d, err := agent.InRanges([]byte(c.document), netip.MustParseAddr(c.addr))
		if err != nil || d.Result != c.want || d.Prefix.String() != c.prefix {
			t.Errorf("%q, %s: got %v, %v, want %v by %s", c.document, c.addr, d, err, c.want, c.prefix)
		}
		file := filepath.Join(t.TempDir(), "ranges")
		fatal.If(t, os.WriteFile(file, []byte(c.document), 0o600))
		v, err := new(agent.Verifier).Verify(t.Context(), netip.MustParseAddr(c.addr),
			agent.Recipe{Ranges: []string{file}})
		if err != nil || v.Result != c.want {
			t.Errorf("%q, %s: Verify says %v, %v, want %v", c.document, c.addr, v, err, c.want)
		}
	}
	for _, document := range []string{"", "0.0.0.0/0", "<html>", strings.Repeat(" ", 8<<20+1)} {
		if d, err := agent.InRanges([]byte(document), netip.MustParseAddr("192.0.2.7")); err == nil {
			t.Errorf("%.20q is a document: %v", document, d)
		}
	}
}
