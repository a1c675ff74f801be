package keydir

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/agent/botauth"
	"github.com/robotsexclusion/robots/internal/http/httpfield"
)

// maxBody is how many bytes of a document are read. Package botauth refuses larger documents.
const maxBody = 256 << 10

// maxKept is the maximum number of bytes of a document that is kept for a conditional request. A
// client keeps two documents at most for each source.
const maxKept = 16 << 10

// fetch fetches the source of an agent. before is the source of the last fetch, or nil. If fetch
// fails, wait is how long the server asks to be left alone.
func (c *Client) fetch(ctx context.Context, agent botauth.Agent, before *Source) (s *Source, wait time.Duration,
	err error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return nil, 0, errors.New("too many other fetches are under way")
	}
	address := agent.Directory()
	s = &Source{URL: address}
	if end := strings.IndexAny(address, "?#"); end >= 0 {
		s.URL = address[:end]
	}
	if u, err := url.Parse(address); err == nil {
		s.Host = u.Host
	}
	if agent.Type != "cimd" {
		wait, err = c.readKeys(ctx, s, before, address, agent.Type == "directory")
		return s.unless(err), wait, err
	}
	d, wait, err := c.get(ctx, address, "application/json", before.document(address))
	if err != nil {
		return nil, wait, err
	}
	if s.Card, err = botauth.ParseCard(agent.URL, d.body); err != nil {
		return nil, 0, err
	}
	d.addTo(s)
	switch {
	case s.Card.Keys != nil:
		s.Keys = s.Card.Keys
	case s.Card.KeysURL == "":
		return nil, 0, errors.New("the card has no keys")
	default:
		wait, err = c.readKeys(ctx, s, before, s.Card.KeysURL, false)
	}
	return s.unless(err), wait, err
}

// unless returns s, or nil if there is an error.
func (s *Source) unless(err error) *Source {
	if err != nil {
		return nil
	}
	return s
}

// readKeys fetches the keys of a source from a URL. A directory must have the media type of one, so
// that nobody can pass off another file of the server as its directory. The request is not
// conditional if a signature of the document has expired since: the server may have a new one.
func (c *Client) readKeys(ctx context.Context, s, before *Source, url string, directory bool) (wait time.Duration,
	err error) {
	accept := "application/jwk-set+json, application/json;q=0.9, */*;q=0.1"
	if directory {
		accept = botauth.DirectoryType
	}
	kept := before.document(url)
	if kept != nil && len(before.Keys.Possessed(kept.response, kept.body, time.Now())) < len(before.Possessed) {
		kept = nil
	}
	d, wait, err := c.get(ctx, url, accept, kept)
	if err != nil {
		return wait, err
	}
	if t, _, err := mime.ParseMediaType(d.response.Header.Get("Content-Type")); directory &&
		(err != nil || t != botauth.DirectoryType) {
		return 0, fmt.Errorf("its media type is %.100q, not %s", d.response.Header.Get("Content-Type"),
			botauth.DirectoryType)
	}
	if s.Keys, err = botauth.ParseDirectory(d.body); err != nil {
		return 0, err
	}
	d.addTo(s)
	s.Possessed = s.Keys.Possessed(d.response, d.body, time.Now())
	return 0, nil
}

// A document is the answer to one request. It is immutable.
type document struct {
	url      string
	response *http.Response // with status 200
	body     []byte
	caching  http.Header // of the response, or of a later one with status 304
	took     time.Duration
}

// document returns the document with a URL that is kept for a conditional request, or nil. The
// source may be nil.
func (s *Source) document(url string) *document {
	if s == nil {
		return nil
	}
	for _, d := range s.documents {
		if d.url == url {
			return d
		}
	}
	return nil
}

// addTo sets the times of a source, to the earlier ones if it has some, and keeps the document
// there if the document is small and has a validator.
func (d *document) addTo(s *Source) {
	now := time.Now()
	fresh := now.Add(max(httpfield.Lifetime(d.caching, now, d.took, unstatedFresh, maxFresh), minFresh))
	if s.Fetched.IsZero() {
		s.Fetched, s.Fresh = now, fresh
	} else if fresh.Before(s.Fresh) {
		s.Fresh = fresh
	}
	if len(d.body) <= maxKept && len(d.validators()) > 0 {
		s.documents = append(s.documents, d)
	}
}

// validators returns the header fields of a conditional request for the document (RFC 9110, section
// 13.1), which are none if the server gave no validator.
func (d *document) validators() http.Header {
	header := make(http.Header)
	if tag := httpfield.EntityTag(d.caching); tag != "" {
		header.Set("If-None-Match", tag)
	}
	if date := httpfield.LastModified(d.caching); date != "" {
		header.Set("If-Modified-Since", date)
	}
	return header
}

// confirmed returns the document after a response with status 304, whose header replaces fields
// about caching (RFC 9111, section 4.3.4). Date and Age are those of the new response, if it has
// them.
func (d *document) confirmed(header http.Header, took time.Duration) *document {
	caching := d.caching.Clone()
	for _, name := range []string{"Age", "Date"} {
		caching.Del(name)
	}
	for _, name := range []string{"Age", "Cache-Control", "Date", "Etag", "Expires", "Last-Modified"} {
		if values := header.Values(name); len(values) > 0 {
			caching[name] = values
		}
	}
	return &document{d.url, d.response, d.body, caching, took}
}

// get fetches a document, unless the server confirms that the kept one, which may be nil, is
// unchanged. If get fails, wait is how long the server asks to be left alone.
func (c *Client) get(ctx context.Context, url, accept string, kept *document) (d *document, wait time.Duration,
	err error) {
	began := time.Now()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, 0, err
	}
	req.Header.Set("User-Agent", c.UserAgent)
	req.Header.Set("Accept", accept)
	req.Header.Set("Accept-Encoding", "identity") // signatures are of the bytes as sent
	if kept != nil {
		maps.Copy(req.Header, kept.validators())
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return nil, 0, cause(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusNotModified && kept != nil {
		return kept.confirmed(resp.Header, time.Since(began)), 0, nil
	}
	if resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("its status is %d, not 200", resp.StatusCode)
		if resp.StatusCode/100 == 3 {
			err = fmt.Errorf("its status is %d, and redirects are not followed", resp.StatusCode)
		}
		return nil, httpfield.RetryAfter(resp.Header, time.Now()), err
	}
	if codings := resp.Header.Values("Content-Encoding"); slices.ContainsFunc(codings,
		func(coding string) bool { return !strings.EqualFold(coding, "identity") }) {
		return nil, 0, fmt.Errorf("it is encoded as %.60q, which was not requested", strings.Join(codings, ", "))
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if err != nil {
		return nil, 0, err
	}
	if len(body) > maxBody {
		return nil, 0, fmt.Errorf("it is larger than %d bytes", maxBody)
	}
	answered := &http.Response{StatusCode: resp.StatusCode, Header: resp.Header,
		Request: req.WithContext(context.Background())}
	return &document{url, answered, body, resp.Header, time.Since(began)}, 0, nil
}

// cause returns the error without the method and the URL, which the caller adds.
func cause(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}
