package guard

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the addresses of proxies in front of the server whose X-Forwarded-For header the
// server can trust.
type Proxies []netip.Prefix

// Client returns the address of the client of a request, for [Guard.Client]. If a proxy sent the
// request, that is the last address of X-Forwarded-For that is not a proxy's; otherwise it is the
// address of the connection. Clients can write all addresses before that one. The result is the
// zero address if there is none.
func (p Proxies) Client(r *http.Request) netip.Addr {
	client := peer(r)
	if !p.has(client) {
		return client
	}
	for _, field := range slices.Backward(r.Header["X-Forwarded-For"]) {
		for field != "" {
			i := strings.LastIndexByte(field, ',')
			address := strings.TrimSpace(field[i+1:])
			field = field[:max(0, i)]
			next, ok := parseAddress(address)
			if !ok {
				return netip.Addr{} // a proxy that does not know the address of its client
			}
			if client = next; !p.has(client) {
				return client
			}
		}
	}
	return client
}

// Trusts reports whether a proxy sent a request.
func (p Proxies) Trusts(r *http.Request) bool { return p.has(peer(r)) }

func (p Proxies) has(a netip.Addr) bool {
	return slices.ContainsFunc(p, func(prefix netip.Prefix) bool { return prefix.Contains(a) })
}

// peer returns the address of the connection of a request, or the zero address.
func peer(r *http.Request) netip.Addr {
	a, _ := parseAddress(r.RemoteAddr)
	return a
}

// parseAddress returns an address, which may have a port. An IPv4 address in the form of IPv6
// counts as itself.
func parseAddress(s string) (netip.Addr, bool) {
	if strings.HasPrefix(s, "[") || strings.Count(s, ":") == 1 {
		ap, err := netip.ParseAddrPort(s)
		return ap.Addr().Unmap().WithZone(""), err == nil
	}
	a, err := netip.ParseAddr(s)
	return a.Unmap().WithZone(""), err == nil
}
