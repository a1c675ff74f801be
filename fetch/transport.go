package fetch

import (
	"cmp"
	"fmt"
	"net/http"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Transport makes an http.Client obey robots.txt. Before each request, including redirects,
// the Transport asks Client for the policy of the origin. A disallowed URL is not requested,
// and the error is a *DisallowedError.
//
//	client := &http.Client{Transport: &fetch.Transport{Client: &fetch.Client{
//		UserAgent: "ExampleBot/1.0 (+https://example.com/bot)",
//	}}}
//
// A Transport neither waits between requests nor obeys directives on pages; package crawl does.
// A Transport is safe for concurrent use. Do not change its fields after the first use.
type Transport struct {
	// Client gets robots.txt. Its UserAgent is also sent with requests that have no User-Agent
	// header. Nil means a zero Client of the Transport's own.
	Client *Client

	// Tokens are the product tokens of the robot, the closest first. Nil means the token at the
	// start of Client.UserAgent. The User-Agent header of a request does not change the tokens:
	// a robot has one name in robots.txt, whatever header it sends.
	Tokens []string

	// Base makes the requests. Nil means the transport of Client, which refuses addresses
	// according to Client.DialFilter. Any other Base must filter addresses itself.
	Base http.RoundTripper

	own Client // if Client is nil
}

// A DisallowedError says that robots.txt disallows a URL, or could not be fetched, so that
// nothing is allowed. In the second case Match.Reason is [robots.Unreachable], and Result.Err
// has the reason.
type DisallowedError struct {
	URL    string
	Match  robots.Match
	Result Result // the policy and its source
}

// Error names the rule and the file that disallow the URL.
func (e *DisallowedError) Error() string {
	text := fmt.Sprintf("fetch: %s is %s", printable.Clipped(e.URL, 200), e.Match)
	if err := e.Unwrap(); err != nil {
		text += fmt.Sprintf(" (%s)", printable.Text(err.Error()))
	}
	return text
}

// Unwrap returns why robots.txt could not be fetched, or nil if a rule disallows the URL.
func (e *DisallowedError) Unwrap() error {
	if e.Match.Reason != robots.Unreachable {
		return nil
	}
	return e.Result.Err
}

// RoundTrip makes a request if robots.txt allows it. The error is a *DisallowedError, or comes
// from [Client.Policy] or Base.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	client := t.Client
	if client == nil {
		client = &t.own
	}
	if err := t.allowed(client, r); err != nil {
		if r.Body != nil {
			r.Body.Close() // RoundTrip must close the body, also on errors
		}
		return nil, err
	}
	if _, ok := r.Header["User-Agent"]; !ok {
		r = r.Clone(r.Context())
		r.Header.Set("User-Agent", client.userAgent())
	}
	base := t.Base
	if base == nil {
		base = client.transport()
	}
	return base.RoundTrip(r)
}

// allowed returns the reason why a request must not be made, or nil.
func (t *Transport) allowed(client *Client, r *http.Request) error {
	url := r.URL.String()
	result, err := client.Policy(r.Context(), url)
	if err != nil {
		return err
	}
	tokens := t.Tokens
	if tokens == nil {
		tokens = []string{robots.ProductToken(client.userAgent())}
	}
	if m := result.Policy.For(tokens...).Match(url); !m.Allowed {
		return &DisallowedError{url, m, result}
	}
	return nil
}

// CloseIdleConnections closes the idle connections of Client and Base.
func (t *Transport) CloseIdleConnections() {
	if t.Client != nil {
		t.Client.closeIdleConnections()
	} else {
		t.own.closeIdleConnections()
	}
	if c, ok := t.Base.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// userAgent returns the client's User-Agent header.
func (c *Client) userAgent() string { return cmp.Or(c.UserAgent, defaultUserAgent()) }
