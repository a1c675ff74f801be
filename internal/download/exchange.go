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

// A Request is what to ask for.
type Request struct {
	// URL is absolute, of http or https, with the origin as [fetch.Origin]
	// writes it, and without user information and fragment. Its path and query
	// are sent as they are.
	URL string

	// ETag and LastModified are those of the copy that is had already, as
	// [Exchange] has them; the server is asked for the page if it has changed.
	// What is no entity tag, or no date, is not sent.
	ETag, LastModified string

	// Accept is that header; empty means pages rather than anything else.
	Accept string

	// Types, MaxBody and MaxSent are for this request instead of the client's.
	Types            []string
	MaxBody, MaxSent int64

	// KeepSent keeps the body as it was sent, for an archive. It costs nothing
	// if the body has no content encoding.
	KeepSent bool
}

// check tells which field makes no sense.
func (r *Request) check() error {
	switch {
	case !isValue(r.Accept):
		return fmt.Errorf("download: Request.Accept is %s: a header has printable ASCII only, and no blanks around it", printable.Quoted(r.Accept, 60))
	case r.MaxBody < 0 || r.MaxSent < 0:
		return errors.New("download: a limit of the request is less than 0 bytes: use 0 for that of the client")
	}
	return nil
}

// An Exchange is a request, and the answer that came. It is not to be modified,
// and safe for concurrent use until it is closed.
type Exchange struct {
	URL    string
	Status int // such as 200

	// Header is that of the answer, without Transfer-Encoding.
	Header http.Header

	// MediaType is the type without parameters that the header names, in lower
	// case; empty if it names none.
	MediaType string

	// TypeRefused tells that the media type is none of those asked for, and that
	// the body was not read.
	TypeRefused bool

	// Location is where a redirect leads, as an absolute URL in printable ASCII,
	// or empty. It may be of any length that a head may have, and of any scheme:
	// it is a discovered URL, of which nothing has been checked. See [Client.Do].
	Location string

	// NotModified tells that the copy which the request named is still right:
	// 304 Not Modified. It is false if nobody asked, or if the server confirms
	// another entity tag than that of the request.
	NotModified bool

	// ETag and LastModified are to be kept for the next request; empty if there
	// is none that can be sent back.
	ETag, LastModified string

	// RetryAfter is how long the server asks to be left alone, a day at most.
	RetryAfter time.Duration

	// Body is the body with its content encoding undone, as far as it was read.
	// It is never nil.
	Body *Body

	// Truncated tells why Body has not all of it.
	Truncated Truncation

	// Digest is the SHA-256 of Body. It is zero if TypeRefused or NotModified.
	Digest [sha256.Size]byte

	// Sent is the body as it was sent, but for its transfer encoding. It is Body
	// itself if there is no content encoding, and nil if there is and
	// Request.KeepSent was not set.
	Sent *Body

	// SentTruncated tells why Sent has not all of it. It differs from Truncated
	// where the content encoding is broken, or more comes out of it than a limit.
	SentTruncated Truncation

	// Failure and Err tell what ended the body before its end, such as TooSlow;
	// None and nil if nothing did, or one of the client's limits of bytes. Err
	// is an [*Error] then.
	Failure Failure
	Err     error

	// RequestHead and ResponseHead are the start line and the header with the
	// empty line, as they went over the network; of HTTP/2 what they would have
	// been in HTTP/1.1. The response is without Transfer-Encoding and Trailer,
	// because the body is, and without answers of 1xx before it.
	RequestHead, ResponseHead []byte

	// Addr is where the answer came from.
	Addr netip.AddrPort

	// Protocol is "http/1.0", "http/1.1" or "h2". TLS is such as "tls/1.3", and
	// empty if there was none. Both are as in WARC-Protocol.
	Protocol, TLS string

	// Times are when it was, and how long each step took.
	Times Times
}

// Times are when an exchange began, and how long its steps took. A step that was
// not taken, such as connecting where a connection was kept, took 0.
type Times struct {
	Start   time.Time     // in UTC
	DNS     time.Duration // finding the addresses
	Connect time.Duration // TCP
	TLS     time.Duration // the handshake

	// FirstOctet is from when the request had been sent until the answer began
	// (of HTTP/2: until its head was whole). It is how fast the server is.
	FirstOctet time.Duration

	Total  time.Duration // from Start until the body had been read
	Reused bool          // the connection had been kept from an earlier exchange
}

// Close removes the temporary files of the bodies, if there are any. Those in
// memory stay as they are.
func (x *Exchange) Close() error {
	err := x.Body.close()
	if x.Sent != nil && x.Sent != x.Body {
		if e := x.Sent.close(); err == nil {
			err = e
		}
	}
	return err
}

// String returns the exchange as a line: what was asked for, what came, and from
// where.
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

// Do makes one exchange: it sends one request, or none. The error is an
// [*Error], or tells that a field of the client makes no sense; then there is no
// exchange. An answer that came in part is one: see Exchange.Failure. If ctx ends
// before the body does, there is none.
//
// A redirect is one of the statuses 300 to 303, 307 and 308 with a Location. It is
// resolved against the URL as text: nothing in it is decoded, "." and ".." stay,
// bytes that are not printable ASCII are percent-encoded.
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
