// Package renewed has a transport for programs that ask very many hosts.
package renewed

import (
	"net/http"
	"sync"

	"github.com/robotsexclusion/robots/internal/http/http1"
)

// After is the usual number of requests of one transport. A transport keeps some megabytes for the
// hosts of this many requests.
const After = 2048

// A Transport makes requests with an [http1.Transport], and now and then with a new one. An
// [http.Transport] keeps about a kilobyte for ever for each host whose connections never become
// idle, because the host does not answer, or closes its connections (golang/go#50798). A public
// service that is asked about any host would run out of memory. A Transport is safe for concurrent
// use.
type Transport struct {
	make func() *http.Transport
	most int // requests of a transport

	mu   sync.Mutex
	now  *http1.Transport // nil before the first request
	left int              // requests that now may still make
}

// New returns a Transport that calls make for each number of requests.
func New(make func() *http.Transport, requests int) *Transport {
	return &Transport{make: make, most: requests}
}

// RoundTrip makes a request. Requests that are under way keep their transport.
func (r *Transport) RoundTrip(request *http.Request) (*http.Response, error) {
	now, before := r.take()
	if before != nil {
		before.CloseIdleConnections()
	}
	return now.RoundTrip(request)
}

// take returns the transport of a request, and the one that it replaces, or nil.
func (r *Transport) take() (now, before *http1.Transport) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left == 0 {
		before, r.now, r.left = r.now, http1.New(r.make()), r.most
	}
	r.left--
	return r.now, before
}

// CloseIdleConnections closes the idle connections. Those of a transport that was replaced while
// they were in use are closed after its IdleConnTimeout.
func (r *Transport) CloseIdleConnections() {
	r.mu.Lock()
	now := r.now
	r.mu.Unlock()
	if now != nil {
		now.CloseIdleConnections()
	}
}
