package crawl

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/crawl/pace"
	"github.com/robotsexclusion/robots/crawl/weburl"
	"github.com/robotsexclusion/robots/fetch"
)

// A politeTransport makes the requests for robots.txt, so that they count like all
// others: those to the host that a worker has leased at once, and those to another one,
// where a redirect leads, when that host is free and may be asked.
type politeTransport struct {
	crawler *Crawler
	to      *http.Transport
}

func newPoliteTransport(c *Crawler) *politeTransport {
	t := c.Guard.Transport()
	t.TLSClientConfig = c.TLS.Clone()
	if c.Lookup != nil {
		dialer := &net.Dialer{Timeout: 10 * time.Second, ControlContext: c.Guard.Control}
		t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			name, port, err := net.SplitHostPort(address)
			if err != nil {
				return nil, err
			}
			addrs := []netip.Addr{}
			if addr, err := netip.ParseAddr(name); err == nil {
				addrs = append(addrs, addr)
			} else if addrs, err = c.Lookup(ctx, name); err != nil {
				return nil, err
			}
			var conn net.Conn
			err = &net.DNSError{Err: "no address", Name: name, IsNotFound: true}
			for _, addr := range addrs {
				if conn, err = dialer.DialContext(ctx, network, net.JoinHostPort(addr.String(), port)); err == nil {
					return conn, nil
				}
			}
			return nil, err
		}
	}
	return &politeTransport{c, t}
}

// leaseKey is the key of the lease that a request's worker has.
type leaseKey struct{}

// A lease is a host that a worker has leased, to get its robots.txt.
type lease struct {
	host *host
	// desist ends that, because a redirect leads to a host that may not be asked now:
	// then nothing is known of robots.txt, and nobody has failed.
	desist context.CancelCauseFunc
}

// A busyError tells that a host cannot be borrowed now.
type busyError struct {
	origin string
	at     time.Time // when it may be worth a try
}

func (e *busyError) Error() string {
	return "a redirect leads to " + e.origin + ", which may not be asked now"
}

// leased returns a context for requests for the robots.txt of a host. Its cause is a
// busyError where that has to wait for another host.
func leased(ctx context.Context, h *host) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	return context.WithValue(ctx, leaseKey{}, &lease{h, cancel}), cancel
}

// RoundTrip implements [http.RoundTripper].
func (t *politeTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	u, err := new(weburl.Form).Parse(r.URL.String())
	if err != nil {
		return nil, err
	}
	lease := r.Context().Value(leaseKey{}).(*lease)
	h := lease.host
	borrowed := h.origin != u.Origin()
	if borrowed {
		if h, err = t.crawler.frontier.borrow(r.Context(), u.Origin(), partitionOf(u)); err != nil {
			if busy := (*busyError)(nil); errors.As(err, &busy) {
				lease.desist(err)
				<-r.Context().Done() // else it would be kept that robots.txt cannot be had
			}
			return nil, err
		}
	}
	began := time.Now()
	t.crawler.begin(h)
	resp, err := t.to.RoundTrip(r)
	o := pace.Outcome{Took: time.Since(began)}
	end := sync.OnceFunc(func() {
		// Whether robots.txt can be had is for the policy to say: no strike here, and
		// until it is said, the memo has a request that is under way. But a host that a
		// redirect leads to may ask to be left alone like any other.
		o.Cancelled = o.Status == 0 || !borrowed && (o.Status >= 500 || o.Status == http.StatusTooManyRequests)
		if !borrowed {
			h.pace.End(&t.crawler.Manners, time.Now(), o)
			return
		}
		t.crawler.end(h, time.Now(), o)
		t.crawler.saveHost(h)
		t.crawler.release(h)
	})
	if err != nil {
		end()
		return nil, err
	}
	o.Status, o.RetryAfter = resp.StatusCode, fetch.RetryAfter(resp.Header, time.Now())
	resp.Body = &endingBody{resp.Body, end}
	return resp, nil
}

// CloseIdleConnections closes the connections that are kept.
func (t *politeTransport) CloseIdleConnections() { t.to.CloseIdleConnections() }

// An endingBody tells when a body was read or closed.
type endingBody struct {
	io.ReadCloser
	end func()
}

func (b *endingBody) Close() error {
	err := b.ReadCloser.Close()
	b.end()
	return err
}
