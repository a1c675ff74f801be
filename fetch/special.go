package fetch

import "net/netip"

// A special is a range of addresses that is not part of the public Internet, or has no web
// servers.
type special struct {
	prefix netip.Prefix
	name   string // as in its registry
	source string // the document that reserves the range
}

// specials has every range of the IANA IPv4 and IPv6 Special-Purpose Address Registries, as of
// 2025-10-09, and then ranges reserved elsewhere. The longest matching prefix names an address.
//
// Some ranges of the registries are globally reachable. All of them but NAT64 are refused too:
// they are anycast services and identifiers, and no site has its robots.txt there.
var specials = [...]special{
	// IPv4 Special-Purpose Address Registry.
	{netip.MustParsePrefix("0.0.0.0/8"), "this network", "RFC 791"},
	{netip.MustParsePrefix("0.0.0.0/32"), "this host on this network", "RFC 1122"},
	{netip.MustParsePrefix("10.0.0.0/8"), "private use", "RFC 1918"},
	{netip.MustParsePrefix("100.64.0.0/10"), "shared address space", "RFC 6598"},
	{netip.MustParsePrefix("127.0.0.0/8"), "loopback", "RFC 1122"},
	{netip.MustParsePrefix("169.254.0.0/16"), "link-local", "RFC 3927"},
	{netip.MustParsePrefix("172.16.0.0/12"), "private use", "RFC 1918"},
	{netip.MustParsePrefix("192.0.0.0/24"), "IETF protocol assignments", "RFC 6890"},
	{netip.MustParsePrefix("192.0.0.0/29"), "IPv4 service continuity", "RFC 7335"},
	{netip.MustParsePrefix("192.0.0.8/32"), "IPv4 dummy address", "RFC 7600"},
	{netip.MustParsePrefix("192.0.0.9/32"), "Port Control Protocol anycast", "RFC 7723"}, // globally reachable
	{netip.MustParsePrefix("192.0.0.10/32"), "TURN anycast", "RFC 8155"},                 // globally reachable
	{netip.MustParsePrefix("192.0.0.170/32"), "NAT64/DNS64 discovery", "RFC 8880"},
	{netip.MustParsePrefix("192.0.0.171/32"), "NAT64/DNS64 discovery", "RFC 8880"},
	{netip.MustParsePrefix("192.0.2.0/24"), "documentation (TEST-NET-1)", "RFC 5737"},
	{netip.MustParsePrefix("192.31.196.0/24"), "AS112-v4", "RFC 7535"}, // globally reachable
	{netip.MustParsePrefix("192.52.193.0/24"), "AMT", "RFC 7450"},      // globally reachable
	{netip.MustParsePrefix("192.88.99.0/24"), "6to4 relay anycast, deprecated", "RFC 7526"},
	{netip.MustParsePrefix("192.88.99.2/32"), "6a44 relay anycast", "RFC 6751"},
	{netip.MustParsePrefix("192.168.0.0/16"), "private use", "RFC 1918"},
	{netip.MustParsePrefix("192.175.48.0/24"), "AS112, direct delegation", "RFC 7534"}, // globally reachable
	{netip.MustParsePrefix("198.18.0.0/15"), "benchmarking", "RFC 2544"},
	{netip.MustParsePrefix("198.51.100.0/24"), "documentation (TEST-NET-2)", "RFC 5737"},
	{netip.MustParsePrefix("203.0.113.0/24"), "documentation (TEST-NET-3)", "RFC 5737"},
	{netip.MustParsePrefix("240.0.0.0/4"), "reserved", "RFC 1112"},
	{netip.MustParsePrefix("255.255.255.255/32"), "limited broadcast", "RFC 919"},

	// IPv6 Special-Purpose Address Registry. NAT64 is below.
	{netip.MustParsePrefix("::1/128"), "loopback", "RFC 4291"},
	{netip.MustParsePrefix("::/128"), "unspecified", "RFC 4291"},
	{netip.MustParsePrefix("::ffff:0:0/96"), "IPv4-mapped", "RFC 4291"},
	{netip.MustParsePrefix("64:ff9b:1::/48"), "NAT64, local use", "RFC 8215"},
	{netip.MustParsePrefix("100::/64"), "discard only", "RFC 6666"},
	{netip.MustParsePrefix("100:0:0:1::/64"), "dummy prefix", "RFC 9780"},
	{netip.MustParsePrefix("2001::/23"), "IETF protocol assignments", "RFC 2928"},
	{netip.MustParsePrefix("2001::/32"), "Teredo", "RFC 4380"},
	{netip.MustParsePrefix("2001:1::1/128"), "Port Control Protocol anycast", "RFC 7723"}, // globally reachable
	{netip.MustParsePrefix("2001:1::2/128"), "TURN anycast", "RFC 8155"},                  // globally reachable
	{netip.MustParsePrefix("2001:1::3/128"), "DNS-SD SRP anycast", "RFC 9665"},            // globally reachable
	{netip.MustParsePrefix("2001:2::/48"), "benchmarking", "RFC 5180"},
	{netip.MustParsePrefix("2001:3::/32"), "AMT", "RFC 7450"},          // globally reachable
	{netip.MustParsePrefix("2001:4:112::/48"), "AS112-v6", "RFC 7535"}, // globally reachable
	{netip.MustParsePrefix("2001:10::/28"), "ORCHID, deprecated", "RFC 4843"},
	{netip.MustParsePrefix("2001:20::/28"), "ORCHIDv2", "RFC 7343"},          // globally reachable
	{netip.MustParsePrefix("2001:30::/28"), "drone identifiers", "RFC 9374"}, // globally reachable
	{netip.MustParsePrefix("2001:db8::/32"), "documentation", "RFC 3849"},
	{netip.MustParsePrefix("2002::/16"), "6to4", "RFC 3056"},
	{netip.MustParsePrefix("2620:4f:8000::/48"), "AS112, direct delegation", "RFC 7534"}, // globally reachable
	{netip.MustParsePrefix("3fff::/20"), "documentation", "RFC 9637"},
	{netip.MustParsePrefix("5f00::/16"), "segment routing SIDs", "RFC 9602"},
	{netip.MustParsePrefix("fc00::/7"), "unique local", "RFC 4193"},
	{netip.MustParsePrefix("fe80::/10"), "link-local", "RFC 4291"},

	// From other registries and documents.
	{netip.MustParsePrefix("224.0.0.0/4"), "multicast", "RFC 5771"},
	{netip.MustParsePrefix("::/96"), "IPv4-compatible, deprecated", "RFC 4291"},
	{netip.MustParsePrefix("fec0::/10"), "site-local, deprecated", "RFC 3879"},
	{netip.MustParsePrefix("ff00::/8"), "multicast", "RFC 4291"},

	// Metadata services of clouds. Only the last is outside the ranges above.
	{netip.MustParsePrefix("169.254.169.254/32"), "cloud metadata", "RFC 3927"},
	{netip.MustParsePrefix("fd00:ec2::254/128"), "cloud metadata", "RFC 4193"},
	{netip.MustParsePrefix("100.100.100.200/32"), "cloud metadata", "RFC 6598"},
	{netip.MustParsePrefix("168.63.129.16/32"), "cloud metadata", "Azure's documentation"},
}

