package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A DialFilter keeps a robot away from addresses that no URL from outside should
// lead it to: its own machine, the private network around it, the metadata
// service of its cloud. It judges the address that is dialled, after DNS, at
// every connection, so that neither a redirect nor a name that changes its
// address gets round it. It is immutable and safe for concurrent use. The zero
// DialFilter allows global unicast addresses only.
//
// It refuses every range of IANA's registries of special-purpose addresses,
// also those of them that are globally reachable, which are anycast services
// without robots.txt; multicast; addresses with a zone; IPv4 addresses mapped
// into IPv6; and all of IPv6 that is not given out yet. A NAT64 address
// (64:ff9b::/96) is as good as the IPv4 address within. A translation prefix
// that a network has chosen for itself cannot be known.
type DialFilter struct {
	// AllowPrivate allows every address: the filter is off.
	AllowPrivate bool

	// Allow lists ranges that are allowed though they are special, such as
	// 10.1.0.0/16.
	Allow []netip.Prefix
}

// A RefusedError tells that a [DialFilter] did not let a robot connect.
type RefusedError struct {
	Host   string       // as in the URL; empty if the filter was only asked about an address
	Addr   netip.Addr   // that was to be dialled
	Within netip.Addr   // the IPv4 address that Addr leads to by NAT64; else zero
	Range  netip.Prefix // why: the special range
	Name   string       // of the range, such as "private use"
	Source string       // the document that sets it aside, such as "RFC 1918"
}

// Error says which host leads where, why that is refused, and what to do.
func (e *RefusedError) Error() string {
	text := e.Addr.String()
	if e.Host != "" && e.Host != text {
		text = printable.Text(e.Host) + " is at " + text
	}
	if e.Within.IsValid() {
		text += ", which is " + e.Within.String()
	}
	return fmt.Sprintf("fetch: refused to connect: %s: %s (%s, %s): "+
		"set DialFilter.AllowPrivate, or put the range in DialFilter.Allow, if you mean to go there", text, e.Name, e.Range, e.Source)
}

// check returns nil if a robot may connect to addr, and else a [*RefusedError].
func (f DialFilter) check(addr netip.Addr) error {
	if f.AllowPrivate {
		return nil
	}
	s, within := specialOf(addr)
	if s == nil {
		return nil
	}
	for _, allow := range f.Allow {
		if allow.Contains(addr) || within.IsValid() && allow.Contains(within) {
			return nil
		}
	}
	return &RefusedError{Addr: addr, Within: within, Range: s.prefix, Name: s.name, Source: s.source}
}

// Control is for [net.Dialer.ControlContext]: it fails before a connection to
// an address that is refused is made.
func (f DialFilter) Control(_ context.Context, network, address string, _ syscall.RawConn) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("fetch: refused to connect to %s %q, which is no IP address with a port", network, address)
	}
	return f.check(ap.Addr())
}

// Transport returns a new [http.Transport] that connects where f allows. It
// speaks HTTP/1.1 and HTTP/2, gives connecting 10 seconds and TLS as many,
// limits the headers of an answer to 64 KiB, and keeps few idle connections:
// robots visit many hosts, and ask for robots.txt once a day. How long an answer
// may take is for the caller's context to say.
//
// It uses no proxy, whatever the environment says: a proxy would resolve names
// itself, behind the filter's back. Setting Proxy trusts the proxy with that.
func (f DialFilter) Transport() *http.Transport {
	dialer := &net.Dialer{Timeout: 10 * time.Second, ControlContext: f.Control}
	return &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dialer.DialContext(ctx, network, address)
			return conn, withHost(err, address)
		},
		TLSHandshakeTimeout:    10 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		MaxIdleConns:           100,
		MaxIdleConnsPerHost:    1,
		IdleConnTimeout:        30 * time.Second,
		ForceAttemptHTTP2:      true,
	}
}

// withHost puts the host that was asked for into the filter's error.
func withHost(err error, address string) error {
	if refused, ok := errors.AsType[*RefusedError](err); ok {
		named := *refused
		named.Host, _, _ = net.SplitHostPort(address)
		return &named
	}
	return err
}
