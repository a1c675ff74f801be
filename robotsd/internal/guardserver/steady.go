package guardserver

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// leastProgress is how many bytes of a body a client must send, or take, while the server waits for
// it as long as Options.Stall.
const leastProgress = 16 << 10

// errStalled says that a client sends the body of a request too slowly.
var errStalled = errors.New("the client sends the body of its request too slowly")

// A patience is how long the server still waits for a client. Only the time in which the server
// waits counts: an upstream that is slow, or a stream that is silent, uses up none of it.
type patience struct {
	limit, left time.Duration
	got         int // bytes since left was the limit
}

func newPatience(limit time.Duration) patience { return patience{limit: limit, left: limit} }

// deadline returns when the patience ends if the client does nothing from now on.
func (p *patience) deadline(now time.Time) time.Time { return now.Add(p.left) }

// count takes the bytes that a client sent or took since a time into account.
func (p *patience) count(since time.Time, n int) {
	p.left -= time.Since(since)
	if p.got += n; p.got >= leastProgress {
		p.left, p.got = p.limit, 0
	}
}

// steady serves requests, and ends those whose clients stall. HTTP/1.1 leaves a stalled answer to
// the connection: see steadyConn.
func steady(limit time.Duration, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		rc := http.NewResponseController(w)
		if r.Body != nil && r.Body != http.NoBody {
			body := &steadyBody{ReadCloser: r.Body, rc: rc, patience: newPatience(limit), streams: r.ProtoMajor > 1}
			if !body.streams {
				// net/http reads the body of a refused request, to keep the connection
				body.setDeadline(time.Now().Add(limit))
			}
			defer body.end()
			r = r.WithContext(context.WithValue(r.Context(), bodyKey{}, body))
			r.Body = body
		}
		if limit > 0 && r.ProtoMajor > 1 {
			w = &steadyWriter{ResponseWriter: w, rc: rc, patience: newPatience(limit)}
			// for the rest of the answer, which net/http writes
			defer func() { rc.SetWriteDeadline(time.Now().Add(limit)) }()
		}
		next(w, r)
	}
}

// bodyKey is the key of the steadyBody in the context of a request, whose Body the proxy replaces.
type bodyKey struct{}

// A steadyBody is the body of a request. A read fails if the client stalls, and a read after the
// end of the body never fails: [http.Transport] reads again after the last byte, while net/http may
// have closed the body because the answer has begun, and would cut the answer off.
type steadyBody struct {
	io.ReadCloser
	rc      *http.ResponseController
	streams bool // HTTP/2, where a deadline ends the request even if nothing is read then

	patience      // used by the one reader, as whole is
	whole    bool // the end was read

	reading sync.Mutex // held by a read
	stalled bool       // a read failed with errStalled

	broken atomic.Bool // a read failed because the body is not valid, as with a wrong chunk

	mu    sync.Mutex
	ended bool // the deadline belongs to the next request of the connection
}

func (b *steadyBody) Read(p []byte) (n int, err error) {
	b.reading.Lock()
	defer b.reading.Unlock()
	if b.whole {
		return 0, io.EOF
	}
	began := time.Now()
	b.setDeadline(b.deadline(began))
	n, err = b.ReadCloser.Read(p)
	b.count(began, n)
	b.whole = err == io.EOF
	if b.whole || b.streams {
		// At the end of the body net/http begins to read the next request, and would cancel this
		// one at the deadline. After a stall the deadline stays, because net/http reads the rest of
		// the body.
		b.setDeadline(time.Time{})
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		b.stalled = true
		err = errStalled
	} else if err != nil && !b.whole && !b.streams && !errors.Is(err, http.ErrBodyReadAfterClose) {
		b.broken.Store(true)
	}
	return n, err
}

// hasStalled reports whether the client has sent the body too slowly. It waits for a read that is
// about to fail.
func (b *steadyBody) hasStalled() bool {
	if b.limit == 0 {
		return false
	}
	b.reading.Lock()
	defer b.reading.Unlock()
	return b.stalled
}

