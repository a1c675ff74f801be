package fetch

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/http/fault"
	"github.com/robotsexclusion/robots/internal/http/httpfield"
	"github.com/robotsexclusion/robots/internal/printable"
)

// An attempt is one attempt to fetch the robots.txt of an origin: a request, and further
// requests for redirects.
type attempt struct {
	client *Client
	old    *File // the text to revalidate, or nil
	// forget prevents revalidation of old.
	forget bool

	url        string // the last requested URL
	redirects  []Redirect
	status     int
	at         time.Time // when the attempt ended
	state      State
	err        error         // why state is not OK
	fresh      time.Duration // how long the answer may be used without another request
	retryAfter time.Duration
	file       *File // if state is OK
	confirmed  bool  // file is old, with a new time
}

// attempt makes the requests. The error is not nil if ctx is done, the filter refuses the
// origin itself, or the transport postpones a request. All other failures are recorded in the
// attempt.
func (c *Client) attempt(ctx context.Context, origin string, old *Entry) (*attempt, error) {
	a := &attempt{client: c, url: origin + "/robots.txt"}
	if old != nil {
		a.old = old.File
	}
	limit := cmp.Or(c.Timeout, defaultTimeout)
	limited, cancel := context.WithTimeoutCause(ctx, limit, &timeoutError{"no whole answer", limit})
	defer cancel()
	next, err := a.get(limited)
	for next != "" && err == nil {
		a.url = next
		next, err = a.get(limited)
	}
	a.at = now()
	if err == nil {
		return a, nil
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if refused, ok := errors.AsType[*RefusedError](err); ok && len(a.redirects) == 0 {
		return nil, refused
	}
	if errors.Is(err, ErrPostponed) {
		return nil, err
	}
	a.state, a.err = Unreachable, fault.Of(err)
	return a, nil
}

// get requests a.url. It returns the target of a redirect, an error if the network failed, or
// neither if the attempt is complete.
func (a *attempt) get(ctx context.Context) (next string, err error) {
	dog := watch(ctx, cmp.Or(a.client.HeaderTimeout, defaultHeaderTimeout), "no answer")
	defer dog.stop()
	request, err := a.request(dog.ctx)
	if err != nil {
		return "", err
	}
	a.status, a.fresh, a.retryAfter = 0, 0, 0
	sent := now()
	answer, err := a.client.transport().RoundTrip(request)
	if err != nil {
		return "", dog.reason(err)
	}
	defer answer.Body.Close()
	dog.watch(cmp.Or(a.client.IdleTimeout, defaultIdleTimeout), "the body stopped coming")
	a.status = answer.StatusCode
	took := now().Sub(sent)
	a.fresh = lifetime(answer.Header, now(), took)
	a.retryAfter = httpfield.RetryAfter(answer.Header, now())
	conditional := request.Header.Get("If-None-Match") != "" || request.Header.Get("If-Modified-Since") != ""
	switch state := stateOf(a.status); {
	case a.status == http.StatusNotModified && conditional:
		return a.confirm(answer.Header, took), nil
	case state == OK:
		return "", dog.reason(a.read(answer, dog))
	case isRedirect(a.status):
		next, err = a.redirect(answer.Header)
		if err != nil {
			a.state, a.err = state, err
		}
	default:
		a.state, a.err = state, statusError(a.status)
	}
	a.drain(answer, dog)
	return next, nil
}

// drain reads a small body that is not needed, so that the connection can be reused. It waits
// one second at most for each read.
func (a *attempt) drain(answer *http.Response, dog *watchdog) {
	const most = 4 << 10
	if 0 <= answer.ContentLength && answer.ContentLength <= most {
		dog.watch(time.Second, "a body that nobody needs stopped coming")
		io.CopyN(io.Discard, dog.reader(answer.Body), most)
	}
}

// request returns the request for a.url, without cookies, credentials and Referer, and with the
// trace of ctx.
func (a *attempt) request(ctx context.Context) (*http.Request, error) {
	r, err := http.NewRequestWithContext(context.WithValue(ctx, forRobots{}, true), http.MethodGet, a.url, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("User-Agent", a.client.userAgent())
	if a.client.From != "" {
		r.Header.Set("From", a.client.From)
	}
	httpfield.TraceFrom(ctx).Set(r.Header)
	r.Header.Set("Accept", "text/plain, */*;q=0.5")
	r.Header.Set("Accept-Encoding", "gzip")
	// A cut text is not revalidated but fetched whole: the limit may have changed.
	if f := a.old; f != nil && !a.forget && !f.Cut && f.URL == a.url {
		if f.ETag != "" {
			r.Header.Set("If-None-Match", f.ETag)
		}
		if f.LastModified != "" {
			r.Header.Set("If-Modified-Since", f.LastModified)
		}
	}
	return r, nil
}

// confirm uses the old text as the answer to a conditional request. If the server confirms a
// different version than the requested one (RFC 9111, section 4.3.4), the whole text is
// requested again.
//
// Fields that are missing in the new answer keep their old values, and so does the freshness
// that they give.
func (a *attempt) confirm(h http.Header, onTheWay time.Duration) (next string) {
	tag := httpfield.EntityTag(h)
	if tag != "" && a.old.ETag != "" && strings.TrimPrefix(tag, "W/") != strings.TrimPrefix(a.old.ETag, "W/") {
		a.forget = true
		return a.url
	}
	file := *a.old
	file.ConfirmedAt = now()
	file.ETag = cmp.Or(tag, file.ETag)
	file.LastModified = cmp.Or(httpfield.LastModified(h), file.LastModified)
	file.CacheControl = cmp.Or(cacheControlOf(h), file.CacheControl)
	file.Expires = cmp.Or(expiresOf(h), file.Expires)
	h = h.Clone()
	for name, value := range map[string]string{"Cache-Control": file.CacheControl, "Expires": file.Expires} {
		if len(h.Values(name)) == 0 && value != "" {
			h.Set(name, value)
		}
	}
	a.fresh = lifetime(h, now(), onTheWay)
	a.state, a.file, a.confirmed = OK, &file, true
	return ""
}

// read uses the body of the answer as the text.
func (a *attempt) read(answer *http.Response, dog *watchdog) error {
	text, cut, err := readText(dog.reader(answer.Body), answer.Header, cmp.Or(a.client.MaxSize, defaultMaxSize))
	if err != nil {
		return err
	}
	hash := sha256.Sum256(text)
	file := &File{
		FetchedAt:    now(),
		URL:          a.url,
		SHA256:       hex.EncodeToString(hash[:]),
		Size:         len(text),
		Cut:          cut,
		HTML:         looksLikeHTML(text),
		ContentType:  printable.Clipped(answer.Header.Get("Content-Type"), 200),
		ETag:         httpfield.EntityTag(answer.Header),
		LastModified: httpfield.LastModified(answer.Header),
		CacheControl: cacheControlOf(answer.Header),
		Expires:      expiresOf(answer.Header),
	}
	file.ConfirmedAt = file.FetchedAt
	if a.old != nil && a.old.SHA256 == file.SHA256 {
		file.Policy = a.old.Policy // which may have its indexes already
	} else {
		file.Policy = a.client.Dialect.Parse(text)
	}
	a.state, a.file = OK, file
	return nil
}

// looksLikeHTML reports whether a browser would treat the text as an HTML page.
func looksLikeHTML(text []byte) bool {
	return strings.HasPrefix(http.DetectContentType(bytes.TrimPrefix(text, []byte("\ufeff"))), "text/html")
}

// A statusError is a status of an answer without a text.
type statusError int

// Error returns the status with its name, such as "404 Not Found".
func (e statusError) Error() string {
	name := http.StatusText(int(e))
	if name == "" {
		name = "status of no known meaning"
	}
	return fmt.Sprintf("%d %s", int(e), name)
}

// entry returns the entry to store after the attempt.
func (a *attempt) entry(origin string, old *Entry) *Entry {
	e := &Entry{
		Origin:    origin,
		State:     a.state,
		CheckedAt: a.at,
		Redirects: a.redirects,
		URL:       a.url,
		Status:    a.status,
		File:      a.file,
	}
	if a.err != nil {
		e.Cause = printable.Clipped(a.err.Error(), 500)
	}
	if a.state != Unreachable {
		least := cmp.Or(a.client.MinFresh, defaultMinFresh)
		e.FreshUntil = a.at.Add(min(max(a.fresh, least), maxAge))
		return e
	}
	e.UnreachableSince, e.Failures = a.at, 1
	if old != nil {
		e.File = old.File
		if old.State == Unreachable {
			e.Failures = old.Failures + 1
			if old.UnreachableSince.Before(a.at) { // or else it was stored while the clock was ahead
				e.UnreachableSince = old.UnreachableSince
			}
		}
	}
	e.FreshUntil = a.at.Add(max(pause(e.Failures), a.retryAfter))
	return e
}

// now returns the time with the precision of stored times, a millisecond.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }
