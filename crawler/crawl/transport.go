package crawl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/crawler/internal/pace"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/http/httpfield"
	"github.com/robotsexclusion/robots/internal/http/renewed"
)

// newTransport returns the transport of requests for robots.txt. A crawl asks very many hosts, of
// which many are gone.
func newTransport(c *Config) *renewed.Transport {
	return renewed.New(func() *http.Transport { return plainTransport(c) }, renewed.After)
}

func plainTransport(c *Config) *http.Transport {
	t := c.DialFilter.Transport()
	t.TLSClientConfig = c.TLS.Clone()
	// net/http sends a request again, with the same signature, if the server has closed an idle
	// connection.
	t.DisableKeepAlives = c.Signer != nil
	if c.Lookup == nil {
		return t
	}
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
	return t
}

// A robotsFetcher fetches robots.txt for the hosts of a crawl.
type robotsFetcher struct {
	*stopper
	config    *Config
	cache     fetch.Cache     // of this folder
	copies    *journal.Values // on the servers, or nil
	log       *reporter
	transport *renewed.Transport
	own       *renewed.Transport // for seeds on this machine
	linker    *linker
	committer *committer
	archive   *warc.Writer // nil if there is none
}

// fetch continues the fetch of robots.txt that a hop belongs to. It makes one request at most, to
// a leased host that has a place at its address. If the fetch needs another request, fetch
// returns the next hop, and neither a result nor an error.
func (f *robotsFetcher) fetch(ctx context.Context, h *host, p *hop) (fetch.Result, *hop, error) {
	return f.run(ctx, &robotsTransport{fetcher: f, host: h, hop: p})
}

// replay is fetch without a request.
func (f *robotsFetcher) replay(ctx context.Context, h *host, p *hop) (fetch.Result, *hop, error) {
	return f.run(ctx, &robotsTransport{fetcher: f, host: h, hop: p, asked: true})
}

func (f *robotsFetcher) run(ctx context.Context, t *robotsTransport) (fetch.Result, *hop, error) {
	p := t.hop
	ctx, t.lapse = context.WithCancelCause(ctx)
	defer t.lapse(nil)
	t.over = make(chan struct{})
	client := &fetch.Client{UserAgent: f.config.UserAgent, Transport: t, Timeout: f.config.Limits.Timeout,
		HeaderTimeout: f.config.Limits.HeaderTimeout, Cache: f.cache}
	if f.copies != nil {
		client.Cache = &robotsCopies{Cache: f.cache, values: f.copies, log: f.log}
	}
	r, err := client.Policy(ctx, p.of.origin+"/robots.txt")
	close(t.over)
	t.close()
	if t.next != nil {
		return fetch.Result{}, t.next, nil
	}
	return r, nil, err
}

// A robotsTransport makes one request of a fetch of robots.txt, to the host that its worker has
// leased. It replays the answers of the earlier requests of the fetch, and postpones the next
// request.
type robotsTransport struct {
	fetcher *robotsFetcher
	host    *host
	hop     *hop

	replayed int // steps of the hop that were replayed
	asked    bool
	last     *step // the answer to the request, if it is a redirect
	next     *hop  // the postponed request
	// lapse ends the fetch without a result: the worker was stopped, or has lost the servers, and a
	// request that failed meanwhile says nothing about its host.
	lapse context.CancelCauseFunc
	over  chan struct{} // closed when the fetch is over for its caller

	mu       sync.Mutex
	closed   bool
	requests sync.WaitGroup
}