var (
	// unallocated is all of IPv6 that IANA has not allocated for global unicast.
	unallocated = special{netip.MustParsePrefix("::/0"), "not global unicast", "RFC 4291"}
	allocated   = netip.MustParsePrefix("2000::/3")

	// nat64 is globally reachable: a network without IPv4 reaches every IPv4 site through it.
	// Its addresses are judged by the IPv4 address inside.
	nat64 = netip.MustParsePrefix("64:ff9b::/96") // RFC 6052

	// zoned is for addresses that are valid on one link of this machine only.
	zoned = special{netip.MustParsePrefix("::/0"), "an address with a zone", "RFC 4007"}
)

// specialOf returns the narrowest special range of addr, or nil. For a NAT64 address it judges
// the IPv4 address inside, and returns it too.
func specialOf(addr netip.Addr) (s *special, within netip.Addr) {
	if addr.Zone() != "" {
		return &zoned, within
	}
	if nat64.Contains(addr) {
		octets := addr.As16()
		within = netip.AddrFrom4([4]byte(octets[12:]))
		s, _ = specialOf(within)
		return s, within
	}
	for i := range specials {
		if p := specials[i].prefix; p.Contains(addr) && (s == nil || p.Bits() > s.prefix.Bits()) {
			s = &specials[i]
		}
	}
	if s == nil && !addr.Is4() && !allocated.Contains(addr) {
		s = &unallocated
	}
	return s, within
}
