package fetch

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"time"

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
// A Transport waits so that the requests to an origin begin as far from each other as its
// Crawl-delay and its Request-rate ask: a rate of 10/1m is one request every six seconds. A request
// whose deadline is before its turn fails at once with a *PauseError. Robots.txt can ask for any
// pause: give requests a deadline. A Transport remembers the last requests to the last 100,000
// origins that asked for a pause.
//
// A Transport does not obey other records, such as Visit-time, nor directives on
// pages; package crawl does. A Transport is safe for concurrent use. Do not change its fields after
// the first use.
type Transport struct {
	// Client gets robots.txt. Its UserAgent is also sent with requests that have no User-Agent
	// header. Nil means a zero Client of the Transport's own.
	//
	// The requests of Client for robots.txt obey no robots.txt, even if Client.Transport leads
	// to a Transport again.
	Client *Client

	// Tokens are the product tokens of the robot, the closest first. Nil means the token at the
	// start of Client.UserAgent. The User-Agent header of a request does not change the tokens: a
	// robot has one name in robots.txt, no matter which header it sends.
	Tokens []string

	// Base makes the requests. Nil means the transport of Client, which refuses addresses
	// according to Client.DialFilter. Any other Base must filter addresses itself.
	Base http.RoundTripper

	// MinDelay is the minimum time between two requests to an origin, even if robots.txt asks for
	// no pause. A negative MinDelay means no pauses, not even those that robots.txt asks for: the
	// caller waits.
	MinDelay time.Duration

	own    Client // if Client is nil
	pauses pauses
	paces  paces
}

// A DisallowedError is the error for a URL that robots.txt disallows, or whose robots.txt could not
// be fetched, so that nothing is allowed. In the second case Match.Reason is [robots.Unreachable],
// and Result.Err has the reason.
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

// A PauseError is the error for a request whose deadline is before its turn at the origin. Errors
// with a *PauseError also wrap [context.DeadlineExceeded].
type PauseError struct {
	Origin string
	Until  time.Time // when the turn would have been
}

// Error names the origin and the time.
func (e *PauseError) Error() string {
	return fmt.Sprintf("fetch %s: robots.txt asks for a pause until %s", printable.Clipped(e.Origin, 200),
		clock(e.Until))
}

// RoundTrip makes a request if robots.txt allows it, when its turn at the origin comes. The error
// is a *DisallowedError, wraps a *PauseError or the cause of the cancelled context, or comes from
// [Client.Policy] or Base.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	client := t.Client
	if client == nil {
		client = &t.own
	}
	base := t.Base
	if base == nil {
		base = client.transport()
	}
	if r.Context().Value(forRobots{}) != nil && base != http.RoundTripper(t) {
		return base.RoundTrip(r)
	}
	err := errLoop
	if base != http.RoundTripper(t) {
		err = t.await(client, r)
	}
	if err != nil {
		if r.Body != nil {
			r.Body.Close() // RoundTrip must close the body, also on errors
		}
		return nil, err
	}
	if _, ok := r.Header["User-Agent"]; !ok {
		r = r.Clone(r.Context())
		r.Header.Set("User-Agent", client.userAgent())
	}
	return base.RoundTrip(r)
}

// errLoop is the error of a Transport that would make its requests with itself.
var errLoop = errors.New("fetch: Transport.Client uses the Transport itself: set Transport.Base")

// forRobots is the key of contexts of requests for robots.txt.
type forRobots struct{}

// await waits for the turn of a request. It returns the reason why the request must not be made, or
// nil. After a pause it asks for the policy again, which may have changed meanwhile.
func (t *Transport) await(client *Client, r *http.Request) error {
	origin, pace, err := t.allowed(client, r)
	if err != nil || t.MinDelay < 0 || max(t.MinDelay, pace.longest()) == 0 {
		return err
	}
	waited, err := t.pauses.wait(r.Context(), origin, pace, t.MinDelay)
	if err == nil && waited {
		_, _, err = t.allowed(client, r)
	}
	return err
}

// allowed returns the reason why a request must not be made, or its origin and the pace there.
func (t *Transport) allowed(client *Client, r *http.Request) (origin string, pace *pace, err error) {
	url := r.URL.String()
	result, err := client.Policy(r.Context(), url)
	if err != nil {
		return "", nil, err
	}
	tokens := t.Tokens
	if tokens == nil {
		tokens = []string{robots.ProductToken(client.userAgent())}
	}
	group := result.Policy.For(tokens...)
	if m := group.Match(url); !m.Allowed {
		return "", nil, &DisallowedError{url, m, result}
	}
	return result.Origin, t.paces.of(result.Policy, group), nil
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
