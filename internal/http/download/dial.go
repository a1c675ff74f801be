package download

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/fetch"
)

const (
	// maxTries limits the addresses of a host that are tried.
	maxTries = 6

	// headStart is the delay before the next address is tried in parallel (RFC 8305,
	// section 5).
	headStart = 250 * time.Millisecond
)

// A conn is a connection to an origin. At most one exchange uses it at a time.
type conn struct {
	origin string
	tcp    net.Conn
	net    net.Conn // TCP, or TLS over TCP
	addr   netip.AddrPort
	tls    string           // such as "tls/1.3"
	h2     *http.ClientConn // nil for HTTP/1.1
}

// close closes the connection.
func (cn *conn) close() {
	if cn.h2 != nil {
		cn.h2.Close()
	}
	cn.net.Close()
}

// open reports whether a pooled connection can be used.
func (cn *conn) open() bool {
	if cn.h2 != nil {
		return cn.h2.Err() == nil && cn.h2.Available() > 0
	}
	return quiet(cn.tcp)
}

// dial makes a connection to a target, and records the durations in times.
func (c *Client) dial(ctx context.Context, t *target, times *Times) (*conn, error) {
	begun := time.Now()
	addrs, err := c.names.resolve(ctx, t.host)
	times.DNS = time.Since(begun)
	if err != nil {
		return nil, newError(t.origin, DNS, err)
	}

	begun = time.Now()
	limit := cmp.Or(c.ConnectTimeout, defaultConnectTimeout)
	limited, cancel := context.WithTimeoutCause(ctx, limit, &stop{Timeout, "timeout: no connection within " +
		limit.String()})
	defer cancel()
	tcp, err := c.connect(limited, addrs, t.port)
	times.Connect = time.Since(begun)
	if err != nil {
		if refused, ok := errors.AsType[*fetch.RefusedError](err); ok {
			named := *refused
			named.Host = t.host
			err = &named
		} else if limited.Err() != nil {
			err = context.Cause(limited)
		}
		return nil, newError(t.origin, Connect, err)
	}
	cn := &conn{origin: t.origin, tcp: tcp, net: tcp}
	cn.addr = tcp.RemoteAddr().(*net.TCPAddr).AddrPort()
	cn.addr = netip.AddrPortFrom(cn.addr.Addr().Unmap(), cn.addr.Port())
	if !t.secure {
		return cn, nil
	}

	begun = time.Now()
	err = c.secure(ctx, cn, t)
	times.TLS = time.Since(begun)
	if err != nil {
		tcp.Close()
		e := newError(t.origin, TLS, err)
		e.Addr = cn.addr
		return nil, e
	}
	return cn, nil
}

// secure adds TLS to a connection, and HTTP/2 if both sides agreed on it.
func (c *Client) secure(ctx context.Context, cn *conn, t *target) error {
	config := c.tls.Clone()
	config.ServerName = strings.TrimSuffix(t.host, ".")
	limit := cmp.Or(c.ConnectTimeout, defaultConnectTimeout)
	limited, cancel := context.WithTimeoutCause(ctx, limit, &stop{Timeout, "timeout: no TLS within " + limit.String()})
	defer cancel()
	secured := tls.Client(cn.tcp, config)
	if err := secured.HandshakeContext(limited); err != nil {
		if limited.Err() != nil {
			return context.Cause(limited)
		}
		return err
	}
	state := secured.ConnectionState()
	cn.net = secured
	cn.tls = strings.ToLower(strings.Replace(tls.VersionName(state.Version), " ", "/", 1))
	if state.NegotiatedProtocol != "h2" {
		return nil
	}
	var err error
	cn.h2, err = c.h2.NewClientConn(context.WithValue(limited, dialledKey{}, secured), "https",
		net.JoinHostPort(t.host, t.port))
	return err
}

// connect makes a connection to one of several addresses as RFC 8305 asks: it tries
// them one after the other, IPv4 and IPv6 in turn, each with a short head start on the
// next. The filter judges each address when it is dialled.
func (c *Client) connect(ctx context.Context, addrs []netip.Addr, port string) (net.Conn, error) {
	// Idle connections live for seconds only, so TCP keep-alive would never send a
	// probe.
	dialer := &net.Dialer{ControlContext: c.DialFilter.Control, KeepAlive: -1}
	dial := func(ctx context.Context, addr netip.Addr) (net.Conn, error) {
		return dialer.DialContext(ctx, "tcp", net.JoinHostPort(addr.String(), port))
	}
	addrs = inTurn(addrs)
	if len(addrs) == 1 {
		return dial(ctx, addrs[0])
	}

	type result struct {
		conn net.Conn
		err  error
	}
	ctx, cancel := context.WithCancel(ctx)
	results := make(chan result)
	started, ended := 0, 0
	var won net.Conn
	var failed error
	start := func() {
		addr := addrs[started]
		started++
		go func() {
			conn, err := dial(ctx, addr)
			results <- result{conn, err}
		}()
	}
	start()
	next := time.NewTimer(headStart)
	defer next.Stop()
	for ended < started {
		select {
		case <-next.C:
			if won == nil && started < len(addrs) {
				start()
				next.Reset(headStart)
			}
		case r := <-results:
			ended++
			switch {
			case r.err == nil && won == nil:
				won = r.conn
				cancel() // stop the others and wait for them
			case r.err == nil:
				r.conn.Close()
			case won == nil:
				failed = worse(failed, r.err)
				if started < len(addrs) && ctx.Err() == nil {
					start()
					next.Reset(headStart)
				}
			}
		}
	}
	cancel()
	if won == nil {
		return nil, failed
	}
	return won, nil
}

// worse returns the more informative of two errors: the first, unless it only says that
// an address was refused. If no address of a host is good, the filter's error describes
// the host.
func worse(a, b error) error {
	if a == nil {
		return b
	}
	if _, refused := errors.AsType[*fetch.RefusedError](a); refused {
		return b
	}
	return a
}

// inTurn returns the first addresses to try, IPv4 and IPv6 in turn, beginning with the
// family of the first one.
func inTurn(addrs []netip.Addr) []netip.Addr {
	if len(addrs) < 2 {
		return addrs
	}
	var families [2][]netip.Addr
	for _, a := range addrs {
		i := 0
		if a.Is4() != addrs[0].Is4() {
			i = 1
		}
		families[i] = append(families[i], a)
	}
	mixed := make([]netip.Addr, 0, len(addrs))
	for i := range addrs {
		for _, family := range families {
			if i < len(family) {
				mixed = append(mixed, family[i])
			}
		}
	}
	return mixed[:min(len(mixed), maxTries)]
}

// A dialledKey is the context key of the connection that net/http uses for HTTP/2.
type dialledKey struct{}

// http2 returns a transport that speaks HTTP/2 over the connections of this package.
func (c *Client) http2() *http.Transport {
	t := c.DialFilter.Transport()
	t.DialTLSContext = func(ctx context.Context, _, address string) (net.Conn, error) {
		if conn, ok := ctx.Value(dialledKey{}).(net.Conn); ok {
			return conn, nil
		}
		return nil, fmt.Errorf("download: net/http wants a connection of its own to %s", address)
	}
	t.DisableCompression = true
	t.MaxResponseHeaderBytes = int64(cmp.Or(c.MaxHeader, defaultMaxHeader))
	t.HTTP2 = &http.HTTP2Config{
		// Data that a server sends before the exchange reads it takes memory.
		MaxReceiveBufferPerStream:     128 << 10,
		MaxReceiveBufferPerConnection: 256 << 10,
		WriteByteTimeout:              10 * time.Second,
	}
	return t
}