// setDeadline does nothing after the end of the handler: a transport may still read then.
func (b *steadyBody) setDeadline(t time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.limit > 0 && !b.ended {
		b.rc.SetReadDeadline(t)
	}
}

func (b *steadyBody) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
}

// A steadyWriter writes an answer of HTTP/2. A write fails if the client stalls: such a client may
// read the connection all the time, because each answer has a window of its own.
type steadyWriter struct {
	http.ResponseWriter
	rc *http.ResponseController
	patience
}

func (w *steadyWriter) Write(p []byte) (written int, err error) {
	for err == nil && len(p) > 0 {
		part := p[:min(len(p), leastProgress)]
		var n int
		n, err = w.watch(func() (int, error) { return w.ResponseWriter.Write(part) })
		written += n
		p = p[len(part):]
	}
	return written, err
}

// FlushError is for [http.ResponseController].
func (w *steadyWriter) FlushError() error {
	_, err := w.watch(func() (int, error) { return 0, w.rc.Flush() })
	return err
}

// watch has a deadline while do waits for the client.
func (w *steadyWriter) watch(do func() (int, error)) (int, error) {
	began := time.Now()
	w.rc.SetWriteDeadline(w.deadline(began))
	n, err := do()
	w.count(began, n)
	w.rc.SetWriteDeadline(time.Time{}) // the deadline would end a silent stream
	return n, err
}

// Unwrap is for [http.ResponseController].
func (w *steadyWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Serve is [http.Server.Serve] with connections that end when their client stalls; without a limit
// for that, their deadlines come late.
func (s *Server) Serve(l net.Listener) error { return s.Server.Serve(steadyListener{l, s.stall}) }

// ServeTLS is [http.Server.ServeTLS] with the connections of Serve.
func (s *Server) ServeTLS(l net.Listener, cert, key string) error {
	return s.Server.ServeTLS(steadyListener{l, s.stall}, cert, key)
}

type steadyListener struct {
	net.Listener
	limit time.Duration
}

func (l steadyListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if l.limit > 0 {
		return &steadyConn{Conn: c, limit: l.limit}, nil
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		return newLateConn(tcp), nil
	}
	return c, nil
}

// A steadyConn is a connection whose writes fail if the client stalls. It also serves WebSockets
// and TLS.
type steadyConn struct {
	net.Conn
	limit time.Duration
	fixed atomic.Bool // the deadline for writing is another one's
}

func (c *steadyConn) Write(b []byte) (written int, err error) {
	if c.fixed.Load() {
		return c.Conn.Write(b)
	}
	// A system reports that a connection can be written to when a large part of its buffer is free.
	// So progress is what the client has taken out of the buffer, which is known from the second
	// period on.
	for before := -1; ; {
		c.Conn.SetWriteDeadline(time.Now().Add(c.limit))
		n, err := c.Conn.Write(b[written:])
		written += n
		if !errors.Is(err, os.ErrDeadlineExceeded) || c.fixed.Load() {
			return written, err
		}
		now := unsent(c.Conn)
		if before >= 0 && n+before-now < leastProgress {
			if socket, ok := socketOf(c.Conn).(*net.TCPConn); ok {
				socket.SetLinger(0) // or the system would keep what the client does not take
			}
			return written, err
		}
		before = now
	}
}

// socketOf returns the connection of the system under those of this package.
func socketOf(c net.Conn) net.Conn {
	if p, ok := c.(*proxyConn); ok {
		return p.Conn
	}
	return c
}

func (c *steadyConn) SetWriteDeadline(t time.Time) error {
	c.fixed.Store(!t.IsZero())
	return c.Conn.SetWriteDeadline(t)
}

func (c *steadyConn) SetDeadline(t time.Time) error {
	c.fixed.Store(!t.IsZero())
	return c.Conn.SetDeadline(t)
}

// CloseWrite lets the server end an answer before it has read the whole request.
func (c *steadyConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}
