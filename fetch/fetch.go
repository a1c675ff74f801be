// Package fetch gets robots.txt over HTTP, as described by RFC 9309, sections 2.3 to 2.5:
// redirects, sites without a robots.txt, failing servers, caching and limits.
//
//	client := &fetch.Client{
//		UserAgent: "ExampleBot/1.0 (+https://example.com/bot)",
//		Cache:     &fetch.Memory{Behind: fetch.Dir("/var/cache/robots")},
//	}
//	r, err := client.Policy(ctx, "https://example.com/some/page")
//	if err != nil {
//		return err // the URL is wrong, ctx is done, or the address is refused
//	}
//	fmt.Println(r)
//	if r.Policy.For("ExampleBot").Allowed("https://example.com/some/page") {
//
// prints
//
//	https://example.com/robots.txt: 200, 1,234 bytes, fresh until 2026-11-21T15:04:05Z
//
// # How answers are interpreted
//
// [Client.Policy] returns no error for any status or network failure. There is always a policy,
// and the [Result] says where the policy comes from.
//
//   - 2xx: the text is used, even if the text is an HTML page. A text of more than 500 KiB is
//     cut at the last whole line.
//   - 3xx: up to five redirects are followed, also to other hosts, and the text applies to the
//     first host. A sixth redirect, or a redirect to no usable URL, counts as 4xx.
//   - 4xx except 429: robots.txt is unavailable, and everything is allowed.
//   - 429, 5xx, timeouts, and failures of the network, DNS or TLS: robots.txt is unreachable, and
//     nothing is allowed. If there is an earlier copy, the copy stays in force. After 30 days
//     robots.txt counts as unavailable.
//
// # Caching
//
// An answer is used for at most 24 hours, or less if Cache-Control or Expires says so. After
// that the client revalidates the text with the server. After a failure, the client waits a
// minute before the next request to the origin. The wait doubles with each further failure, up
// to four hours; a longer Retry-After is honoured. Concurrent calls for the same origin share
// one fetch. A text with no-store is fetched again after a minute. The text is stored
// nevertheless: as the copy for times when the origin is unreachable, and as the record of the
// rules that robots had to obey.
//
// A [Cache] is in memory ([Memory]), in a folder ([Dir]), or shared through NATS (package
// natscache). Several processes can share a folder. A folder survives the processes and keeps the
// history: [Dir.At] returns the policy that was in force at a given time.
//
// # Hostile servers
//
// A fetch takes a minute at most, and memory in proportion to the maximum size of the text: the
// headers, the text (compressed or not) and each phase have limits. A [DialFilter] refuses to
// connect to addresses that are not public, whether a URL, a redirect or DNS leads there. All text
// from servers is escaped before it is printed.
//
// # Tests
//
// A Client has no clock of its own: in a bubble of [testing/synctest], time.Sleep(25*time.Hour)
// makes a text stale at once, and the pauses after failures and of a [Transport] pass at once too.
// In a bubble, set Client.Transport to a RoundTripper that answers without a network. To fetch from
// an [net/http/httptest.Server], set DialFilter.AllowPrivate.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/http/flight"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Client fetches and caches robots.txt. The zero Client is ready to use. A Client is safe for
// concurrent use. After the first use, do not change the fields or copy the Client.
//
// A Client uses the memory of its cache, plus about the size of the text for each open fetch.
// The caller decides how many fetches are open at a time.
type Client struct {
	// UserAgent is the User-Agent header: the robot's product token with a version, and a URL
	// or address where people can find out about the robot. Empty means the name of this
	// package, which is fine to look at a few sites, but not for a robot.
	UserAgent string

	// From is the mail address for the From header (RFC 9110, section 10.1.2). Empty means no
	// header.
	From string

	// Dialect is the dialect in which texts are read.
	Dialect robots.Dialect

	// Cache stores the results. Nil means a private [Memory]. A [Dir] is read at each call: put
	// a Memory in front of the Dir if there are many calls. A [Leaser] is asked for its lease
	// before each fetch.
	Cache Cache

	// DialFilter decides which addresses the client may connect to.
	DialFilter DialFilter

	// Transport makes the requests. Nil means DialFilter.Transport(), and a new one after some
	// thousand requests, because an http.Transport never forgets a host whose connections are
	// always closed. It also reads malformed heads of HTTP/1 that curl, wget and browsers read,
	// such as those with a line without a colon. Any other Transport ignores the client's
	// DialFilter and must filter addresses itself, as the transports from [DialFilter.Transport]
	// do. An error that wraps [ErrPostponed] ends the fetch, and Policy returns the error.
	Transport http.RoundTripper

	// MaxSize is the maximum size of a text in bytes; 0 means 500 KiB (512,000 bytes). RFC
	// 9309, section 2.5 forbids less.
	MaxSize int

	// Timeout limits a whole fetch including redirects; 0 means a minute.
	Timeout time.Duration

	// HeaderTimeout limits the wait for the headers of each answer, including DNS and
	// connecting; 0 means 20 seconds.
	HeaderTimeout time.Duration

	// IdleTimeout limits the time without new bytes of a body; 0 means 10 seconds.
	IdleTimeout time.Duration

	// MinFresh is the minimum time for which an answer is used, even if the answer forbids
	// caching: otherwise a robot would ask for robots.txt before each page. 0 means a minute,
	// and a negative value means no minimum.
	MinFresh time.Duration

	// ObeyForbidden makes the status codes 401 and 403 mean that nothing is allowed, as was the
	// custom in 1996. RFC 9309 treats them like all of 4xx.
	ObeyForbidden bool

	once    sync.Once
	cache   Cache
	own     http.RoundTripper
	flights flight.Group[Result] // by origin
}

