// Package keydir fetches the keys that robots publish for the signatures of their requests, and
// caches them. A [botauth.Verifier] needs them:
//
//	keys := &keydir.Client{UserAgent: "ExampleServer/1.0 (+https://example.org)"}
//	verifier := &botauth.Verifier{Keys: keys.Key}
//
// A request names the URL of its keys, and anybody can send a request. So a [Client] connects to
// public addresses over https only, follows no redirect, reads 256 KiB at most, and limits the
// time, the number of fetches at once, and how often it fetches one URL
// (draft-meunier-webbotauth-httpsig-protocol, "Server-Side Request Forgery").
//
// A Client renews a document with a conditional request (RFC 9110, section 13) if the server sent a
// validator with it, and the document has no more than 16 KiB.
package keydir

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/agent/botauth"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/http/flight"
	"github.com/robotsexclusion/robots/internal/http/http1"
)

const (
	// A source is fresh for as long as its server says, within these bounds.
	minFresh, maxFresh = time.Minute, 24 * time.Hour
	// unstatedFresh is how long a source is fresh if its server does not say.
	unstatedFresh = time.Hour
	// maxStale is how long a source that cannot be renewed is still used. A server that is down
	// must not revoke the keys of its robot.
	maxStale = 24 * time.Hour
	// renewAfter is the age from which a fresh source is fetched again for a key that it lacks.
	renewAfter = 5 * time.Minute
	// The pause after a failure doubles from the first to the second.
	firstPause, lastPause = time.Minute, 5 * time.Minute

	maxSources = 1024 // in memory
	maxFetches = 16   // at once
	timeout    = 10 * time.Second
)

// ErrUnavailable is wrapped by errors of a source that could not be fetched, or is not what it
// should be. Such an error says nothing about the sender of a request.
var ErrUnavailable = errors.New("the keys are unavailable")

// A Client fetches and caches the keys of robots. It is safe for concurrent use, and its fields
// must not be changed after its first use. It must not be copied.
type Client struct {
	// UserAgent names the program that asks, with a URL or mail address. It must be set.
	UserAgent string

	// Transport makes the requests. Nil means the transport of a zero [fetch.DialFilter], which
	// connects to public addresses only.
	Transport http.RoundTripper

	// Timeout limits one fetch; 0 means 10 seconds.
	Timeout time.Duration

	once    sync.Once
	client  *http.Client
	slots   chan struct{} // a value for each fetch under way
	flights flight.Group[*entry]

	mu      sync.Mutex
	entries map[string]*entry // immutable, except for used
}

// A Source is a document with keys. It is immutable.
type Source struct {
	// URL is the URL of the document that the request names, without its query: the identity of
	// the robot. Otherwise one document would have an identity for each query.
	URL string

	// Host is the host of the URL, with its port if it has one.
	Host string

	// Keys are the keys in the document, or in the document that a card names.
	Keys *botauth.Directory

	// Possessed are the identifiers of the keys that signed the document: see
	// [botauth.Directory.Possessed].
	Possessed []string

	// Card is the card of the robot, or nil.
	Card *botauth.Card

	// Fetched is the time of the fetch, or of the last response that confirmed the document. Fresh
	// is the time until which the document is not requested again.
	Fetched, Fresh time.Time

	documents []*document // for conditional requests
}

// An entry is the state of a source.
type entry struct {
	source   *Source // nil if there was none so far
	err      error   // of the last fetch
	failures int     // in a row
	retry    time.Time
	used     time.Time // guarded by Client.mu
}

// Key returns the key with an identifier that an agent publishes. It is a function for
// [botauth.Verifier]. The error wraps [ErrUnavailable] if the keys could not be fetched; otherwise
// the agent does not publish the key.
func (c *Client) Key(ctx context.Context, agent botauth.Agent, keyid string) (botauth.Key, error) {
	s, err := c.find(ctx, agent, keyid)
	if err != nil {
		return botauth.Key{}, err
	}
	key, ok := s.Keys.Key(keyid)
	if ok {
		return key, nil
	}
	err = fmt.Errorf("%s does not publish this key", s.URL)
	if rejected := s.Keys.Rejected(); len(rejected) > 0 {
		err = fmt.Errorf("%w, and entries there cannot be used: %w", err, rejected[0])
	}
	return botauth.Key{}, err
}

