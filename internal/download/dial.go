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
	// maxTries is how many addresses of a host are tried.
	maxTries = 6

	// headStart is how long an address has before the next one is tried beside
	// it (RFC 8305, section 5).
	headStart = 250 * time.Millisecond
)

// A conn is a connection to an origin. One exchange at a time has it.
type conn struct {
	origin string
	tcp    net.Conn
	net    net.Conn // tcp, or TLS over it
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

// open reports whether a connection that was kept can be used.
func (cn *conn) open() bool {
	if cn.h2 != nil {
		return cn.h2.Err() == nil && cn.h2.Available() > 0
	}
	return quiet(cn.tcp)
}

// dial makes a connection to a target. It notes how long that took.
func (c *Client) dial(ctx context.Context, t *target, times *Times) (*conn, error) {
	begun := time.Now()
	addrs, err := c.names.resolve(ctx, t.host)
	times.DNS = time.Since(begun)
	if err != nil {
		return nil, newError(t.origin, DNS, err)
	}

	begun = time.Now()
	limit := cmp.Or(c.ConnectTimeout, defaultConnectTimeout)
	limited, cancel := context.WithTimeoutCause(ctx, limit, &stop{Timeout, "timeout: no connection within " + limit.String()})
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

// secure puts TLS over a connection, and HTTP/2 if that was agreed on.
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
	cn.h2, err = c.h2.NewClientConn(context.WithValue(limited, dialled{}, secured), "https", net.JoinHostPort(t.host, t.port))
	return err
}

// connect makes a connection to one of several addresses, as RFC 8305 asks: they
// are tried one after the other, IPv4 and IPv6 in turn, each with a short head
// start on the next. The filter judges each when it is dialled.
func (c *Client) connect(ctx context.Context, addrs []netip.Addr, port string) (net.Conn, error) {
	// Connections are kept for seconds, so that probes of TCP never come.
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
				cancel() // the others, which are waited for
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

// worse returns which of two errors tells more: the first, unless only an address
// was refused. The filter stands for a host if none of its addresses is good.
func worse(a, b error) error {
	if a == nil {
		return b
	}
	if _, refused := errors.AsType[*fetch.RefusedError](a); refused {
		return b
	}
	return a
}

// inTurn returns the first addresses that are to be tried, those of IPv4 and IPv6
// in turn, beginning with the family of the first one.
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

// dialled is the key under which a context has the connection that net/http is to
// speak HTTP/2 over.
type dialled struct{}

// http2 returns what speaks HTTP/2 over connections that were made here.
func (c *Client) http2() *http.Transport {
	t := c.DialFilter.Transport()
	t.DialTLSContext = func(ctx context.Context, _, address string) (net.Conn, error) {
		if conn, ok := ctx.Value(dialled{}).(net.Conn); ok {
			return conn, nil
		}
		return nil, fmt.Errorf("download: net/http wants a connection of its own to %s", address)
	}
	t.DisableCompression = true
	t.MaxResponseHeaderBytes = int64(cmp.Or(c.MaxHeader, defaultMaxHeader))
	t.HTTP2 = &http.HTTP2Config{
		// What a server may send before we have read it is memory.
		MaxReceiveBufferPerStream:     128 << 10,
		MaxReceiveBufferPerConnection: 256 << 10,
		WriteByteTimeout:              10 * time.Second,
	}
	return t
}
