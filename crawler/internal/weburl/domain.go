package weburl

import (
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Domain returns the registrable domain of the host: the public suffix and the label
// before it, such as "example.co.uk" for "www.example.co.uk", without a dot at the end.
// It uses the list of publicsuffix.org with the suffixes of private operators:
// alice.github.io and bob.github.io are sites of two people, each with its own
// robots.txt, and the URL Standard, browsers and cookies separate them too. Both may be
// on one server; a limit for each address covers that case.
//
// A host without a registrable domain is its own domain: an address, localhost, a
// single label, a public suffix.
//
// Domain takes several times as long as resolving a link, so frequent callers should
// cache it for each host.
func (u URL) Domain() string {
	host := u.Host()
	if _, ok := u.Addr(); ok {
		return host
	}
	name := strings.TrimSuffix(host, ".")
	suffix, _ := publicsuffix.PublicSuffix(name)
	rest := strings.TrimSuffix(strings.TrimSuffix(name, suffix), ".")
	if rest == "" {
		return name
	}
	return name[strings.LastIndexByte(rest, '.')+1:]
}
