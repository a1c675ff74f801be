package fetch

import (
	"net/http"
	"sync"
)

// renewAfter is the number of requests after which a renewed replaces its transport. What the transport keeps of them is some megabytes.
const renewAfter = 2048

// A renewed makes requests with an [http.Transport], and now and then with a new one. For each host of which no connection ever becomes idle,
// because it does not answer, or closes its connections, a Transport keeps about a kilobyte for ever (golang/go#50798): a
// service that anybody may ask about any host would run out of memory.
type renewed struct {
	make func() *http.Transport
	most int // requests of a transport

	mu   sync.Mutex
	now  *http.Transport // nil before the first request
	left int             // requests that now may still make
}

// RoundTrip makes a request. Requests that are under way keep their transport.
func (r *renewed) RoundTrip(request *http.Request) (*http.Response, error) {
	now, before := r.take()
	if before != nil {
		before.CloseIdleConnections()
	}
	return now.RoundTrip(request)
}

// take returns the transport of a request, and the one that it replaces, or nil.
func (r *renewed) take() (now, before *http.Transport) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left == 0 {
		before, r.now, r.left = r.now, r.make(), r.most
	}
	r.left--
	return r.now, before
}

// CloseIdleConnections closes the idle connections. Those of a transport that was replaced while they were in use are closed after its IdleConnTimeout.
func (r *renewed) CloseIdleConnections() {
	r.mu.Lock()
	now := r.now
	r.mu.Unlock()
	if now != nil {
		now.CloseIdleConnections()
	}
}
