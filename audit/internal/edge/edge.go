// Package edge knows addresses of proxies: those that are not of the Internet, and those from which
// content delivery networks ask the servers of sites.
package edge

import (
	"net/netip"

	"github.com/robotsexclusion/robots/internal/address"
)

// published are the ranges that networks publish for the firewalls of sites, read in November 2026:
// https://www.cloudflare.com/ips, https://api.fastly.com/public-ip-list, and of CloudFront the
// global part of https://d7uri8nf7uskq.cloudfront.net/tools/list-cloudfront-ips, joined to larger
// ranges where these have no other owner; of the load balancers of Google Cloud
// https://cloud.google.com/load-balancing/docs/firewall-rules; of Azure Front Door the space that
// its questions and answers name; of Imperva https://my.imperva.com/api/integration/v1/ips and of
// Sucuri https://docs.sucuri.net/website-firewall/sucuri-firewall-troubleshooting-guide/, both as
// the warning lists of MISP have them. Akamai publishes none. Networks add few ranges a year: a
// range that lacks here is found by the clients that it brings (package audit).
//
// 104.28.0.0/16 of Cloudflare is left out: people come from there, by WARP and iCloud Private
// Relay.
var published = prefixes(
	// Cloudflare
	"173.245.48.0/20", "103.21.244.0/22", "103.22.200.0/22", "103.31.4.0/22", "141.101.64.0/18",
	"108.162.192.0/18", "190.93.240.0/20", "188.114.96.0/20", "197.234.240.0/22", "198.41.128.0/17",
	"162.158.0.0/15", "104.16.0.0/13", "104.24.0.0/14", "172.64.0.0/13", "131.0.72.0/22",
	"2400:cb00::/32", "2606:4700::/32", "2803:f800::/32", "2405:b500::/32", "2405:8100::/32",
	"2a06:98c0::/29", "2c0f:f248::/32",
	// Fastly
	"23.235.32.0/20", "43.249.72.0/22", "103.244.50.0/24", "103.245.222.0/23", "103.245.224.0/24",
	"104.156.80.0/20", "140.248.64.0/18", "140.248.128.0/17", "146.75.0.0/17", "151.101.0.0/16",
	"157.52.64.0/18", "167.82.0.0/17", "167.82.128.0/20", "167.82.160.0/20", "167.82.224.0/20",
	"172.111.64.0/18", "185.31.16.0/22", "199.27.72.0/21", "199.232.0.0/16", "2a04:4e40::/32",
	"2a04:4e42::/32",
	// CloudFront
	"13.32.0.0/15", "13.35.0.0/16", "13.224.0.0/14", "13.249.0.0/16", "15.158.0.0/16", "18.64.0.0/14",
	"18.68.0.0/16", "18.154.0.0/15", "18.160.0.0/15", "18.164.0.0/15", "18.172.0.0/15", "18.238.0.0/15",
	"18.244.0.0/15", "52.46.0.0/18", "52.84.0.0/15", "52.222.128.0/17", "54.182.0.0/16", "54.192.0.0/16",
	"54.230.0.0/16", "54.239.128.0/18", "54.239.192.0/19", "54.240.128.0/18", "64.252.64.0/18",
	"64.252.128.0/18", "65.8.0.0/16", "65.9.0.0/17", "65.9.128.0/18", "70.132.0.0/18", "71.152.0.0/17",
	"99.84.0.0/16", "99.86.0.0/16", "108.138.0.0/15", "108.156.0.0/14", "130.176.0.0/16", "143.204.0.0/16",
	"144.220.0.0/16", "204.246.164.0/22", "204.246.168.0/22", "204.246.172.0/24", "204.246.174.0/23",
	"204.246.176.0/20", "205.251.192.0/19", "216.137.32.0/19",
	// Google Cloud
	"35.191.0.0/16", "130.211.0.0/22", "2600:2d00:1:1::/64", "2600:2d00:1:b029::/64",
	// Azure Front Door
	"147.243.0.0/16", "2a01:111:2050::/44",
	// Imperva
	"45.60.0.0/16", "45.64.64.0/22", "45.223.0.0/16", "103.28.248.0/22", "107.154.0.0/16",
	"131.125.128.0/17", "149.126.72.0/21", "185.11.124.0/22", "192.230.64.0/18", "198.143.32.0/19",
	"199.83.128.0/21", "2a02:e980::/29",
	// Sucuri
	"66.248.200.0/22", "185.93.228.0/22", "192.88.134.0/23", "208.109.0.0/22", "2a02:fe80::/29",
)

var people = netip.MustParsePrefix("104.28.0.0/16")

func prefixes(texts ...string) (list []netip.Prefix) {
	for _, text := range texts {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}

// byFirst has the published ranges of IPv4 by the first byte of their addresses: none is larger.
// others are those of IPv6.
var byFirst, others = func() (table [256][]netip.Prefix, others []netip.Prefix) {
	for _, p := range published {
		if p.Addr().Is4() {
			first := p.Addr().As4()[0]
			table[first] = append(table[first], p)
		} else {
			others = append(others, p)
		}
	}
	return table, others
}()

// Published reports whether an address stands in the published ranges of a content delivery
// network.
func Published(a netip.Addr) bool {
	a = address.Plain(a)
	list := others
	if a.Is4() {
		list = byFirst[a.As4()[0]]
	}
	for _, p := range list {
		if p.Contains(a) {
			return !people.Contains(a)
		}
	}
	return false
}

// Proxy reports whether an address is that of a proxy before a server, and so identifies nobody: it
// is not of the Internet, or Published.
func Proxy(a netip.Addr) bool { return address.Inside(a) || Published(a) }
