//go:build !wasip1

package fetch

import (
	"net/http"

	"github.com/robotsexclusion/robots/internal/http/renewed"
)

// ownTransport returns the RoundTripper of a client without one.
func ownTransport(f DialFilter) http.RoundTripper { return renewed.New(f.Transport, renewed.After) }
