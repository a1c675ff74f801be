// Package download makes one HTTP exchange of a crawler: one request, and what
// came of it.
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
// One call sends one request at most. A redirect is not followed but told, so
// that where it leads is a URL like all others: robots.txt of its own origin,
// the pause of its own host, and the budget count for it. Nor is a request sent
// again on another connection where a server closes one that was kept: that is
// [Stale], and the next turn of the host is the time to try again. There are no
// cookies, no credentials, no Referer and no proxy. What is requested is the
// path of the URL, byte by byte, as robots.txt was asked about it.
//
// # What a server can do
//
// Every part of an answer has a limit, in bytes and in time; [Client] has them.
// A body that breaks one is cut, and [Exchange.Truncated] says why. Names and
// redirects can lead anywhere: a [fetch.DialFilter] judges the address at the moment
// it is dialled. In memory are at most Client.Memory bytes of a body, and as
// many of it as it was sent, if it is encoded; the rest is in a temporary file.
// Few bodies are decoded at once, one for each processor and one more: a decoder
// may take 16 MiB.
//
// # What an archive needs
//
// Exchange has the bytes of both heads as they went over the network, and
// [Exchange.Sent] those of the body, before its content encoding was undone. For
// that HTTP/1.1 is spoken here, with the parsers of net/http; HTTP/2 is spoken
// by net/http, and its heads are written as if it had been HTTP/1.1.
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

// A Client makes exchanges. The zero Client needs only a UserAgent. It is safe
// for concurrent use; its fields are not to be changed, nor the client copied,
// after the first use.
//
// It is for one request to a host at a time: of several, each has a connection
// of its own, and one of them is kept.
type Client struct {
	// UserAgent is who asks: the robot's product token with a version, and a
	// URL or mail address by which people find out about it, such as
	// "ExampleBot/1.0 (+https://example.com/bot)". It must be set.
	UserAgent string

	// From is a mail address for the From header, or empty for none (RFC 9110,
	// section 10.1.2).
	From string

	// AcceptLanguage is that header, or empty for none.
	AcceptLanguage string

	// Types are the media types whose bodies are read, such as "text/html";
	// "text/*" and "*/*" stand for several. Nil means [DefaultTypes]. An answer
	// without a type is read: what it is shows in its body.
	Types []string

	// DialFilter says where the client may connect to.
	DialFilter fetch.DialFilter

	// MaxBody is how many bytes of a body are kept, after its content encoding
	// was undone; 0 means 8 MiB.
	MaxBody int64

	// MaxSent is how many bytes of a body are read, as sent; 0 means as many as
	// MaxBody.
	MaxSent int64

	// MaxRatio is how many times larger than it was sent a body may be, if it is
	// larger than 1 MiB; 0 means 200. Pages are hardly ever above 20, bombs of
	// gzip near 1,000, and others far above that.
	MaxRatio int64

	// MaxHeader is how many bytes the head of an answer may have; 0 means 64
	// KiB.
	MaxHeader int

	// ConnectTimeout is for each step to a connection: DNS, TCP with all
	// addresses that are tried, TLS. 0 means 10 seconds.
	ConnectTimeout time.Duration

	// HeaderTimeout is how long a server has for its whole head, from the
	// request on; 0 means 30 seconds.
	HeaderTimeout time.Duration

	// Timeout is for the whole exchange; 0 means 2 minutes.
	Timeout time.Duration

	// MinRate is how many bytes of a body have to come in a second; 0 means
	// 512, and less than 0 none. It is the mean of RateWindow.
	MinRate int

	// RateWindow is how long the rate may be below MinRate, and so the longest
	// pause of a body; 0 means 10 seconds.
	RateWindow time.Duration

	// Memory is how many bytes of a body are in memory, before it goes to a
	// temporary file; 0 means 1 MiB.
	Memory int

	// Dir is the folder for temporary files; empty means that of [os.TempDir].
	Dir string

	// MaxIdle is how many connections are kept for requests to come, one an
	// origin; 0 means 256, and less than 0 none. One takes about 1 KiB of
	// memory, or 13 KiB with TLS or HTTP/2 (BenchmarkIdle).
	MaxIdle int

	// IdleTimeout is how long they are kept; 0 means 30 seconds.
	IdleTimeout time.Duration

	// TLS is for connections of TLS, such as certificates to be trusted besides;
	// nil means the defaults of crypto/tls. Protocols, the name of the server
	// and, where there is none, a cache of sessions are set by the client.
	TLS *tls.Config

	// Lookup finds the addresses of a name, in the order in which they should be
	// tried. Nil means the system's resolver.
	Lookup func(ctx context.Context, name string) ([]netip.Addr, error)

	// AddressLife is for how long the addresses of a name are used without
	// asking again; 0 means 10 minutes. It is 5 minutes at least and 30 at most:
	// resolvers do not say what the zone wants.
	AddressLife time.Duration

	once   sync.Once
	wrong  error  // what makes no sense in the fields above
	fields string // the part of each request that is always the same, of HTTP/1.1
	names  names
	idle   idle
	tls    *tls.Config
	h2     *http.Transport

	decoders chan struct{} // a place for each decoder at work
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

	// sessions is how many sessions of TLS are kept, each with the certificates
	// of its server.
	sessions = 512
)

