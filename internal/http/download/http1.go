package download

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// get is the request that the parser of answers needs.
var get = &http.Request{Method: http.MethodGet}

// overHTTP1 makes the exchange over an HTTP/1.1 connection.
func (v *visit) overHTTP1(ctx context.Context) error {
	c, cn := v.client, v.conn
	unwatch := context.AfterFunc(ctx, func() { cn.net.SetDeadline(past) })
	defer unwatch()
	w := newWire(ctx, cn.net, cmp.Or(c.MaxHeader, defaultMaxHeader), cmp.Or(c.HeaderTimeout, defaultHeaderTimeout))
	defer w.release()

	if _, err := cn.net.Write(v.RequestHead); err != nil {
		return v.noAnswer(timely(ctx, fmt.Errorf("send the request: %w", err)), true)
	}
	sent := time.Now()
	r, err := v.readHead(w)
	if err != nil {
		return v.noAnswer(timely(ctx, err), w.first.IsZero())
	}
	v.Times.FirstByte = w.first.Sub(sent)
	v.Protocol = "http/1.1"
	if r.ProtoMinor == 0 {
		v.Protocol = "http/1.0"
	}
	v.ResponseHead = withoutTransfer(w.head)
	v.answer(r)

	window := cmp.Or(c.RateWindow, defaultRateWindow)
	w.body(int64(float64(cmp.Or(c.MinRate, defaultMinRate))*window.Seconds()), window)
	atEnd, err := v.read(ctx, r)
	if err != nil {
		return timely(ctx, err)
	}
	// Bytes still in the buffer answer no request. The next request would take them for
	// its own answer.
	v.reusable = atEnd && !r.Close && w.isEmpty() && unwatch() && cn.net.SetDeadline(time.Time{}) == nil
	return nil
}

// readHead reads the head of the final answer. All answers before it, of 1xx, count for the limit
// of a head.
func (v *visit) readHead(w *wire) (r *http.Response, err error) {
	for {
		if r, err = w.readHead(); err != nil {
			return nil, err
		}
		switch {
		case r.StatusCode < 100:
			return nil, fmt.Errorf("%s %d is not an answer of HTTP/1", r.Proto, r.StatusCode)
		case r.StatusCode == http.StatusSwitchingProtocols:
			return nil, errors.New("the server switches protocols, which the request did not ask for")
		case r.StatusCode >= 200:
			return r, nil
		}
	}
}

// noAnswer returns the error for an answer whose head is incomplete or missing.
func (v *visit) noAnswer(err error, nothing bool) error {
	step := classify(Disconnected, err)
	if step == Disconnected && v.Times.Reused && nothing {
		step = Stale
	}
	if errors.Is(err, io.ErrUnexpectedEOF) && nothing {
		err = errors.New("the server closed the connection without an answer")
	}
	return &Error{URL: v.URL, Failure: step, Err: err}
}