// Source returns the document with the keys of an agent. The error wraps [ErrUnavailable] if the
// document could not be fetched.
func (c *Client) Source(ctx context.Context, agent botauth.Agent) (*Source, error) {
	return c.find(ctx, agent, "")
}

// find returns the source of an agent. If the source lacks the key with an identifier, which may be
// empty, and is not new, find fetches the source again.
func (c *Client) find(ctx context.Context, agent botauth.Agent, keyid string) (*Source, error) {
	if agent.URL == "" {
		return nil, errors.New("the signature does not say where its key is published")
	}
	if err := c.setUp(); err != nil {
		return nil, err
	}
	name := agent.Type + " " + agent.Directory()
	now := time.Now()
	e := c.known(name, now)
	if e.due(keyid, now) {
		var err error
		if e, _, err = c.flights.Do(ctx, name, func(ctx context.Context) (*entry, error) {
			return c.renew(ctx, name,
				agent)
		}); err != nil {
			return nil, unavailable{agent.Directory(), err}
		}
	}
	if s := e.source; s != nil && (e.err == nil || now.Before(s.Fresh.Add(maxStale))) {
		return s, nil
	}
	return nil, unavailable{agent.Directory(), e.err}
}

func (c *Client) setUp() error {
	c.once.Do(func() {
		transport := c.Transport
		if transport == nil {
			transport = http1.New(fetch.DialFilter{}.Transport())
		}
		c.client = &http.Client{
			Transport:     transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
		c.slots = make(chan struct{}, maxFetches)
		c.entries = make(map[string]*entry)
	})
	if c.UserAgent == "" {
		return errors.New("keydir: Client.UserAgent is empty: name the program that asks, and a URL or mail address by which people reach who runs it")
	}
	return nil
}

// due reports whether the source must be fetched.
func (e *entry) due(keyid string, now time.Time) bool {
	switch {
	case e == nil:
		return true
	case now.Before(e.retry):
		return false
	case e.source == nil || !now.Before(e.source.Fresh):
		return true
	}
	_, ok := e.source.Keys.Key(keyid)
	return !ok && keyid != "" && now.Sub(e.source.Fetched) >= renewAfter
}

// known returns the entry with a name, or nil.
func (c *Client) known(name string, now time.Time) *entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[name]
	if e != nil {
		e.used = now
	}
	return e
}

// renew fetches a source, and keeps the result. It returns an error only if all callers
// stopped waiting.
func (c *Client) renew(ctx context.Context, name string, agent botauth.Agent) (*entry, error) {
	limited, cancel := context.WithTimeoutCause(ctx, cmp.Or(c.Timeout, timeout), fmt.Errorf("not done within %v",
		cmp.Or(c.Timeout, timeout)))
	defer cancel()
	before := c.known(name, time.Now())
	var last *Source
	if before != nil {
		last = before.source
	}
	s, wait, err := c.fetch(limited, agent, last)
	now := time.Now()
	e := &entry{source: s, err: err, used: now}
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if limited.Err() != nil {
			e.err = context.Cause(limited)
		}
		if before != nil {
			e.source, e.failures = before.source, before.failures
		}
		pause := min(firstPause<<min(e.failures, 8), lastPause)
		e.failures++
		e.retry = now.Add(min(max(pause, wait), lastPause))
	}
	c.keep(name, e)
	return e, nil
}

// keep adds an entry. If there are too many, it drops the one that was not used for the longest
// time, of those without a source if there are any.
func (c *Client) keep(name string, e *entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries[name] = e
	if len(c.entries) <= maxSources {
		return
	}
	victim := ""
	for other, o := range c.entries {
		v := c.entries[victim]
		if other != name && (v == nil || (o.source == nil) != (v.source == nil) && o.source == nil ||
			(o.source == nil) == (v.source == nil) && o.used.Before(v.used)) {
			victim = other
		}
	}
	delete(c.entries, victim)
}

// unavailable is the error of a source that could not be fetched.
type unavailable struct {
	url string
	err error
}

// Error returns the URL and the cause.
func (u unavailable) Error() string { return fmt.Sprintf("%s: %s", u.url, u.err) }

// Unwrap returns ErrUnavailable and the cause.
func (u unavailable) Unwrap() []error { return []error{ErrUnavailable, u.err} }
