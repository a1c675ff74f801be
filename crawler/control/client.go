package control

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A remote sends requests to a crawl in another process.
type remote struct {
	http *http.Client
	dir  string
}

// mostAnswered is the maximum size of an answer in bytes.
const mostAnswered = 256 << 20

// dialRemote returns a remote for the crawl that runs in a folder. It connects once to check that
// the crawl runs; if it does not, the error is [crawl.ErrNotRunning].
func dialRemote(ctx context.Context, dir string) (*remote, error) {
	c := &remote{dir: dir}
	c.http = &http.Client{Transport: &http.Transport{
		DialContext:        func(ctx context.Context, _, _ string) (net.Conn, error) { return c.dial(ctx) },
		DisableKeepAlives:  true,
		DisableCompression: true,
	}}
	conn, err := c.dial(ctx)
	if err != nil {
		return nil, c.connectionError(ctx, err)
	}
	conn.Close()
	return c, nil
}

func (c *remote) dial(ctx context.Context) (net.Conn, error) {
	name, done, err := reach(filepath.Join(c.dir, folder), socket)
	if err != nil {
		return nil, err
	}
	defer done()
	var d net.Dialer
	return d.DialContext(ctx, "unix", name)
}

// connectionError wraps an error of the connection for callers. A failed connection means that
// the crawl does not run, unless the folder belongs to another user.
func (c *remote) connectionError(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: only the user who runs the crawl may ask it: %w", printable.Text(c.dir), err)
	}
	return fmt.Errorf("%s: %w: %w", printable.Text(c.dir), crawl.ErrNotRunning, err)
}

// Status returns the status of the crawl, with at most the given number of hosts.
func (c *remote) Status(ctx context.Context, hosts int) (*crawl.Status, error) {
	s := new(crawl.Status)
	return s, c.ask(ctx, http.MethodGet, "/status?hosts="+strconv.Itoa(hosts), nil, s)
}

// HostStatus returns the status of the hosts with a name, or of the host with an origin, each
// with the given number of URLs of its queue. The list may be empty.
func (c *remote) HostStatus(ctx context.Context, name string, urls int) (hosts []crawl.HostStatus, err error) {
	query := url.Values{"name": {name}, "urls": {strconv.Itoa(urls)}}
	return hosts, c.ask(ctx, http.MethodGet, "/host?"+query.Encode(), nil, &hosts)
}

// mostAtOnce is the maximum number of URLs in one request.
const mostAtOnce = 1000

// submit adds URLs to the crawl, in batches of mostAtOnce. If a batch fails, submit returns the
// submissions of the batches before.
func (c *remote) submit(ctx context.Context, urls []string) (all []crawl.Submission, err error) {
	for len(urls) > 0 {
		n := min(len(urls), mostAtOnce)
		text, err := json.Marshal(urlList{urls[:n]})
		if err != nil {
			return all, err
		}
		var some []crawl.Submission
		if err := c.ask(ctx, http.MethodPost, "/urls", text, &some); err != nil {
			return all, err
		}
		all = append(all, some...)
		urls = urls[n:]
	}
	return all, nil
}

// ask sends a request and decodes the answer into to.
func (c *remote) ask(ctx context.Context, method, path string, body []byte, to any) error {
	r, err := http.NewRequestWithContext(ctx, method, "http://crawl"+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return c.connectionError(ctx, err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, mostAnswered))
	if err != nil {
		return c.connectionError(ctx, err)
	}
	if resp.StatusCode == http.StatusOK {
		if err := json.Unmarshal(text, to); err != nil {
			return fmt.Errorf("the crawl in %s gives no answer that can be read: is it another version of this program? %w", printable.Text(c.dir), err)
		}
		return nil
	}
	var f failure
	if json.Unmarshal(text, &f) != nil || f.Error == "" {
		f.Error = "it answers " + printable.Clipped(resp.Status, 100)
	}
	if resp.StatusCode == http.StatusServiceUnavailable {
		return fmt.Errorf("%s: %w", printable.Text(c.dir), crawl.ErrNotRunning)
	}
	return errors.New(f.Error)
}
