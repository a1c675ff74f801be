package warc

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"os"
	"time"
)

// A Message is an HTTP message to archive. Its bytes are not changed, except that an
// empty line is appended to a head without one.
type Message struct {
	// Head is the start line and the header, with CRLF after each line, as [ResponseHead]
	// returns it. An empty line ends the head: bytes after it belong to the body.
	Head []byte
	// Body is the body, or its beginning.
	Body []byte
	// Rest is the part of the body after Body, or nil. It may be of any length. An error
	// of Rest other than [io.EOF] truncates the record.
	Rest io.Reader
}

// An Exchange is one visit of a URL: the request and the response. It becomes up to three
// records that refer to each other: a response or revisit, a request, and metadata.
type Exchange struct {
	URL  string     // the requested URL, absolute
	Time time.Time  // start of the request, to the microsecond; zero means now
	IP   netip.Addr // address of the server, if known

	// Protocols are the protocols of the connection, such as "h2" and "tls/1.3", because
	// heads are always written as HTTP/1. They become WARC-Protocol, a field that is not
	// in WARC/1.1 but that other programs write too.
	Protocols []string

	Request  Message // not written if it has no head
	Response Message // likewise

	// Truncated says why the response is incomplete, if the caller knows: "length",
	// "time", "disconnect" or "unspecified" (WARC/1.1, section 5.13). The writer sets the
	// reason itself if it cuts a body, or Rest fails.
	Truncated string

	// Revisit is set if the payload is already archived. Then only the head of the
	// response is kept.
	Revisit *Revisit

	// MediaType is the type of the payload as detected by the caller, not as sent by the
	// server, or "".
	MediaType string

	// Metadata are more fields about the visit, such as via, hopsFromSeed and fetchTimeMs
	// (WARC/1.1, section 6.6). If empty, no metadata record is written.
	Metadata []Field
}

// A Revisit refers to an earlier capture.
type Revisit struct {
	Profile string
	// Of is the capture that [Writer.Write] returned for the earlier visit. Its ID, URL,
	// Time and Digest are used if they are set; IdenticalPayload needs the digest.
	Of Capture
}

// dateLayout is the layout of WARC-Date: in UTC, with six digits of the second.
const dateLayout = "2006-01-02T15:04:05.000000Z"

