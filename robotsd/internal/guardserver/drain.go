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

// Drained returns a server that can be drained. It takes s over, with its handler and its
// ConnState.
func Drained(s *http.Server) *Server {
	out := &Server{Server: s, busy: busy{changed: make(chan struct{}, 1)}}
	s.Handler, s.ConnState = out.busy.serve(s.Handler.ServeHTTP), out.busy.state
	return out
}

// busy counts without a lock, because every request changes the counts several times.
type busy struct {
	// of the open connections, by net.Conn: a *bool that says whether the connection waits for a
	// request or an answer
	conns sync.Map
	open  atomic.Int64 // the number of conns
	// the busy ones of conns, and the open requests: a taken over connection, such as a WebSocket,
	// is no longer in conns
	work    atomic.Int64
	ending  atomic.Bool   // answers say that the connection ends
	changed chan struct{} // has a value after open or work became 0 while the server ends
}

// linger is how long connections without a request stay open while a server ends, so that a request
// that is under way to the server gets an answer, which says that the connection ends.
const linger = time.Second

// Drain ends the server without dropping a request: it serves those that have begun, on connections
// that were accepted, until ctx ends. The listener must be closed, and Serve must have returned.
// [http.Server.Shutdown] alone would close a connection whose first request it has not read, and
// [http.Server.SetKeepAlivesEnabled] one whose next request is arriving.
func (s *Server) Drain(ctx context.Context) {
	s.busy.ending.Store(true)
	lingering, cancel := context.WithTimeout(ctx, linger)
	s.busy.wait(lingering, &s.busy.open)
	cancel()
	s.SetKeepAlivesEnabled(false)
	s.busy.wait(ctx, &s.busy.work)
	if s.Shutdown(ctx) != nil {
		s.Close()
	}
}

// wait waits until a number of b is 0, or ctx is done. The server must be ending.
func (b *busy) wait(ctx context.Context, number *atomic.Int64) {
	for number.Load() > 0 {
		select {
		case <-b.changed:
		case <-ctx.Done():
			return
		}
	}
}

// add changes a number of b. What makes it 0 after ending was set tells wait, and what did before,
// wait sees.
func (b *busy) add(number *atomic.Int64, n int64) {
	if number.Add(n) == 0 && b.ending.Load() {
		select {
		case b.changed <- struct{}{}:
		default:
		}
	}
}

// state keeps whether a connection is busy, for [http.Server.ConnState]. The calls for one
// connection follow one another, so the bool of a connection needs no lock. In net/http, of which
// [http.Server.ConnState] does not promise this: Serve calls with StateNew before it starts the
// goroutine of the connection, which makes the other calls. HTTP/2, also without TLS, is served by
// the same goroutine, with the same net.Conn. StateHijacked comes from the goroutine that calls
// Hijack, under the lock under which the goroutine of the connection then finds that it has nothing
// more to say.
func (b *busy) state(c net.Conn, state http.ConnState) {
	kept, known := b.conns.Load(c)
	if !known {
		if state == http.StateClosed || state == http.StateHijacked {
			return
		}
		kept = new(bool)
		b.conns.Store(c, kept)
		b.add(&b.open, 1)
	}
	was, is := kept.(*bool), state == http.StateNew || state == http.StateActive
	switch {
	case is && !*was:
		b.add(&b.work, 1)
	case !is && *was:
		b.add(&b.work, -1)
	}
	*was = is
	if state == http.StateClosed || state == http.StateHijacked {
		b.conns.Delete(c)
		b.add(&b.open, -1)
	}
}

// serve serves a request as an open one.
func (b *busy) serve(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		b.add(&b.work, 1)
		defer b.add(&b.work, -1)
		if r.ProtoMajor == 1 && r.Header["Upgrade"] == nil && b.ending.Load() {
			w.Header().Set("Connection", "close")
		}
		next(w, r)
	}
}
