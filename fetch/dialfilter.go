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

// A DialFilter keeps a robot away from addresses that outside URLs should not reach: its own
// machine, the private network around it, the metadata service of its cloud. The filter checks
// the dialled address, after DNS, for every connection. So neither a redirect nor a name that
// changes its address can bypass the filter. A DialFilter is immutable and safe for concurrent
// use. The zero DialFilter allows global unicast addresses only.
//
// The filter refuses every range of IANA's registries of special-purpose addresses, including
// the globally reachable ones, which are anycast services without robots.txt. It also refuses
// multicast, addresses with a zone, IPv4 addresses mapped into IPv6, and all IPv6 space that is
// not allocated yet. A NAT64 address (64:ff9b::/96) is treated like the IPv4 address inside it.
// The filter cannot recognise a translation prefix that a network has chosen for itself.
type DialFilter struct {
	// AllowPrivate allows every address. It turns the filter off.
	AllowPrivate bool

	// Allow lists special ranges that are allowed nevertheless, such as 10.1.0.0/16.
	Allow []netip.Prefix
}

// A RefusedError is the error for a connection that a [DialFilter] refused.
type RefusedError struct {
	Host   string       // as in the URL; empty if only an address was checked
	Addr   netip.Addr   // the dialled address
	Within netip.Addr   // the IPv4 address that Addr reaches by NAT64, or zero
	Range  netip.Prefix // the special range that is the reason
	Name   string       // name of the range, such as "private use"
	Source string       // the document that reserves the range, such as "RFC 1918"
}

// Error says which host has which address, why the filter refuses the address, and what to do.
func (e *RefusedError) Error() string {
	text := e.Addr.String()
	if e.Host != "" && e.Host != text {
		text = printable.Text(e.Host) + " is at " + text
	}
	if e.Within.IsValid() {
		text += ", which is " + e.Within.String()
	}
	return fmt.Sprintf("fetch: refused to connect: %s: %s (%s, %s): "+
		"set DialFilter.AllowPrivate, or put the range in DialFilter.Allow, if you mean to go there", text, e.Name,
		e.Range, e.Source)
}

// check returns nil if a robot may connect to addr, and a [*RefusedError] otherwise.
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

// Control is for [net.Dialer.ControlContext]. It returns a [*RefusedError] for a refused
// address, before the connection is made.
func (f DialFilter) Control(_ context.Context, network, address string, _ syscall.RawConn) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("fetch: refused to connect to %s %q, which is not an IP address with a port", network,
			address)
	}
	return f.check(ap.Addr())
}

// Transport returns a new [http.Transport] that connects only where f allows. The transport
// speaks HTTP/1.1 and HTTP/2, allows 10 seconds for connecting and 10 for TLS, limits the
// headers of an answer to 64 KiB, and keeps few idle connections, because robots visit many
// hosts and ask for robots.txt once a day. The caller's context limits the time for an answer.
//
// The transport uses no proxy, not even one from the environment: a proxy would resolve names
// itself and so bypass the filter. Set Proxy only if you trust the proxy to filter.
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

// withHost adds the requested host to the filter's error.
func withHost(err error, address string) error {
	if refused, ok := errors.AsType[*RefusedError](err); ok {
		named := *refused
		named.Host, _, _ = net.SplitHostPort(address)
		return &named
	}
	return err
}