// precise returns a time in the precision of WARC-Date.
func precise(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// writable reports whether WARC-Date can represent a time.
func writable(t time.Time) bool { return 0 <= t.UTC().Year() && t.UTC().Year() <= 9999 }

// check returns an error if x cannot be written.
func (x *Exchange) check() error {
	switch r := x.Revisit; {
	case x.URL == "":
		return errors.New("the exchange has no URL")
	case !writable(x.Time) || r != nil && !writable(r.Of.Time):
		return errors.New("a time has a year above 9999 or below 0, which WARC-Date cannot tell")
	case len(x.Response.Head) == 0 && r != nil:
		return errors.New("a revisit needs the head of the response")
	case len(x.Response.Head)+len(x.Request.Head)+len(x.Metadata) == 0:
		return errors.New("the exchange has neither a response, nor a request, nor metadata")
	case r != nil && r.Profile == "":
		return errors.New("the revisit has no profile: set IdenticalPayload or NotModified")
	case r != nil && r.Profile == IdenticalPayload && r.Of.Digest == "":
		return errors.New("a revisit of an identical payload needs its digest")
	}
	return checkFields(x.Metadata)
}

// exchange presses all records of x. It returns the capture of the first record, with its
// offset within the press and without a file.
func (p *press) exchange(x *Exchange) (c Capture, err error) {
	if err := x.check(); err != nil {
		return c, err
	}
	at := x.Time
	if at.IsZero() {
		at = time.Now()
	}
	at = precise(at)
	var first, id string
	if len(x.Response.Head) > 0 {
		id = newID()
		first = id
		if c, err = p.response(x, id, at); err != nil {
			return c, err
		}
	}
	if len(x.Request.Head) > 0 {
		id = newID()
		if err := p.request(x, id, first, at); err != nil {
			return c, err
		}
		if first == "" {
			first = id
		}
	}
	if len(x.Metadata) > 0 {
		p.begin(typeMetadata, newID(), at)
		p.uri("WARC-Target-URI", x.URL)
		p.reference("WARC-Concurrent-To", first)
		p.block = appendFields(p.block[:0], x.Metadata)
		p.field("WARC-Block-Digest", digestOfBlock(p.block))
		if _, _, err := p.member("application/warc-fields", p.block, nil, nil); err != nil {
			return c, err
		}
	}
	return c, nil
}

// request presses the request of x.
func (p *press) request(x *Exchange, id, concurrent string, at time.Time) error {
	b, err := p.digest(x.Request)
	if err != nil {
		return err
	}
	p.begin(TypeRequest, id, at)
	p.uri("WARC-Target-URI", x.URL)
	p.reference("WARC-Concurrent-To", concurrent)
	p.address(x.IP)
	p.field("WARC-Block-Digest", b.block)
	p.field("WARC-Payload-Digest", b.payload)
	p.field("WARC-Truncated", b.truncated)
	_, _, err = p.member("application/http; msgtype=request", b.head, b.body, &p.rest)
	return err
}

// response presses the response of x, or its revisit record.
func (p *press) response(x *Exchange, id string, at time.Time) (c Capture, err error) {
	message, kind, truncated := x.Response, TypeResponse, x.Truncated
	if r := x.Revisit; r != nil {
		kind = typeRevisit
		if r.Profile == IdenticalPayload {
			truncated = truncatedLength // required by section 6.7.2
			head, _ := splitHead(message.Head)
			message = Message{Head: head}
		}
	}
	b, err := p.digest(message)
	if err != nil {
		return c, err
	}
	if b.truncated != "" {
		truncated = b.truncated
	}
	c = Capture{URL: escapedURI(x.URL), Time: at, Digest: b.payload, ID: id}
	c.Status, c.MediaType = statusAndType(b.head)
	p.begin(kind, id, at)
	p.uri("WARC-Target-URI", x.URL)
	p.address(x.IP)
	for _, protocol := range x.Protocols {
		p.field("WARC-Protocol", protocol)
	}
	if r := x.Revisit; r != nil {
		c.Digest, c.MediaType = r.Of.Digest, mediaRevisit
		p.uri("WARC-Profile", r.Profile)
		p.reference("WARC-Refers-To", r.Of.ID)
		p.uri("WARC-Refers-To-Target-URI", r.Of.URL)
		if !r.Of.Time.IsZero() {
			p.field("WARC-Refers-To-Date", precise(r.Of.Time).Format(dateLayout))
		}
	}
	p.field("WARC-Block-Digest", b.block)
	p.field("WARC-Payload-Digest", c.Digest)
	p.field("WARC-Identified-Payload-Type", x.MediaType)
	p.field("WARC-Truncated", truncated)
	c.Offset, c.Length, err = p.member("application/http; msgtype=response", b.head, b.body, &p.rest)
	return c, err
}

// A block is a message with its digests. The part of the message after head and body is
// in the spool of the press.
type block struct {
	head, body     []byte
	block, payload string // digests
	truncated      string
}

// digest reads a message to its end.
func (p *press) digest(m Message) (b block, err error) {
	head, early := splitHead(m.Head)
	b.head, b.body = head, m.Body
	if len(early) > 0 {
		b.body = append(early[:len(early):len(early)], m.Body...)
	}
	if p.max > 0 && int64(len(b.body)) > p.max {
		b.body, m.Rest, b.truncated = b.body[:p.max], nil, truncatedLength
	}
	p.sha1.Reset()
	p.sha256.Reset()
	p.sha256.Write(b.head)
	p.sha256.Write(b.body)
	p.sha1.Write(b.body)
	p.rest.discard()
	if m.Rest != nil {
		if err := p.read(m.Rest, &b); err != nil {
			return b, err
		}
	}
	b.block = blockDigest(p.sha256.Sum(p.sum[:0]))
	b.payload = payloadDigest(p.sha1.Sum(p.sum[:0]))
	return b, nil
}

// read spools the rest of the message after the body of b. It returns only errors of the
// spool.
func (p *press) read(r io.Reader, b *block) error {
	if p.buf == nil {
		p.buf = make([]byte, 32<<10)
	}
	idle := 0
	for size := int64(len(b.body)); ; {
		n, err := r.Read(p.buf)
		data := p.buf[:n]
		if p.max > 0 && size+int64(n) > p.max {
			data, err, b.truncated = data[:p.max-size], io.EOF, truncatedLength
		}
		p.sha1.Write(data)
		p.sha256.Write(data)
		if _, err := p.rest.Write(data); err != nil {
			return fmt.Errorf("keep a body of more than %d bytes: %w", p.rest.limit, err)
		}
		size += int64(len(data))
		if idle++; n > 0 {
			idle = 0
		}
		if err == nil && idle >= 100 {
			err = io.ErrNoProgress
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			b.truncated = truncation(err)
			return nil
		}
	}
}

// truncation returns the WARC-Truncated reason for an error that ended a body.
func truncation(err error) string {
	var tooLong *http.MaxBytesError
	var timeout interface{ Timeout() bool }
	switch {
	case errors.As(err, &tooLong):
		return truncatedLength
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, os.ErrDeadlineExceeded):
		return truncatedTime
	case errors.Is(err, io.ErrNoProgress):
		return truncatedUnspecified
	}
	return truncatedDisconnect
}
