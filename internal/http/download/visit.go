package download

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/http/httpfield"
)

// A visit is an exchange under way.
type visit struct {
	*Exchange
	client    *Client
	request   *Request
	target    target
	tag, date string // the conditions to send
	conn      *conn
	reusable  bool // the connection can be pooled after the body was read
}

// do makes the exchange. If it fails there is no answer.
func (v *visit) do(caller context.Context) error {
	c := v.client
	v.Times.Start = time.Now().UTC()
	limit := cmp.Or(c.Timeout, defaultTimeout)
	ctx, cancel := context.WithTimeoutCause(caller, limit, &stop{Timeout, "timeout: not done within " + limit.String()})
	defer cancel()
	v.tag, v.date = v.request.conditional()
	v.RequestHead = v.requestHead()
	v.Body = new(Body)

	v.conn = c.idle.take(v.target.origin)
	if v.Times.Reused = v.conn != nil; !v.Times.Reused {
		var err error
		if v.conn, err = c.dial(ctx, &v.target, &v.Times); err != nil {
			return timely(ctx, err)
		}
	}
	v.Addr, v.TLS = v.conn.addr, v.conn.tls
	defer func() {
		if v.reusable {
			c.idle.put(v.conn)
		} else {
			v.conn.close()
		}
	}()

	err := v.sign()
	if err != nil {
		return err
	}
	if v.conn.h2 != nil {
		err = v.overHTTP2(ctx)
	} else {
		err = v.overHTTP1(ctx)
	}
	v.Times.Total = time.Since(v.Times.Start)
	if v.Failure != None && caller.Err() != nil {
		err = context.Cause(caller) // this is not a fault of the server, and a partial page is useless
	}
	return err
}

// timely returns the cause if ctx has ended, and err otherwise.
func timely(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// answer copies the fields of an answer's head to the exchange.
func (v *visit) answer(r *http.Response) {
	v.Status, v.Header = r.StatusCode, r.Header
	v.MediaType = mediaType(r.Header.Get("Content-Type"))
	v.ETag = httpfield.EntityTag(r.Header)
	if r.Header["Last-Modified"] != nil {
		v.LastModified = httpfield.LastModified(r.Header)
	}
	if r.Header["Retry-After"] != nil {
		v.RetryAfter = httpfield.RetryAfter(r.Header, time.Now())
	}
	switch v.Status {
	case 300, 301, 302, 303, 307, 308:
		v.Location = v.target.resolve(r.Header.Get("Location"))
	case http.StatusNotModified:
		other := v.tag != "" && v.ETag != "" && strings.TrimPrefix(v.tag, "W/") != strings.TrimPrefix(v.ETag, "W/")
		v.NotModified = (v.tag != "" || v.date != "") && !other
	}
}

// mediaType returns the type of a Content-Type header without its parameters.
func mediaType(header string) string {
	t, _, _ := strings.Cut(header, ";")
	t, _, _ = strings.Cut(t, ",") // some servers join several types in one value
	t = strings.ToLower(strings.Trim(t, " \t"))
	name, sub, _ := strings.Cut(t, "/")
	if name == "" || sub == "" || !isValue(t) || strings.ContainsAny(name+sub, ` "/<>`) {
		return ""
	}
	return t
}

// wants reports whether the body of the answer must be read.
func (v *visit) wants() bool {
	types := v.request.Types
	if types == nil {
		types = v.client.Types
	}
	if types == nil {
		types = defaultTypes
	}
	return v.MediaType == "" || slices.ContainsFunc(types, func(t string) bool {
		if t == "*/*" || strings.EqualFold(t, v.MediaType) {
			return true
		}
		family, ok := strings.CutSuffix(t, "*")
		return ok && strings.HasSuffix(family, "/") && len(family) < len(v.MediaType) &&
			strings.EqualFold(family, v.MediaType[:len(family)])
	})
}

// ignored limits the bytes of an unwanted body that are read, so that the connection
// can be pooled.
const ignored = 4 << 10

// read reads the body of the answer. It reports whether it reached the end of the body.
// The error is a local one; the exchange records all other failures.
func (v *visit) read(ctx context.Context, r *http.Response) (atEnd bool, err error) {
	c := v.client
	if hasBody := v.Status != http.StatusNoContent && v.Status != http.StatusNotModified; hasBody && !v.wants() {
		v.TypeRefused, v.Sent = true, v.Body
		if r.ContentLength < 0 || r.ContentLength > ignored {
			return false, nil
		}
		_, err := io.Copy(io.Discard, r.Body)
		return err == nil, nil
	}
	maxBody := cmp.Or(v.request.MaxBody, c.MaxBody, defaultMaxBody)
	maxSent := cmp.Or(v.request.MaxSent, c.MaxSent, maxBody)
	codings, undecodable := codings(r.Header)
	sum := sha256.New()
	plain := len(codings) == 0 && undecodable == nil
	if plain {
		v.Sent = v.Body
		err = copyAll(c.spool(v.Body, r.ContentLength), sum, &limitedReader{r.Body, min(maxSent, maxBody)})
	} else {
		// Decode after the whole body has come, and few bodies at once: decoders take
		// memory, and an exchange that waits for the network should not hold it.
		v.Sent = new(Body)
		err = copyAll(c.spool(v.Sent, r.ContentLength), nil, &limitedReader{r.Body, maxSent})
	}
	atEnd = err == nil
	if !atEnd {
		if v.SentTruncated, err = v.cut(Disconnected, timely(ctx, err)); err != nil {
			return false, err
		}
	}
	if plain {
		v.Truncated = v.SentTruncated
	} else if err := v.decode(codings, undecodable, sum, maxBody); err != nil {
		return false, err
	}
	if !v.NotModified {
		sum.Sum(v.Digest[:0])
	}
	return atEnd, nil
}

// decode decodes the sent body.
func (v *visit) decode(codings []string, undecodable error, sum hash.Hash, most int64) error {
	c := v.client
	err := undecodable
	if err == nil {
		c.decoders <- struct{}{}
		most = min(most, max(freely, times(cmp.Or(c.MaxRatio, defaultMaxRatio), v.Sent.Size())))
		var d *decoder
		if d, err = newDecoder(v.Sent.Reader(), codings, most); err == nil {
			err = copyAll(c.spool(v.Body, -1), sum, d)
		}
		d.release()
		<-c.decoders
	}
	// If the sent body breaks off, more may have followed, even if the received part
	// decodes completely: gzip and Zstandard allow several members.
	v.Truncated = v.SentTruncated
	if local, ok := errors.AsType[*localError](err); ok {
		return local
	}
	if err != nil && v.Truncated == Whole {
		v.Truncated, _ = v.cut(Encoding, err)
	}
	if !v.request.KeepSent {
		err := v.Sent.close()
		v.Sent, v.SentTruncated = nil, Whole
		if err != nil {
			return &localError{err}
		}
	}
	return nil
}

// times returns a product, or the largest int64 on overflow.
func times(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}

// cut records the reason for the end of a body, and returns the truncation. The error
// is a local one.
func (v *visit) cut(step Failure, err error) (Truncation, error) {
	if errors.Is(err, errLength) {
		return Length, nil
	}
	e := newError(v.URL, step, err)
	if e.Failure == Local {
		return Whole, e
	}
	e.Addr, e.Times = v.Addr, v.Times
	v.Failure, v.Err = e.Failure, e
	return e.Failure.truncation(), nil
}
