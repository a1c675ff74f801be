package keydir

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/agent/botauth"
	"github.com/robotsexclusion/robots/internal/httpfield"
)

// maxBody is how many bytes of a document are read. Package botauth refuses larger documents.
const maxBody = 256 << 10

// fetch fetches the source of an agent. If it fails, wait is how long the server asks to be left
// alone.
func (c *Client) fetch(ctx context.Context, agent botauth.Agent) (s *Source, wait time.Duration, err error) {
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
		wait, err = c.readKeys(ctx, s, address, agent.Type == "directory")
		return s.unless(err), wait, err
	}
	d, wait, err := c.get(ctx, address, "application/json")
	if err != nil {
		return nil, wait, err
	}
	if s.Card, err = botauth.ParseCard(agent.URL, d.body); err != nil {
		return nil, 0, err
	}
	d.date(s)
	switch {
	case s.Card.Keys != nil:
		s.Keys = s.Card.Keys
	case s.Card.KeysURL == "":
		return nil, 0, errors.New("the card has no keys")
	default:
		wait, err = c.readKeys(ctx, s, s.Card.KeysURL, false)
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
// that nobody can pass off another file of the server as its directory.
func (c *Client) readKeys(ctx context.Context, s *Source, url string, directory bool) (wait time.Duration, err error) {
	accept := "application/jwk-set+json, application/json;q=0.9, */*;q=0.1"
	if directory {
		accept = botauth.DirectoryType
	}
	d, wait, err := c.get(ctx, url, accept)
	if err != nil {
		return wait, err
	}
	if t, _, err := mime.ParseMediaType(d.response.Header.Get("Content-Type")); directory && (err != nil || t != botauth.DirectoryType) {
		return 0, fmt.Errorf("its media type is %.100q, not %s", d.response.Header.Get("Content-Type"), botauth.DirectoryType)
	}
	if s.Keys, err = botauth.ParseDirectory(d.body); err != nil {
		return 0, err
	}
	d.date(s)
	s.Possessed = s.Keys.Possessed(d.response, d.body, time.Now())
	return 0, nil
}

// A document is the answer to one request.
type document struct {
	response *http.Response
	body     []byte
	took     time.Duration
}

// date sets the times of a source, to the earlier ones if it has some.
func (d *document) date(s *Source) {
	now := time.Now()
	fresh := now.Add(max(httpfield.Lifetime(d.response.Header, now, d.took, unstatedFresh, maxFresh), minFresh))
	if s.Fetched.IsZero() {
		s.Fetched, s.Fresh = now, fresh
	} else if fresh.Before(s.Fresh) {
		s.Fresh = fresh
	}
}

// get fetches a document. If it fails, wait is how long the server asks to be left alone.
func (c *Client) get(ctx context.Context, url, accept string) (d *document, wait time.Duration, err error) {
	began := time.Now()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, 0, err
	}
	req.Header.Set("User-Agent", c.UserAgent)
	req.Header.Set("Accept", accept)
	req.Header.Set("Accept-Encoding", "identity") // signatures are of the bytes as sent
	resp, err := c.client.Do(req)
	if err != nil {
		return nil, 0, cause(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("its status is %d, not 200", resp.StatusCode)
		if resp.StatusCode/100 == 3 {
			err = fmt.Errorf("its status is %d, and redirects are not followed", resp.StatusCode)
		}
		return nil, httpfield.RetryAfter(resp.Header, time.Now()), err
	}
	if codings := resp.Header.Values("Content-Encoding"); slices.ContainsFunc(codings, func(coding string) bool { return !strings.EqualFold(coding, "identity") }) {
		return nil, 0, fmt.Errorf("it is encoded as %.60q, which was not requested", strings.Join(codings, ", "))
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if err != nil {
		return nil, 0, err
	}
	if len(body) > maxBody {
		return nil, 0, fmt.Errorf("it is larger than %d bytes", maxBody)
	}
	return &document{resp, body, time.Since(began)}, 0, nil
}

// cause returns the error without the method and the URL, which the caller adds.
func cause(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}
