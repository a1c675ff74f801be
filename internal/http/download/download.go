// Package download makes one HTTP exchange for a crawler: one request and its outcome.
//
//	client := &download.Client{UserAgent: "ExampleBot/1.0 (+https://example.com/bot)"}
//	defer client.Close()
//	x, err := client.Do(ctx, download.Request{URL: "https://example.com/"})
//	if err != nil {
//		return err // a *download.Error: there was no answer, and Failure says of which kind that is
//	}
//	defer x.Close()
//	fmt.Println(x)
//
// prints
//
//	https://example.com/: 200, text/html, 1,256 bytes from [2001:db8::1]:443 in 83ms
//
// # What a robot must not do
//
// A call sends at most one request. It reports a redirect and does not follow the
// redirect, so the target is a URL like all others: robots.txt of its own origin, the
// delay of its own host and the budget apply to it. If a server closes a pooled
// connection, the request is not sent again on another connection: the failure is
// [Stale], and the request is due again at the host's next turn. There are no cookies,
// no credentials, no Referer and no proxy. The request has the path of the URL, byte by
// byte, as it was checked against robots.txt.
//
// # What a server can do
//
// Every part of an answer has limits in bytes and in time: the fields of [Client]. A
// body that exceeds a limit is cut, and [Exchange.Truncated] gives the reason. Names
// and redirects can lead anywhere: a [fetch.DialFilter] judges each address when the
// client dials it. At most Client.Memory bytes of a body are in memory, and as many of
// the body as sent, if it is encoded; the rest is in a temporary file. At most one body
// for each processor, and one more, is decoded at a time: a decoder may take 16 MiB.
//
// # What an archive needs
//
// An Exchange has the bytes of both heads as they went over the network, and
// [Exchange.Sent] has the bytes of the body before its content encoding was undone. The
// package therefore speaks HTTP/1.1 itself, with the parsers of net/http. HTTP/2 is
// left to net/http, and its heads are written as if they had been HTTP/1.1.
package download

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Client makes exchanges. The zero Client needs only a UserAgent. A Client is safe
// for concurrent use. Do not change its fields or copy it after the first use.
//
// Make one request to a host at a time: concurrent requests each open a connection, and
// only one of these connections is pooled.
type Client struct {
	// UserAgent names the robot: its product token with a version, and a URL or mail
	// address with information about it, such as "ExampleBot/1.0
	// (+https://example.com/bot)". It must be set.
	UserAgent string

	// From is a mail address for the From header, or empty for none (RFC 9110,
	// section 10.1.2).
	From string

	// AcceptLanguage is the value of that header, or empty for none.
	AcceptLanguage string

	// Sign, if not nil, adds header fields to each request, such as a signature. It is called when
	// the connection is open, with the request as it is sent. An error of Sign is [WrongURL]: the
	// request is not sent.
	Sign func(r *http.Request) error

	// Types are the media types whose bodies are read, such as "text/html"; "text/*" and "*/*"
	// match several. Nil means [DefaultTypes]. An answer without a type is read: its body shows the
	// type.
	Types []string

	// DialFilter decides which addresses the client may connect to.
	DialFilter fetch.DialFilter

	// MaxBody limits a body, in bytes after its content encoding was undone; 0 means 8
	// MiB.
	MaxBody int64

	// MaxSent limits the bytes of a body that are read, as sent; 0 means the value of
	// MaxBody.
	MaxSent int64

	// MaxRatio limits the decoded size of a body to a multiple of its size as sent, if
	// the decoded body is larger than 1 MiB; 0 means 200. Pages are hardly ever above
	// 20, gzip bombs near 1,000, and other bombs far above that.
	MaxRatio int64

	// MaxHeader limits the head of an answer, in bytes; 0 means 64 KiB.
	MaxHeader int

	// ConnectTimeout limits each step to a connection: DNS, TCP with all addresses that
	// are tried, TLS. 0 means 10 seconds.
	ConnectTimeout time.Duration

	// HeaderTimeout is the time from the request to the end of the answer's head; 0
	// means 30 seconds.
	HeaderTimeout time.Duration

	// Timeout limits the whole exchange; 0 means 2 minutes.
	Timeout time.Duration

	// MinRate is the lowest accepted rate of a body, in bytes a second, as the mean of
	// RateWindow; 0 means 512, and less than 0 means no limit.
	MinRate int

	// RateWindow is how long the rate may be below MinRate, and therefore the longest
	// gap in a body; 0 means 10 seconds.
	RateWindow time.Duration

	// Memory limits the bytes of a body in memory, before the rest goes to a temporary
	// file; 0 means 1 MiB.
	Memory int

	// Dir is the folder for temporary files; empty means [os.TempDir].
	Dir string

	// MaxIdle limits the pooled connections, one for each origin; 0 means 256, and less
	// than 0 disables the pool. A connection takes about 1 KiB of memory, or 13 KiB
	// with TLS or HTTP/2 (BenchmarkIdle).
	MaxIdle int

	// IdleTimeout is how long an idle connection stays in the pool; 0 means 30 seconds.
	IdleTimeout time.Duration

	// TLS configures TLS connections, for example with further trusted certificates;
	// nil means the defaults of crypto/tls. The client sets the protocols, the name of
	// the server and, if it is nil, the cache of sessions.
	TLS *tls.Config

	// Lookup finds the addresses of a name, in the order in which the client tries
	// them. Nil means the system's resolver.
	Lookup func(ctx context.Context, name string) ([]netip.Addr, error)

	// AddressLife is how long the addresses of a name are cached; 0 means 10 minutes.
	// The value is raised to 5 minutes or cut to 30: resolvers do not report the TTL of
	// the zone.
	AddressLife time.Duration

	once   sync.Once
	wrong  error  // error of check
	fields string // the constant fields of an HTTP/1.1 request
	names  names
	idle   idle
	tls    *tls.Config
	h2     *http.Transport

	decoders chan struct{} // a slot for each active decoder
}

