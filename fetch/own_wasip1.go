package fetch

import (
	"errors"
	"net/http"
)

// ownTransport returns the RoundTripper of a client without one. WASI has no network, and a
// program of it is a fifth smaller without HTTP and TLS.
func ownTransport(DialFilter) http.RoundTripper { return none{} }

type none struct{}

func (none) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("fetch: WASI has no network: set Client.Transport")
}
