package fetch

import (
	"cmp"
	"fmt"
	"net/http"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Transport makes an http.Client obey robots.txt: before each request, that of a
// redirect too, it asks Client for the policy of the origin, and a URL that is disallowed
// is not requested: the error is a *DisallowedError then.
//
//	client := &http.Client{Transport: &fetch.Transport{Client: &fetch.Client{
//		UserAgent: "ExampleBot/1.0 (+https://example.com/bot)",
//	}}}
//
// It does no more than that: neither pauses between requests nor directives on pages,
// which package crawl obeys. It is safe for concurrent use; its fields are not to be
// changed after the first use.
type Transport struct {
	// Client gets robots.txt, and its UserAgent is sent with requests that have none of
	// their own. Nil means a Client of the Transport's own, as new(Client) is.
	Client *Client

	// Tokens are the product tokens that the robot goes by, the closest first. Nil means
	// the one that Client.UserAgent begins with. A User-Agent header of a request does
	// not change them: a robot has one name in robots.txt, whatever it sends.
	Tokens []string

	// Base makes the requests. Nil means that of Client, which refuses addresses that
	// are not public as Client.DialFilter says. Another one has to filter itself.
	Base http.RoundTripper

	own Client // where Client is nil
}

// A DisallowedError tells that robots.txt disallows a URL, or that it could not be
// fetched, so that nothing is allowed: Match.Reason is [robots.Unreachable] then, and
// Result.Err says why.
type DisallowedError struct {
	URL    string
	Match  robots.Match
	Result Result // the policy, and how it came about
}

// Error says which rule of which file disallows the URL.
func (e *DisallowedError) Error() string {
	text := fmt.Sprintf("fetch: %s is %s", printable.Clipped(e.URL, 200), e.Match)
	if err := e.Unwrap(); err != nil {
		text += fmt.Sprintf(" (%s)", printable.Text(err.Error()))
	}
	return text
}

// Unwrap returns why robots.txt could not be fetched, if that is the reason.
func (e *DisallowedError) Unwrap() error {
	if e.Match.Reason != robots.Unreachable {
		return nil
	}
	return e.Result.Err
}

// RoundTrip makes a request that robots.txt allows. Errors that are no *DisallowedError
// are those of [Client.Policy] and of Base.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	client := t.Client
	if client == nil {
		client = &t.own
	}
	if err := t.allowed(client, r); err != nil {
		if r.Body != nil {
			r.Body.Close() // RoundTrip has to, also after errors
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

// allowed returns why a request must not be made, if so.
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

// CloseIdleConnections closes connections that wait for the next request.
func (t *Transport) CloseIdleConnections() {
	if t.Client != nil {
		t.Client.CloseIdleConnections()
	} else {
		t.own.CloseIdleConnections()
	}
	if c, ok := t.Base.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// userAgent returns what the client sends as User-Agent.
func (c *Client) userAgent() string { return cmp.Or(c.UserAgent, defaultUserAgent()) }
