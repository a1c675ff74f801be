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

	"github.com/robotsexclusion/robots/crawl/internal/pace"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/weburl"
)

// A politeTransport makes the requests for robots.txt, so that they count like all
// others: those to the host that a worker has leased at once, and those to another one,
// where a redirect leads, when that host is free and may be asked.
type politeTransport struct {
	crawler *run
	to      *http.Transport
}

func newPoliteTransport(c *run) *politeTransport {
	t := c.DialFilter.Transport()
	t.TLSClientConfig = c.TLS.Clone()
	if c.Lookup != nil {
		dialer := &net.Dialer{Timeout: 10 * time.Second, ControlContext: c.DialFilter.Control}
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

// RoundTrip implements [http.RoundTripper].
func (t *politeTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	u, err := new(weburl.Form).Parse(r.URL.String())
	if err != nil {
		return nil, err
	}
	lease := r.Context().Value(leaseKey{}).(*lease)
	if err := lease.begin(); err != nil {
		return nil, err
	}
	h, addr := lease.host, netip.Addr{}
	borrowed := h.origin != u.Origin()
	if borrowed {
		if h, addr, err = t.borrow(r.Context(), lease, u); err != nil {
			defer lease.requests.Done()
			if busy := (*busyError)(nil); errors.As(err, &busy) {
				lease.desist(err)
				<-r.Context().Done() // else it would be kept that robots.txt cannot be had
			}
			return nil, err
		}
	}
	if !addr.IsValid() {
		// The request has the place of the lease, which is for a first one.
		if lease.asked && lease.addr.IsValid() {
			if err := t.crawler.frontier.pass(r.Context(), h, lease.addr); err != nil {
				return nil, t.leave(r.Context(), lease, h, borrowed, err)
			}
		}
		lease.asked = true
	}
	began := time.Now()
	t.crawler.begin(h)
	resp, err := t.exchanged(r)
	o := pace.Outcome{Took: time.Since(began)}
	end := sync.OnceFunc(func() {
		defer lease.requests.Done()
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
		if addr.IsValid() {
			t.crawler.frontier.leave(h)
		}
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

// leave gives up a request that may not be made now, and the host if it was borrowed.
func (t *politeTransport) leave(ctx context.Context, l *lease, h *host, borrowed bool, err error) error {
	defer l.requests.Done()
	if borrowed {
		t.crawler.release(h)
	}
	if busy := (*busyError)(nil); errors.As(err, &busy) {
		l.desist(err)
		<-ctx.Done() // else it would be kept that robots.txt cannot be had
	}
	return err
}

// borrow leases the host of a URL that a redirect leads to, with a place at its address
// if it needs one of its own.
func (t *politeTransport) borrow(ctx context.Context, l *lease, u weburl.URL) (h *host, place netip.Addr, err error) {
	f := t.crawler.frontier
	if h, err = f.borrow(ctx, u.Origin(), partitionOf(u)); err != nil {
		return nil, place, err
	}
	addr := t.crawler.address(ctx, u)
	if !addr.IsValid() || addr == l.addr {
		return h, place, nil
	}
	return h, addr, f.enter(ctx, h, addr)
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
