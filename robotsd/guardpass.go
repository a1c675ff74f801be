package main

import (
	"net/http"
	"net/netip"
	"slices"

	"github.com/robotsexclusion/robots/internal/cli"
)

// setExceptions gives the guard the exceptions of the operator, and the clients that have
// addresses.
func (g *guardian) setExceptions() {
	set := &g.exceptions.Set
	g.guard.Methods, g.guard.PassPaths = set.Methods, set.Paths
	g.guard.PassAddresses, g.guard.PassHeaders = set.Addresses, set.Headers
	find := g.proxies.Client
	if g.forwarded {
		find = g.proxies.ForwardedClient
	}
	g.guard.Client = func(r *http.Request) netip.Addr {
		client := find(r)
		if g.isProxy(client) {
			return netip.Addr{} // a proxy does not say who its client is
		}
		return client
	}
}

// isProxy reports whether an address is one of --trust.
func (g *guardian) isProxy(a netip.Addr) bool {
	return slices.ContainsFunc(g.proxies, func(p netip.Prefix) bool { return p.Contains(a) })
}

// checkExceptions refuses exceptions that would let everybody pass, or nobody. The proxies are
// known.
func (g *guardian) checkExceptions() error {
	if err := g.exceptions.Check(); err != nil {
		return err
	}
	addresses := g.exceptions.Set.Addresses
	if g.forwardAuth && len(addresses) > 0 && len(g.proxies) == 0 {
		return cli.Misusef("--pass-address with --forward-auth needs --trust: " +
			"otherwise all clients have the address of the proxy that asks")
	}
	for _, a := range addresses {
		covers := func(p netip.Prefix) bool { return p.Bits() <= a.Bits() && p.Contains(a.Addr()) }
		if slices.ContainsFunc(g.proxies, covers) {
			return cli.Misusef("--pass-address %s is of the proxies of --trust, through which all clients come: "+
				"name the addresses of clients", a)
		}
	}
	return nil
}