const (
	defaultMaxBody        = 8 << 20
	defaultMaxRatio       = 200
	defaultMaxHeader      = 64 << 10
	defaultConnectTimeout = 10 * time.Second
	defaultHeaderTimeout  = 30 * time.Second
	defaultTimeout        = 2 * time.Minute
	defaultMinRate        = 512
	defaultRateWindow     = 10 * time.Second
	defaultMemory         = 1 << 20
	defaultMaxIdle        = 256
	defaultIdleTimeout    = 30 * time.Second
	defaultAddressLife    = 10 * time.Minute

	// sessions is the capacity of the cache of TLS sessions, each with the certificates
	// of its server.
	sessions = 512
)

// DefaultTypes returns the media types that a client accepts by default: pages, plain
// text, and the types of sitemaps and feeds. Compressed sitemaps are not among them,
// because nearly any content can come under their types: set [Request.Types] to request
// one.
func DefaultTypes() []string { return slices.Clone(defaultTypes) }

var defaultTypes = []string{
	"text/html", "application/xhtml+xml", "text/plain",
	"application/xml", "text/xml", "application/rss+xml", "application/atom+xml",
}

// setUp creates the state that all exchanges share, once.
func (c *Client) setUp() error {
	c.once.Do(func() {
		if c.wrong = c.check(); c.wrong != nil {
			return
		}
		c.fields = c.sameFields()
		c.names.lookup = c.Lookup
		if c.Lookup == nil {
			c.names.lookup = func(ctx context.Context, name string) ([]netip.Addr, error) {
				return net.DefaultResolver.LookupNetIP(ctx, "ip", name)
			}
		}
		c.names.life = min(max(5*time.Minute, cmp.Or(c.AddressLife, defaultAddressLife)), 30*time.Minute)
		c.names.timeout = cmp.Or(c.ConnectTimeout, defaultConnectTimeout)
		c.idle.most = max(0, cmp.Or(c.MaxIdle, defaultMaxIdle))
		c.idle.life = cmp.Or(c.IdleTimeout, defaultIdleTimeout)
		c.tls = c.TLS.Clone() // nil of nil
		if c.tls == nil {
			c.tls = new(tls.Config)
		}
		c.tls.NextProtos = []string{"h2", "http/1.1"}
		if c.tls.ClientSessionCache == nil {
			c.tls.ClientSessionCache = tls.NewLRUClientSessionCache(sessions)
		}
		c.h2 = c.http2()
		c.decoders = make(chan struct{}, runtime.GOMAXPROCS(0)+1)
	})
	return c.wrong
}

// check returns an error for an invalid field.
func (c *Client) check() error {
	if c.UserAgent == "" {
		return errors.New("download: Client.UserAgent is empty: name the robot, and a URL or mail address by which people reach who runs it")
	}
	for _, header := range [...]struct{ name, value string }{
		{"UserAgent", c.UserAgent}, {"From", c.From}, {"AcceptLanguage", c.AcceptLanguage},
	} {
		if !isValue(header.value) {
			return fmt.Errorf("download: Client.%s is %s: a header has printable ASCII only, and no blanks around it",
				header.name, printable.Quoted(header.value, 60))
		}
	}
	switch {
	case !strings.Contains(c.UserAgent, "://") && !strings.Contains(c.UserAgent, "@"):
		return fmt.Errorf("download: Client.UserAgent is %s: add a URL or mail address by which people reach who runs the robot, such as (+https://example.com/bot)",
			printable.Quoted(c.UserAgent, 60))
	case c.MaxBody < 0 || c.MaxSent < 0 || c.MaxRatio < 0 || c.MaxHeader < 0 || c.Memory < 0:
		return errors.New("download: a limit of the client is less than 0 bytes: use 0 for the default")
	case c.ConnectTimeout < 0 || c.HeaderTimeout < 0 || c.Timeout < 0 || c.RateWindow < 0 || c.IdleTimeout < 0 ||
		c.AddressLife < 0:
		return errors.New("download: a time of the client is less than 0: use 0 for the default")
	}
	return nil
}

// isValue reports whether the client can send s as the value of a header.
func isValue(s string) bool {
	for _, c := range []byte(s) {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return strings.Trim(s, " ") == s
}

// Resolve returns the addresses of a host, which is a name or an address as in a URL,
// without the port. It asks DNS unless the addresses are cached, and [Client.Do] uses
// the same cache: a caller can enforce a limit for each address before a connection is
// made. The filter has not judged the addresses. Do not modify them. The error is an
// [*Error].
func (c *Client) Resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if err := c.setUp(); err != nil {
		return nil, err
	}
	addrs, err := c.names.resolve(ctx, host)
	if err != nil {
		e := newError(host, DNS, err)
		if ctx.Err() != nil {
			e.Failure = Canceled
		}
		return nil, e
	}
	return addrs, nil
}

// Close closes the pooled connections. The connection of an exchange under way is
// closed when the exchange ends. The client can be used again, but no longer pools
// connections.
func (c *Client) Close() error {
	c.idle.close()
	return nil
}
