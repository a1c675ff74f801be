// Package fetch gets robots.txt over HTTP, as RFC 9309, sections 2.3 to 2.5
// ask: redirects, servers that have none, servers that fail, caching, limits.
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
// # What counts as what
//
// [Client.Policy] makes no status and no failure of the network an error: there
// always is a policy, and a [Result] says how it came about.
//
//   - 2xx: the text counts, even if it is a page of HTML. A text of more than
//     500 KiB is cut at the last whole line.
//   - 3xx: five redirects are followed, to other hosts too, and the text counts
//     for the first host. The sixth, and one that leads nowhere, is taken as
//     4xx.
//   - 4xx: unavailable, everything is allowed.
//   - 429, 5xx, and failures of network, DNS, TLS and time: unreachable, nothing
//     is allowed. A copy that was had before stays in force. After 30 days the
//     origin is taken as unavailable.
//
// # Caching
//
// An answer is used for 24 hours at most, and for less if it says so by
// Cache-Control or Expires. Then the server is asked whether the text is still
// right. An unreachable origin is left alone for a minute, and for twice as
// long after each further failure, up to four hours, or for as long as
// Retry-After says. Whoever asks for an origin while it is being fetched waits
// for the same answer. A text that must not be stored is asked for again after a
// minute, and kept all the same: as the copy for the time when the origin cannot
// be reached, and as the record of what robots had to obey.
//
// A [Cache] is in memory ([Memory]) or in a folder ([Dir]). A folder can be
// shared by processes, survives them, and keeps the history: [Dir.At] tells
// which policy was in force when.
//
// # Hostile servers
//
// A fetch takes a minute at most, and memory in proportion to the limit of the
// text: headers, the text, packed or not, and each part of the time have limits.
// A [DialFilter] refuses to connect to addresses that are not public, whatever
// URL, redirect or DNS leads there. Nothing that a server sends is printed
// unescaped.
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
	"github.com/robotsexclusion/robots/internal/flight"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Client fetches robots.txt and keeps it. The zero Client is ready to use. It
// is safe for concurrent use; its fields are not to be changed, nor the client
// copied, after the first use.
//
// The memory that a client takes is that of its cache, and for each fetch under
// way about what the text takes. How many are under way is the caller's choice.
type Client struct {
	// UserAgent is who asks: the robot's product token with a version, and a
	// URL or address by which people find out about it. Empty means this
	// package's own name, which is right for a person who looks at a few
	// sites, but not for a robot.
	UserAgent string

	// From is a mail address for the From header, or empty for none (RFC 9110,
	// section 10.1.2).
	From string

	// Dialect is how the text is read.
	Dialect robots.Dialect

	// Cache keeps what was fetched. Nil means a [Memory] of the client's own. A
	// [Dir] is read at each call: put a Memory before it if there are many.
	Cache Cache

	// DialFilter says where the client may connect to.
	DialFilter DialFilter

	// Transport makes the requests. Nil means DialFilter.Transport(). With another
	// one the client's DialFilter is not asked: it has to filter itself, as
	// those that [DialFilter.Transport] returns are. An error that wraps
	// [ErrPostponed] ends a fetch, and Policy returns it.
	Transport http.RoundTripper

	// MaxSize is how many bytes of a text are used; 0 means 500 KiB (512,000
	// bytes). RFC 9309, section 2.5 forbids less.
	MaxSize int

	// Timeout is for a whole fetch with its redirects; 0 means a minute.
	Timeout time.Duration

	// HeaderTimeout is how long a server has for the headers of each answer,
	// DNS and connecting included; 0 means 20 seconds.
	HeaderTimeout time.Duration

	// IdleTimeout is how long a body may stand still; 0 means 10 seconds.
	IdleTimeout time.Duration

	// MinFresh is how long an answer is used at least, even if it says that it
	// must not be kept: else a robot would ask for robots.txt before each
	// page. 0 means a minute; less than 0 means not at all.
	MinFresh time.Duration

	// ObeyForbidden makes 401 and 403 mean that nothing is allowed, as was the
	// custom in 1996. RFC 9309 takes them like all of 4xx.
	ObeyForbidden bool

	once    sync.Once
	cache   Cache
	own     http.RoundTripper
	flights flight.Group[Result] // by origin
}

// ErrPostponed is wrapped by the error of a [Client.Transport] that does not make a
// request now, such as one that a redirect leads to a busy host. Such an error says
// nothing of the server: the fetch ends, and the cache keeps what it has.
var ErrPostponed = errors.New("the request is postponed")

const (
	defaultMaxSize       = 500 << 10
	defaultTimeout       = time.Minute
	defaultHeaderTimeout = 20 * time.Second
	defaultIdleTimeout   = 10 * time.Second
	defaultMinFresh      = time.Minute
)

// Policy returns the policy in force for a URL, which is absolute. It fetches
// robots.txt of the URL's origin unless the cache has it.
//
// An error is a [*URLError], a [*RefusedError] for the origin itself, or wraps
// the error of ctx or [ErrPostponed], or tells that a field of the client makes no
// sense. A redirect to an address that is refused makes the origin unreachable.
//
// When everybody who waits for an origin has stopped, the fetch ends, and nothing
// is kept of it. Whoever has less time than Timeout for each call should rather
// wait in another goroutine, or a slow server is asked again and again.
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
		// So that the answer does not depend on what the cache has.
		if err := c.DialFilter.check(addr); err != nil {
			return Result{}, err
		}
	}
	if e, _ := c.lookup(ctx, origin); e != nil && e.fresh(time.Now()) {
		return c.result(e, Cached), nil
	}
	return c.join(ctx, origin)
}

// refresh fetches robots.txt of an origin, unless somebody else just did.
func (c *Client) refresh(ctx context.Context, origin string) (Result, error) {
	old, cacheErr := c.lookup(ctx, origin)
	if old != nil && old.fresh(time.Now()) {
		return c.result(old, Cached), nil
	}
	a, err := c.attempt(ctx, origin, old)
	if err != nil {
		return Result{}, err
	}
	e := a.entry(origin, old)
	// What is known is kept, even if everybody has just stopped waiting.
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

// lookup returns what the cache has, in the client's dialect, or nil. That
// there is nothing is no error.
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
			m.keep(e) // so that it is read again once
		}
	}
	return e, nil
}

// setUp makes what the client's fields leave out.
func (c *Client) setUp() {
	c.once.Do(func() {
		if c.cache = c.Cache; c.cache == nil {
			c.cache = new(Memory)
		}
		if c.own = c.Transport; c.own == nil {
			c.own = c.DialFilter.Transport()
		}
	})
}

// transport returns what makes the requests.
func (c *Client) transport() http.RoundTripper {
	c.setUp()
	return c.own
}

// CloseIdleConnections closes the connections that are kept for requests to
// come. Those in use stay.
func (c *Client) CloseIdleConnections() {
	if t, ok := c.transport().(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// check tells which field makes no sense: it would make each request fail, as
// if all servers were unreachable.
func (c *Client) check() error {
	for _, header := range [...]struct{ name, value string }{{"UserAgent", c.UserAgent}, {"From", c.From}} {
		for _, octet := range []byte(header.value) {
			if octet < ' ' || octet >= 0x7f {
				return fmt.Errorf("fetch: Client.%s is %s: a header has printable ASCII only", header.name, printable.Quoted(header.value, 60))
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

// defaultUserAgent names the module with its version in the program, if that is
// known, and where people find out about it.
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
