package download

import (
	"context"
	"io"
	"net/http"
	"time"
)

// Replay returns an exchange made from an archived answer: the exchange that
// [Client.Do] would have returned, except for data that an archive does not have. It sends nothing.
// The body of the answer has its content encoding and no transfer encoding; Replay ignores
// Content-Length.
func (c *Client) Replay(r Request, answer *http.Response, start time.Time) (*Exchange, error) {
	if err := c.setUp(); err != nil {
		return nil, err
	}
	t, err := parseTarget(r.URL)
	if err != nil {
		return nil, &Error{URL: r.URL, Failure: WrongURL, Err: err}
	}
	v := &visit{client: c, request: &r, target: t, Exchange: &Exchange{URL: r.URL, Body: new(Body)}}
	v.Times.Start = start
	v.answer(answer)
	whole := *answer
	whole.ContentLength = -1
	if whole.Body == nil {
		whole.Body = io.NopCloser(http.NoBody)
	}
	if _, err := v.read(context.Background(), &whole); err != nil {
		v.discard()
		return nil, newError(r.URL, Local, err)
	}
	return v.Exchange, nil
}
