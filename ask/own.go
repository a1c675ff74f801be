//go:build !wasip1

package ask

import (
	"net/http"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/http/renewed"
)

// ownTransport returns the RoundTripper for pages if none is given.
func ownTransport() http.RoundTripper {
	return renewed.New(fetch.DialFilter{}.Transport, renewed.After)
}
