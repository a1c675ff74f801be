package ask

import (
	"errors"
	"net/http"
)

// ownTransport returns the RoundTripper for pages if none is given: WASI has no network.
func ownTransport() http.RoundTripper { return none{} }

type none struct{}

func (none) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("ask: WASI has no network: set Config.Pages.Transport")
}
