package guardserver

import (
	"context"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// A Server serves requests until it is drained.
type Server struct {
	*http.Server
	busy  busy
	stall time.Duration // Options.Stall
}

// Drained returns a server that can be drained. It takes s over, with its handler and its ConnState.
func Drained(s *http.Server) *Server {
	out := &Server{Server: s, busy: busy{conns: map[net.Conn]bool{}}}
	s.Handler, s.ConnState = out.busy.serve(s.Handler.ServeHTTP), out.busy.state
	return out
}

// busy has the open connections, of which those are busy that wait for a request or an answer, and counts the open requests, of which
// those of taken over connections, such as WebSockets, are no longer the server's.
type busy struct {
	mu       sync.Mutex
	conns    map[net.Conn]bool
	requests int
	ending   atomic.Bool // answers say that the connection ends
}

// linger is how long connections without a request stay open while a server ends, so that a request that is under way to the server gets an
// answer, which says that the connection ends.
const linger = time.Second

// Drain ends the server without dropping a request: it serves those that have begun, on connections that were accepted, until ctx
// ends. The listener must be closed, and Serve must have returned. [http.Server.Shutdown] alone would close a connection
// whose first request it has not read, and [http.Server.SetKeepAlivesEnabled] one whose next request is arriving.
func (s *Server) Drain(ctx context.Context) {
	s.busy.ending.Store(true)
	for began := time.Now(); s.busy.open() && time.Since(began) < linger && ctx.Err() == nil; {
		time.Sleep(10 * time.Millisecond)
	}
	s.SetKeepAlivesEnabled(false)
	for !s.busy.none() && ctx.Err() == nil {
		time.Sleep(10 * time.Millisecond)
	}
	if s.Shutdown(ctx) != nil {
		s.Close()
	}
}

// state keeps whether a connection is busy, for [http.Server.ConnState].
func (b *busy) state(c net.Conn, state http.ConnState) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch state {
	case http.StateNew, http.StateActive:
		b.conns[c] = true
	case http.StateIdle:
		b.conns[c] = false
	default:
		delete(b.conns, c)
	}
}

// serve serves a request as an open one.
func (b *busy) serve(next http.HandlerFunc) http.HandlerFunc {
	add := func(n int) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.requests += n
	}
	return func(w http.ResponseWriter, r *http.Request) {
		add(1)
		defer add(-1)
		if r.ProtoMajor == 1 && r.Header["Upgrade"] == nil && b.ending.Load() {
			w.Header().Set("Connection", "close")
		}
		next(w, r)
	}
}

// open reports whether a connection is open.
func (b *busy) open() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.conns) > 0
}

// none reports whether nothing is busy.
func (b *busy) none() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, busy := range b.conns {
		if busy {
			return false
		}
	}
	return b.requests == 0
}