// DefaultTypes returns the media types that a client takes by default: pages,
// plain text, and what sitemaps and feeds are written in. Packed sitemaps are
// not among them, as nearly everything can come under their types: whoever asks
// for one says so in [Request.Types].
func DefaultTypes() []string { return slices.Clone(defaultTypes) }

var defaultTypes = []string{
	"text/html", "application/xhtml+xml", "text/plain",
	"application/xml", "text/xml", "application/rss+xml", "application/atom+xml",
}

// setUp makes what the exchanges share, once.
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

// check tells which field makes no sense.
func (c *Client) check() error {
	if c.UserAgent == "" {
		return errors.New("download: Client.UserAgent is empty: name the robot, and a URL or mail address by which people reach who runs it")
	}
	for _, header := range [...]struct{ name, value string }{
		{"UserAgent", c.UserAgent}, {"From", c.From}, {"AcceptLanguage", c.AcceptLanguage},
	} {
		if !isValue(header.value) {
			return fmt.Errorf("download: Client.%s is %s: a header has printable ASCII only, and no blanks around it", header.name, printable.Quoted(header.value, 60))
		}
	}
	switch {
	case !strings.Contains(c.UserAgent, "://") && !strings.Contains(c.UserAgent, "@"):
		return fmt.Errorf("download: Client.UserAgent is %s: add a URL or mail address by which people reach who runs the robot, such as (+https://example.com/bot)",
			printable.Quoted(c.UserAgent, 60))
	case c.MaxBody < 0 || c.MaxSent < 0 || c.MaxRatio < 0 || c.MaxHeader < 0 || c.Memory < 0:
		return errors.New("download: a limit of the client is less than 0 bytes: use 0 for the default")
	case c.ConnectTimeout < 0 || c.HeaderTimeout < 0 || c.Timeout < 0 || c.RateWindow < 0 || c.IdleTimeout < 0 || c.AddressLife < 0:
		return errors.New("download: a time of the client is less than 0: use 0 for the default")
	}
	return nil
}

// isValue reports whether a text is the value of a header as we send it.
func isValue(s string) bool {
	for _, c := range []byte(s) {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return strings.Trim(s, " ") == s
}

// Resolve returns the addresses of a host, which is a name or an address as in
// a URL, without the port. It asks DNS if the client does not know them, and it
// is where [Client.Do] finds them too: a limit for each address can be held
// before a connection is made. They are not judged by the filter, and not to be
// modified. The error is an [*Error].
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

// CloseIdle closes the connection that is kept to an origin, such as
// "https://example.com:8443", if there is one: after the last request of a
// burst.
func (c *Client) CloseIdle(origin string) { c.idle.closeOf(origin) }

// Close closes the connections that are kept. Those of exchanges under way are
// closed when these end. The client can be used again, but keeps none from then
// on.
func (c *Client) Close() error {
	c.idle.close()
	return nil
}
