package download

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// overHTTP2 makes the exchange over an HTTP/2 connection with net/http.
func (v *visit) overHTTP2(ctx context.Context) error {
	c := v.client
	limit := cmp.Or(c.HeaderTimeout, defaultHeaderTimeout)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	head := time.AfterFunc(limit, func() {
		cancel(&stop{Timeout, fmt.Sprintf("timeout: no whole head within %v", limit)})
	})
	defer head.Stop()

	request := (&http.Request{
		Method: http.MethodGet, URL: v.target.url(), Host: v.target.authority, Header: requestHeader(v.RequestHead),
	}).WithContext(ctx)
	sent := time.Now()
	r, err := v.conn.h2.RoundTrip(request)
	if err != nil {
		return v.noAnswer(timely(ctx, err), true)
	}
	defer r.Body.Close()
	head.Stop()
	v.Times.FirstByte = time.Since(sent)
	v.Protocol = "h2"
	v.ResponseHead = writtenHead(r)
	v.answer(r)

	window := cmp.Or(c.RateWindow, defaultRateWindow)
	p := &pulse{src: r.Body, cancel: cancel, window: window,
		least: int64(float64(cmp.Or(c.MinRate, defaultMinRate)) * window.Seconds())}
	p.start()
	defer p.stop()
	r.Body = p
	if _, err = v.read(ctx, r); err != nil {
		return timely(ctx, err)
	}
	// Close resets a stream that is not at its end; the connection stays open.
	v.reusable = v.Failure == None && ctx.Err() == nil
	return nil
}

// A pulse is the body of an HTTP/2 answer. It cancels the exchange when fewer than the
// least number of bytes come within a window.
type pulse struct {
	src    io.ReadCloser
	cancel context.CancelCauseFunc
	window time.Duration
	least  int64

	mu    sync.Mutex
	came  int64
	timer *time.Timer
	ended bool
}

func (p *pulse) start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timer = time.AfterFunc(p.window, p.beat)
}

func (p *pulse) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.timer.Stop()
}

// beat ends a window.
func (p *pulse) beat() {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.ended:
	case p.came < p.least:
		p.cancel(tooSlow(p.came, p.window))
	default:
		p.came = 0
		p.timer.Reset(p.window)
	}
}

// Read implements [io.Reader].
func (p *pulse) Read(b []byte) (int, error) {
	n, err := p.src.Read(b)
	p.mu.Lock()
	p.came += int64(n)
	p.ended = p.ended || err != nil
	p.mu.Unlock()
	return n, err
}

// Close implements [io.Closer].
func (p *pulse) Close() error { return p.src.Close() }
