package crawl

import (
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// sign signs a request, unless the crawl signs none or the request goes over http.
func (c *Config) sign(r *http.Request) error {
	if c.Signer == nil || r.URL.Scheme != "https" {
		return nil
	}
	if r.Host != "" && r.Host != r.URL.Host {
		return fmt.Errorf("the request to %s names the host %s", r.URL.Host, r.Host)
	}
	return c.Signer.Sign(r, time.Now())
}

// checkSigner signs a request that is never sent, so that a wrong Signer is an error before the
// crawl begins.
func (c *Config) checkSigner() error {
	err := c.sign(&http.Request{
		Method: http.MethodGet, URL: &url.URL{Scheme: "https", Host: "example.com", Path: "/"},
		Header: http.Header{"User-Agent": {c.UserAgent}},
	})
	if err != nil {
		return fmt.Errorf("the Signer cannot sign: %w", err)
	}
	return nil
}
