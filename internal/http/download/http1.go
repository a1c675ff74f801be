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

// maxInterim limits the 1xx answers before the final answer.
const maxInterim = 8

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
	r, head, err := v.readHead(w)
	if err != nil {
		if w.failed != nil {
			err = w.failed // the parser's error would only describe half a line
		}
		return v.noAnswer(timely(ctx, err), len(w.head) == 0)
	}
	v.Times.FirstByte = w.first.Sub(sent)
	v.Protocol = "http/1.1"
	if r.ProtoMinor == 0 {
		v.Protocol = "http/1.0"
	}
	v.ResponseHead = withoutTransfer(head)
	v.answer(r)

	window := cmp.Or(c.RateWindow, defaultRateWindow)
	w.body(int64(float64(cmp.Or(c.MinRate, defaultMinRate))*window.Seconds()), window)
	atEnd, err := v.read(ctx, r)
	if err != nil {
		return timely(ctx, err)
	}
	// Bytes still in the buffer answer no request. The next request would take them for
	// its own answer.
	v.reusable = atEnd && !r.Close && w.Buffered() == 0 && unwatch() && cn.net.SetDeadline(time.Time{}) == nil
	return nil
}

// readHead reads the head of the final answer. It also returns the bytes of the head,
// which belong to the wire.
func (v *visit) readHead(w *wire) (r *http.Response, head []byte, err error) {
	for range maxInterim + 1 {
		begin := w.consumed()
		if r, err = http.ReadResponse(w.Reader, get); err != nil {
			return nil, nil, err
		}
		switch {
		case w.consumed() > w.maxHead:
			return nil, nil, headTooLarge(w.maxHead)
		case r.ProtoMajor != 1 || r.StatusCode < 100:
			return nil, nil, fmt.Errorf("%s %d is no answer of HTTP/1", r.Proto, r.StatusCode)
		case r.StatusCode == http.StatusSwitchingProtocols:
			return nil, nil, errors.New("the server switches protocols, which nobody asked for")
		case r.StatusCode >= 200:
			return r, w.head[begin:w.consumed()], nil
		}
	}
	return nil, nil, fmt.Errorf("more than %d answers of 1xx", maxInterim)
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
