package download

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Request is one request to make.
type Request struct {
	// URL is an absolute URL of http or https, with the origin as [fetch.Origin] writes
	// it, and without user information and fragment. Its path and query are sent
	// unchanged.
	URL string

	// ETag and LastModified are the validators of the caller's copy, as [Exchange] has
	// them; they make the request conditional. A malformed entity tag or date is not
	// sent.
	ETag, LastModified string

	// Accept is the value of that header; empty means pages rather than anything else.
	Accept string

	// Types, MaxBody and MaxSent override the client's fields for this request.
	Types            []string
	MaxBody, MaxSent int64

	// KeepSent keeps the body as it was sent, for an archive. It costs nothing
	// if the body has no content encoding.
	KeepSent bool
}

// check returns an error for an invalid field.
func (r *Request) check() error {
	switch {
	case !isValue(r.Accept):
		return fmt.Errorf("download: Request.Accept is %s: a header has printable ASCII only, and no blanks around it",
			printable.Quoted(r.Accept, 60))
	case r.MaxBody < 0 || r.MaxSent < 0:
		return errors.New("download: a limit of the request is less than 0 bytes: use 0 for that of the client")
	}
	return nil
}

// An Exchange is a request and its answer. It must not be modified, and it is safe for
// concurrent use until it is closed.
type Exchange struct {
	URL    string
	Status int // such as 200

	// Header is the header of the answer, without Transfer-Encoding.
	Header http.Header

	// MediaType is the media type in the header without its parameters, in lower case;
	// empty if the header has none.
	MediaType string

	// TypeRefused reports that the media type is not one of the requested types, and
	// that the body was not read.
	TypeRefused bool

	// Location is the target of a redirect, as an absolute URL in printable ASCII, or
	// empty. It may be as long as the head of an answer, and of any scheme: treat it as an
	// unchecked URL. See [Client.Do].
	Location string

	// NotModified reports that the copy named in the request is still current: 304 Not
	// Modified. It is false if the request was not conditional, or if the server
	// confirms another entity tag than the one in the request.
	NotModified bool

	// ETag and LastModified are for the next request; empty if the answer has none that
	// can be sent back.
	ETag, LastModified string

	// RetryAfter is the wait that the server asks for, at most one day.
	RetryAfter time.Duration

	// Body is the part of the body that was read, after decoding its content encoding. It is never
	// nil.
	Body *Body

	// Truncated is the reason why Body is incomplete.
	Truncated Truncation

	// Digest is the SHA-256 of Body. It is zero if TypeRefused or NotModified.
	Digest [sha256.Size]byte

	// Sent is the body as sent, without its transfer encoding. It is Body itself if
	// there is no content encoding, and nil if there is one and Request.KeepSent was
	// not set.
	Sent *Body

	// SentTruncated is the reason why Sent is incomplete. It differs from Truncated if
	// the content encoding is broken, or the decoded body exceeds a limit.
	SentTruncated Truncation

	// Failure and Err say why the body broke off, such as TooSlow, and Err is an
	// [*Error] then. They are None and nil if the body is complete or reached one of
	// the client's limits in bytes.
	Failure Failure
	Err     error

	// RequestHead and ResponseHead are the start line and the header with the empty
	// line, as they went over the network; for HTTP/2 they are written as in HTTP/1.1.
	// The response lacks Transfer-Encoding and Trailer, because the body has no
	// transfer encoding either, and any 1xx answers before it.
	RequestHead, ResponseHead []byte

	// Addr is the address that sent the answer.
	Addr netip.AddrPort

	// Protocol is "http/1.0", "http/1.1" or "h2". TLS is a version such as "tls/1.3",
	// and empty without TLS. Both are as in WARC-Protocol.
	Protocol, TLS string

	// Times are the start of the exchange and the duration of each step.
	Times Times
}

// Times are the start of an exchange and the durations of its steps. A step that was
// skipped, such as connecting with a pooled connection, took 0.
type Times struct {
	Start   time.Time     // in UTC
	DNS     time.Duration // resolving the name
	Connect time.Duration // TCP
	TLS     time.Duration // the handshake

	// FirstByte is the time from the end of the request until the first byte of the
	// answer (for HTTP/2: until the end of its head). It measures the speed of the
	// server.
	FirstByte time.Duration

	Total  time.Duration // from Start until the body had been read
	Reused bool          // the connection came from the pool
}

// Close removes the temporary files of the bodies, if there are any. Bodies in memory
// stay valid.
func (x *Exchange) Close() error {
	err := x.Body.close()
	if x.Sent != nil && x.Sent != x.Body {
		if e := x.Sent.close(); err == nil {
			err = e
		}
	}
	return err
}

// String returns a line with the URL, the answer and the address of the server.
func (x *Exchange) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d", printable.Clipped(x.URL, 200), x.Status)
	if x.Location != "" {
		b.WriteString(", to " + printable.Clipped(x.Location, 200))
	}
	if x.MediaType != "" {
		b.WriteString(", " + printable.Clipped(x.MediaType, 100))
	}
	switch {
	case x.TypeRefused:
		b.WriteString(", not read")
	case x.NotModified:
	default:
		fmt.Fprintf(&b, ", %s bytes", grouped(x.Body.Size()))
	}
	switch {
	case x.Failure != None:
		fmt.Fprintf(&b, ", cut: %s", x.Failure)
	case x.Truncated != Whole:
		fmt.Fprintf(&b, ", cut: %s", x.Truncated)
	}
	fmt.Fprintf(&b, " from %s in %v", x.Addr, x.Times.Total.Round(time.Millisecond))
	return b.String()
}

// grouped returns a number with commas.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Do makes one exchange: it sends one request, or none. The error is an [*Error], or
// reports an invalid field of the client; then there is no exchange. A partial answer
// is an exchange: see Exchange.Failure. If ctx ends before the body does, there is no
// exchange.
//
// A redirect is one of the statuses 300 to 303, 307 and 308 with a Location. The
// Location is resolved against the URL as text: nothing in it is decoded, "." and ".."
// stay, and bytes that are not printable ASCII are percent-encoded.
func (c *Client) Do(ctx context.Context, r Request) (*Exchange, error) {
	if err := c.setUp(); err != nil {
		return nil, err
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	t, err := parseTarget(r.URL)
	if err != nil {
		return nil, &Error{URL: r.URL, Failure: WrongURL, Err: err}
	}
	x := &visit{client: c, request: &r, target: t, Exchange: &Exchange{URL: r.URL}}
	if err := x.do(ctx); err != nil {
		x.discard()
		x.Times.Total = time.Since(x.Times.Start)
		e := newError(r.URL, Protocol, err)
		if ctx.Err() != nil {
			e.Failure, e.Err = Canceled, context.Cause(ctx)
		}
		e.URL, e.Times = r.URL, x.Times
		if x.Addr.IsValid() {
			e.Addr = x.Addr
		}
		return nil, e
	}
	return x.Exchange, nil
}
