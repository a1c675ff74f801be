package auditreport

import (
	"net/netip"
	"slices"

	"github.com/robotsexclusion/robots/audit"
)

// inside are the networks whose addresses a server sees only from its own network: they are those
// of a proxy (RFC 6890).
var inside = prefixes("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
	"192.168.0.0/16", "::/127", "fc00::/7", "fe80::/10")

// unused are the other networks of which no client of the Internet has an address: for documents,
// for measurements, for many receivers, and reserved.
var unused = prefixes("192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
	"224.0.0.0/4", "240.0.0.0/4", "100::/64", "2001:db8::/32", "3fff::/20", "ff00::/8")

func prefixes(texts ...string) (list []netip.Prefix) {
	for _, text := range texts {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}

func within(list []netip.Prefix, address string) bool {
	a, err := netip.ParseAddr(address)
	return err == nil && slices.ContainsFunc(list, func(p netip.Prefix) bool { return p.Contains(a.Unmap()) })
}

// FromInside returns an address of the disallowed requests of a robot, if all of them are addresses
// of the server's own network, or "". An operator cannot find its robot by these.
func FromInside(robot *audit.Robot) string {
	for _, a := range robot.Addresses {
		if !within(inside, a.Address) {
			return ""
		}
	}
	if len(robot.Addresses) == 0 || int64(len(robot.Addresses)) < robot.AddressCount {
		return ""
	}
	return robot.Addresses[0].Address
}

// nobodys counts the addresses that nobody has on the Internet.
func nobodys(addresses []audit.Address) (count int64) {
	for _, a := range addresses {
		if within(inside, a.Address) || within(unused, a.Address) {
			count++
		}
	}
	return count
}
