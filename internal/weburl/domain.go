package weburl

import (
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Domain returns the registrable domain of the host: the public suffix and the
// label before it, such as "example.co.uk" of "www.example.co.uk", without a dot
// at the end. The suffixes are those of publicsuffix.org, those of private
// operators included: alice.github.io and bob.github.io are sites of two people,
// who each have a robots.txt, and the URL Standard, browsers and cookies part them
// too. They may well be on one server, which a limit for each address sees.
//
// A host without one is its own: an address, localhost, a name of one label, a
// public suffix.
//
// It takes several times as long as resolving a link, so that whoever asks often
// keeps the answer for each host.
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
