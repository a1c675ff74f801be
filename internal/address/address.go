// Package address tells what the address of a client is beside its numbers: the IPv4 address that
// it stands for, and whether anybody on the Internet can have it.
package address

import "net/netip"

// The networks of addresses that stand for IPv4 addresses.
var (
	translated = netip.MustParsePrefix("64:ff9b::/96")    // NAT64, RFC 6052
	stateless  = netip.MustParsePrefix("::ffff:0:0:0/96") // SIIT, RFC 2765
	tunnelled  = netip.MustParsePrefix("2002::/16")       // 6to4, RFC 3056
	locally    = netip.MustParsePrefix("64:ff9b:1::/48")  // NAT64 of one's own, RFC 8215
)

// Plain returns an address without a zone, and as IPv4 if it stands for an IPv4 address: mapped, or
// translated by NAT64 (RFC 6052), SIIT or 6to4.
func Plain(a netip.Addr) netip.Addr {
	a = a.Unmap()
	if !a.Is6() {
		return a
	}
	a = a.WithZone("")
	switch b := a.As16(); {
	case translated.Contains(a), stateless.Contains(a):
		return netip.AddrFrom4([4]byte(b[12:]))
	case tunnelled.Contains(a):
		return netip.AddrFrom4([4]byte(b[2:6]))
	}
	return a
}

// Inside reports whether nobody on the Internet has an address: it is private, of loop-back, of one
// link, shared by a provider with its customers, of many receivers, or reserved (RFC 6890). A
// server sees such a client only from its own network: it is a proxy, or the site's own. A ban of
// it would hit these. Addresses of documents and of measurements, such as 192.0.2.0/24 and
// 198.18.0.0/15, are not among them: no server sees one.
func Inside(a netip.Addr) bool {
	a = Plain(a)
	if a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || a.IsUnspecified() || a.IsMulticast() {
		return true
	}
	if !a.Is4() {
		b := a.As16()
		site, discard := b[0] == 0xfe && b[1]&0xc0 == 0xc0, [8]byte(b[:8]) == [8]byte{1}
		return a.IsValid() && (locally.Contains(a) || site || discard)
	}
	switch b := a.As4(); b[0] {
	case 0:
		return true
	case 100: // 100.64.0.0/10, RFC 6598
		return b[1]>>6 == 1
	case 192:
		return b[1] == 0 && b[2] == 0
	default:
		return b[0] >= 240
	}
}
