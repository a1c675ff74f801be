package http1

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// A Transport makes requests without a body like an [http.Transport], and reads malformed heads of
// HTTP/1. HTTP/2 and all limits are those of the [http.Transport]. It has no proxy.
type Transport struct{ *http.Transport }

// New returns a Transport that takes t over: t is not used otherwise, but may still be configured
// before the first request.
func New(t *http.Transport) *Transport {
	dial := t.DialContext
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		tcp, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return newConn(t, tcp, nil), nil
	}
	t.DialTLSContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		tcp, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		secured, err := secure(ctx, t, tcp, address)
		if err != nil {
			tcp.Close()
			return nil, err
		}
		state := secured.ConnectionState()
		if state.NegotiatedProtocol == "h2" {
			return secured, nil
		}
		return newConn(t, secured, &state), nil
	}
	t.Proxy = nil
	t.WriteBufferSize = 16 << 10 // the head of a request is one write: see conn.Write
	return &Transport{t}
}

// secure does what an [http.Transport] does if it has no DialTLSContext.
func secure(ctx context.Context, t *http.Transport, tcp net.Conn, address string) (*tls.Conn, error) {
	config := t.TLSClientConfig.Clone()
	if config == nil {
		config = new(tls.Config)
	}
	if config.ServerName == "" {
		config.ServerName, _, _ = net.SplitHostPort(address)
	}
	config.NextProtos = []string{"h2", "http/1.1"}
	if !t.ForceAttemptHTTP2 {
		config.NextProtos = nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, cmp.Or(t.TLSHandshakeTimeout, time.Minute), errHandshake)
	defer cancel()
	secured := tls.Client(tcp, config)
	err := secured.HandshakeContext(ctx)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return secured, err
}

var errHandshake error = handshakeError{}

// A handshakeError says that a server did not complete the handshake of TLS in time.
type handshakeError struct{}

// Error returns the text that net/http has.
func (handshakeError) Error() string { return "net/http: TLS handshake timeout" }

// Timeout returns true.
func (handshakeError) Timeout() bool { return true }

// Temporary returns true. It makes a handshakeError a [net.Error].
func (handshakeError) Temporary() bool { return true }

// RoundTrip implements [http.RoundTripper].
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != "https" {
		return t.Transport.RoundTrip(r)
	}
	var over *conn
	ctx := httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) {
		over, _ = got.Conn.(*conn)
	}})
	answer, err := t.Transport.RoundTrip(r.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	answer.Request = r
	if over != nil { // net/http only sees that the connection is not one of crypto/tls
		answer.TLS = over.state
	}
	return answer, nil
}

// A conn is a connection of HTTP/1 whose answers have heads that net/http reads.
type conn struct {
	net.Conn
	in    *bufio.Reader // of Conn
	most  int           // bytes of a head
	state *tls.ConnectionState
	left  []byte      // of a head
	asked atomic.Bool // the next byte begins a head
}

func newConn(t *http.Transport, over net.Conn, state *tls.ConnectionState) *conn {
	return &conn{Conn: over, in: bufio.NewReader(over), state: state,
		most: int(cmp.Or(t.MaxResponseHeaderBytes, 1<<20))}
}

// Write writes a request. [http.Transport] writes the next one when it has read the whole answer,
// so the next byte begins a head.
func (c *conn) Write(p []byte) (int, error) {
	c.asked.Store(true)
	return c.Conn.Write(p)
}

// Read reads an answer.
func (c *conn) Read(p []byte) (int, error) {
	if len(c.left) == 0 {
		// The request may be written while Peek waits.
		if _, err := c.in.Peek(1); err != nil {
			return 0, err
		}
		if c.asked.Swap(false) {
			head, err := ReadHead(nil, c.in, c.most)
			if err == nil {
				status, ok := parseStatusLine(head)
				c.asked.CompareAndSwap(false, ok && status.isInterim())
				head = Strict(head)
			}
			if c.left = head; len(head) == 0 {
				return 0, err
			}
		}
	}
	if len(c.left) > 0 {
		n := copy(p, c.left)
		c.left = c.left[n:]
		return n, nil
	}
	return c.in.Read(p)
}
