package auditreport

import (
	"net/netip"
	"slices"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/address"
)

// inDocuments are the networks whose addresses stand in documents and measurements (RFC 6890): no
// server sees them.
var inDocuments = [...]netip.Prefix{
	netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("3fff::/20"),
}

// isInside reports whether the address with a text is one of a server's own network.
func isInside(text string) bool {
	a, err := netip.ParseAddr(text)
	return err == nil && address.Inside(a)
}

// isInDocuments reports whether the address with a text is one of a document.
func isInDocuments(text string) bool {
	a, err := netip.ParseAddr(text)
	return err == nil && slices.ContainsFunc(inDocuments[:], func(p netip.Prefix) bool {
		return p.Contains(address.Plain(a))
	})
}

// InsideProxy returns the address of a proxy of the report that is one of the server's own network,
// or "". An operator cannot find its robot by it.
func InsideProxy(r *audit.Report) string {
	if i := slices.IndexFunc(r.Proxies, isInside); i >= 0 {
		return r.Proxies[i]
	}
	return ""
}

// nobodys counts the addresses that nobody has on the Internet.
func nobodys(addresses []audit.Address) (count int64) {
	for _, a := range addresses {
		if isInside(a.Address) || isInDocuments(a.Address) {
			count++
		}
	}
	return count
}