// ErrPostponed says that a [Client.Transport] does not make a request now, for example because
// a redirect leads to a busy host. The transport's error wraps ErrPostponed. Such an error says
// nothing about the server: the fetch ends, and the cache stays as it is.
var ErrPostponed = errors.New("the request is postponed")

const (
	defaultMaxSize       = 500 << 10
	defaultTimeout       = time.Minute
	defaultHeaderTimeout = 20 * time.Second
	defaultIdleTimeout   = 10 * time.Second
	defaultMinFresh      = time.Minute
)

// Policy returns the policy in force for an absolute URL. Policy fetches robots.txt of the
// URL's origin unless the cache has a fresh entry.
//
// The error is a [*URLError], a [*RefusedError] for the origin itself, an error about an
// invalid field of the client, or wraps the error of ctx or [ErrPostponed]. A redirect to a
// refused address is not an error: it makes the origin unreachable.
//
// When all callers that wait for an origin have been cancelled, the fetch is cancelled and
// nothing is stored. Callers with a deadline shorter than Timeout should call Policy in another
// goroutine; otherwise a slow server is asked again and again.
func (c *Client) Policy(ctx context.Context, url string) (Result, error) {
	origin, err := Origin(url)
	if err != nil {
		return Result{}, err
	}
	if ctx.Err() != nil {
		return Result{}, fmt.Errorf("fetch %s: %w", origin, context.Cause(ctx))
	}
	if err := c.check(); err != nil {
		return Result{}, err
	}
	if addr, ok := literal(origin); ok && c.Transport == nil {
		// Checked before the cache, so that the answer does not depend on its content.
		if err := c.DialFilter.check(addr); err != nil {
			return Result{}, err
		}
	}
	if e, _ := c.lookup(ctx, origin); e != nil && e.fresh(time.Now()) {
		return c.result(e, Cached), nil
	}
	return c.join(ctx, origin)
}

