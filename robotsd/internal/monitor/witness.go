package monitor

import (
	"bytes"
	"context"
	"io/fs"
	"net/http"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/http/httpfield"
)

// A witness notes what package fetch does not keep of an exchange: the certificate, and headers of
// challenges and of servers that ask for time.
type witness struct {
	origin string

	mu         sync.Mutex
	ends       time.Time     // of the certificate of the origin
	challenge  string        // of the last answer
	retryAfter time.Duration // of the last answer, if it is 429 or 503
}

type witnessKey struct{}

// watched returns a context in which the requests through a witnessTransport report to w.
func watched(ctx context.Context, w *witness) context.Context {
	return context.WithValue(ctx, witnessKey{}, w)
}

// A witnessTransport reports answers to the witness of their context.
type witnessTransport struct{ http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (t witnessTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := t.RoundTripper.RoundTrip(r)
	if w, ok := r.Context().Value(witnessKey{}).(*witness); ok && err == nil {
		w.see(r, answer)
	}
	return answer, err
}

func (w *witness) see(r *http.Request, answer *http.Response) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.challenge = challengeHeader(answer.Header)
	w.retryAfter = 0
	if answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode == http.StatusServiceUnavailable {
		w.retryAfter = httpfield.RetryAfter(answer.Header, time.Now())
	}
	if origin, err := fetch.Origin(r.URL.String()); err != nil || origin != w.origin || answer.TLS == nil {
		return
	}
	for _, cert := range answer.TLS.PeerCertificates {
		if w.ends.IsZero() || cert.NotAfter.Before(w.ends) {
			w.ends = cert.NotAfter
		}
	}
}

// seen returns what was noted.
func (w *witness) seen() (ends time.Time, challenge string, retryAfter time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ends, w.challenge, w.retryAfter
}

// challengeHeader returns the header with which a server says that its answer is a challenge, or
// "". Cloudflare and AWS WAF document theirs.
func challengeHeader(h http.Header) string {
	for _, name := range [...]string{"Cf-Mitigated", "X-Amzn-Waf-Action"} {
		switch value := h.Get(name); value {
		case "challenge", "captcha":
			return name + ": " + value
		}
	}
	return ""
}

// challengeMarks are texts that only challenge pages have, in lower case.
var challengeMarks = []string{
	"/cdn-cgi/challenge-platform/", // Cloudflare
	"/.within.website/x/cmd/anubis/",
	"_incapsula_resource",
	"captcha-delivery.com", // DataDome
	"ddos-guard/js-challenge",
	"awswafintegration",
}

// challengeText returns the mark of a challenge page in an HTML text, or "".
func challengeText(text string) string {
	lower := bytes.ToLower([]byte(text))
	for _, mark := range challengeMarks {
		if bytes.Contains(lower, []byte(mark)) {
			return mark
		}
	}
	return ""
}

// alwaysStale is a cache whose entries are never fresh: each look asks the server, which may
// confirm the last text.
type alwaysStale struct{ fetch.Cache }

// Get implements [fetch.Cache].
func (c alwaysStale) Get(ctx context.Context, origin string) (*fetch.Entry, error) {
	e, err := c.Cache.Get(ctx, origin)
	if err != nil || e == nil {
		return e, err
	}
	stale := *e
	stale.FreshUntil = time.Time{}
	return &stale, nil
}

// forgetful is a cache that keeps nothing.
type forgetful struct{}

// Get implements [fetch.Cache].
func (forgetful) Get(context.Context, string) (*fetch.Entry, error) { return nil, fs.ErrNotExist }

// Put implements [fetch.Cache].
func (forgetful) Put(context.Context, *fetch.Entry) error { return nil }
