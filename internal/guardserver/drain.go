package guardserver

import (
	"context"
	"net"
	"net/http"
	"sync"
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

// busy has the connections that wait for a request or an answer, and counts the open requests, of which those of taken over
// connections, such as WebSockets, are no longer the server's.
type busy struct {
	mu       sync.Mutex
	conns    map[net.Conn]bool
	requests int
}

// Drain ends the server without dropping a request: it serves those that have begun, on connections that were accepted, until ctx
// ends. The listener must be closed, and Serve must have returned. [http.Server.Shutdown] alone would close a connection
// whose first request it has not read.
func (s *Server) Drain(ctx context.Context) {
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
	if state == http.StateNew || state == http.StateActive {
		b.conns[c] = true
	} else {
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
		next(w, r)
	}
}

// none reports whether nothing is busy.
func (b *busy) none() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.conns) == 0 && b.requests == 0
}