// refresh fetches robots.txt of an origin, unless another call, or another process, has just done
// so.
func (c *Client) refresh(ctx context.Context, origin string) (Result, error) {
	if shared, ok := c.cache.(Leaser); ok {
		defer shared.Lease(ctx, origin)()
	}
	old, cacheErr := c.lookup(ctx, origin)
	if old != nil && old.fresh(time.Now()) {
		return c.result(old, Cached), nil
	}
	a, err := c.attempt(ctx, origin, old)
	if err != nil {
		return Result{}, err
	}
	e := a.entry(origin, old)
	// The result is stored even if all callers have just been cancelled.
	if err := c.cache.Put(context.WithoutCancel(ctx), e); cacheErr == nil {
		cacheErr = err
	} else if err != nil {
		cacheErr = fmt.Errorf("%w; %w", cacheErr, err)
	}
	source := Fetched
	if a.confirmed {
		source = Revalidated
	}
	r := c.result(e, source)
	r.Err, r.CacheErr = a.err, cacheErr
	return r, nil
}

// lookup returns the cache's entry in the client's dialect, or nil. A missing entry is not an
// error.
func (c *Client) lookup(ctx context.Context, origin string) (*Entry, error) {
	c.setUp()
	e, err := c.cache.Get(ctx, origin)
	if errors.Is(err, fs.ErrNotExist) || err == nil && e == nil {
		return nil, nil
	}
	if err == nil {
		if err = e.check(origin); err != nil {
			err = fmt.Errorf("fetch: the cache's entry for %s is %w: %w", origin, ErrCorrupt, err)
		}
	}
	if err != nil {
		return nil, err
	}
	if e.File != nil && e.File.Policy.Dialect() != c.Dialect {
		file := *e.File
		file.Policy = file.Policy.In(c.Dialect)
		again := *e
		again.File = &file
		e = &again
		if m, ok := c.cache.(*Memory); ok {
			m.keep(e) // so that the text is parsed again only once
		}
	}
	return e, nil
}

// setUp fills in the defaults of the client's fields.
func (c *Client) setUp() {
	c.once.Do(func() {
		if c.cache = c.Cache; c.cache == nil {
			c.cache = new(Memory)
		}
		if c.own = c.Transport; c.own == nil {
			c.own = ownTransport(c.DialFilter)
		}
	})
}

// transport returns the RoundTripper for requests.
func (c *Client) transport() http.RoundTripper {
	c.setUp()
	return c.own
}

// closeIdleConnections closes the idle connections. Connections in use stay open.
func (c *Client) closeIdleConnections() {
	if t, ok := c.transport().(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// check returns an error about an invalid field. Without this check, each request would fail as
// if all servers were unreachable.
func (c *Client) check() error {
	for _, header := range [...]struct{ name, value string }{{"UserAgent", c.UserAgent}, {"From", c.From}} {
		for _, octet := range []byte(header.value) {
			if octet < ' ' || octet >= 0x7f {
				return fmt.Errorf("fetch: Client.%s is %s: a header has printable ASCII only", header.name,
					printable.Quoted(header.value, 60))
			}
		}
	}
	switch {
	case c.MaxSize < 0:
		return fmt.Errorf("fetch: Client.MaxSize is %d bytes: use 0 for the default", c.MaxSize)
	case c.Timeout < 0 || c.HeaderTimeout < 0 || c.IdleTimeout < 0:
		return errors.New("fetch: a timeout of the client is less than 0: use 0 for the default")
	}
	return nil
}

// module is the path of the module that this package is in.
const module = "github.com/robotsexclusion/robots"

// defaultUserAgent has the module, its version in the program if known, and a URL where people
// can find out about the module.
var defaultUserAgent = sync.OnceValue(func() string {
	version := "devel"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append(info.Deps, &info.Main) {
			if m.Path == module && len(m.Version) > 1 && m.Version[0] == 'v' {
				version = m.Version[1:]
			}
		}
	}
	return "robots/" + version + " (+https://" + module + ")"
})