// RoundTrip implements [http.RoundTripper].
func (t *robotsTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if !t.open() {
		return nil, net.ErrClosed
	}
	end := t.requests.Done
	defer func() { end() }()
	url := r.URL.String()
	if t.replayed < len(t.hop.steps) {
		s := &t.hop.steps[t.replayed]
		if t.replayed++; s.url == url && s.conditional == isConditional(r) {
			if s.err != nil {
				return nil, s.err
			}
			return s.response(r), nil
		}
		// The cache has changed: start the fetch again.
		return nil, t.postpone(&hop{of: t.hop.of, url: t.hop.of.origin + "/robots.txt"})
	}
	u, err := weburl.Links.Parse(url)
	if err != nil {
		return nil, err
	}
	if t.asked || u.Origin() != t.host.origin {
		next := &hop{of: t.hop.of, url: url, steps: t.hop.steps}
		if t.last != nil {
			next.steps = append(next.steps[:len(next.steps):len(next.steps)], *t.last)
		}
		if t.fetcher.committer.shard.share != nil {
			next.header = r.Header.Clone()
		}
		return nil, t.postpone(next)
	}
	t.asked = true
	resp, err := t.ask(r)
	if err != nil {
		t.checkLapse()
		return nil, err
	}
	body := resp.Body.(*endingBody)
	body.done, body.failed = end, t.checkLapse
	end = func() {}
	return resp, nil
}

// checkLapse is called after a failure.
func (t *robotsTransport) checkLapse() {
	if !t.fetcher.committer.shard.share.mayAsk(time.Now()) {
		t.lapse(errLapsed)
		<-t.over // or the fetch would count the failure
	}
}

var errLapsed = errors.New("the worker has not heard from the others for a while")

// postpone suspends the fetch until the host of the next hop is leased.
func (t *robotsTransport) postpone(next *hop) error {
	t.next = next
	return fmt.Errorf("%s: %w", next.url, fetch.ErrPostponed)
}

// ask makes the request. It counts for the pace of the host like all others.
func (t *robotsTransport) ask(r *http.Request) (*http.Response, error) {
	f, h := t.fetcher, t.host
	began := time.Now()
	f.committer.begin(h)
	transport := f.transport
	u, err := weburl.Links.Parse(r.URL.String())
	if err == nil && t.hop.of.origin == h.origin && f.linker.territory.isOwn(u) {
		transport = f.own
	}
	resp, err := f.exchanged(transport, r)
	o := pace.Outcome{Took: time.Since(began)}
	end := sync.OnceFunc(func() {
		if h == t.hop.of {
			// The policy decides whether robots.txt is reachable: a failure is not a strike
			// here, and the memo keeps the request open until the policy has decided.
			f.committer.shard.share.requestEnds(h)
			o.Cancelled = o.Status == 0 || o.Status >= 500 || o.Status == http.StatusTooManyRequests
			h.pace.End(f.config.pauses(), time.Now(), o)
			return
		}
		// The target of a redirect may ask to be left alone like any other host.
		o.Cancelled = o.Status == 0
		f.committer.end(h, time.Now(), o)
		f.committer.saveHost(h)
	})
	if err != nil {
		end()
		return nil, err
	}
	o.Status, o.RetryAfter = resp.StatusCode, httpfield.RetryAfter(resp.Header, time.Now())
	if resp.StatusCode/100 == 3 {
		t.last = &step{url: r.URL.String(), conditional: isConditional(r), status: resp.StatusCode,
			location: resp.Header.Get("Location"), etag: resp.Header.Get("ETag")}
	}
	resp.Body = &endingBody{ReadCloser: resp.Body, end: end}
	return resp, nil
}

// open reports whether a request may be made. If so, the caller must call t.requests.Done.
func (t *robotsTransport) open() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.requests.Add(1)
	}
	return !t.closed
}

// close waits until no request is open. A request may outlast the context of the worker, and the
// worker owns the host only after the request.
func (t *robotsTransport) close() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.requests.Wait()
}

// An endingBody calls end and done once, when it is closed.
type endingBody struct {
	io.ReadCloser
	end, done, failed func()
}

// Read calls failed, if it is not nil, when the body breaks off.
func (b *endingBody) Read(p []byte) (n int, err error) {
	n, err = b.ReadCloser.Read(p)
	if err != nil && err != io.EOF && b.failed != nil {
		b.failed()
	}
	return n, err
}

func (b *endingBody) Close() error {
	err := b.ReadCloser.Close()
	b.end()
	if b.done != nil {
		b.done()
		b.done = nil
	}
	return err
}
