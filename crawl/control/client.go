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

	"github.com/robotsexclusion/robots/crawl"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Client asks a crawl in another process.
type Client struct {
	http *http.Client
	dir  string
}

// mostAnswered is how many bytes an answer may have.
const mostAnswered = 256 << 20

// Dial returns a client for the crawl that runs in a folder, after it has made sure that
// somebody answers there. Else the error is [crawl.ErrNotRunning].
func Dial(ctx context.Context, dir string) (*Client, error) {
	c := &Client{dir: dir}
	c.http = &http.Client{Transport: &http.Transport{
		DialContext:        func(ctx context.Context, _, _ string) (net.Conn, error) { return c.dial(ctx) },
		DisableKeepAlives:  true,
		DisableCompression: true,
	}}
	conn, err := c.dial(ctx)
	if err != nil {
		return nil, c.told(ctx, err)
	}
	conn.Close()
	return c, nil
}

func (c *Client) dial(ctx context.Context) (net.Conn, error) {
	name, done, err := reach(filepath.Join(c.dir, folder), socket)
	if err != nil {
		return nil, err
	}
	defer done()
	var d net.Dialer
	return d.DialContext(ctx, "unix", name)
}

// told returns an error of the connection as one for callers: whatever happened to the
// crawl, it does not run, unless it is another user's.
func (c *Client) told(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: you may not ask the crawl: ask as the user who runs it: %w", printable.Text(c.dir), err)
	}
	return fmt.Errorf("%s: %w: %w", printable.Text(c.dir), crawl.ErrNotRunning, err)
}

// Status returns where the crawl is, with so many hosts.
func (c *Client) Status(ctx context.Context, hosts int) (*crawl.Status, error) {
	s := new(crawl.Status)
	return s, c.ask(ctx, http.MethodGet, "/status?hosts="+strconv.Itoa(hosts), nil, s)
}

// HostStatus returns what the crawl knows of the hosts of a name, or of an origin, with
// so many URLs of their queues. There may be none.
func (c *Client) HostStatus(ctx context.Context, name string, urls int) (hosts []crawl.HostStatus, err error) {
	query := url.Values{"name": {name}, "urls": {strconv.Itoa(urls)}}
	return hosts, c.ask(ctx, http.MethodGet, "/host?"+query.Encode(), nil, &hosts)
}

// mostAtOnce is how many URLs go into one question.
const mostAtOnce = 1000

// Submit adds URLs to the crawl, as [crawl.Crawler.Submit] does, some at a time: in the
// case of an error, what it returns is of those that are durable.
func (c *Client) Submit(ctx context.Context, urls ...string) (told []crawl.Submission, err error) {
	for len(urls) > 0 {
		n := min(len(urls), mostAtOnce)
		text, err := json.Marshal(urlList{urls[:n]})
		if err != nil {
			return told, err
		}
		var some []crawl.Submission
		if err := c.ask(ctx, http.MethodPost, "/urls", text, &some); err != nil {
			return told, err
		}
		told = append(told, some...)
		urls = urls[n:]
	}
	return told, nil
}

// ask asks a question, and reads the answer to it.
func (c *Client) ask(ctx context.Context, method, path string, body []byte, to any) error {
	r, err := http.NewRequestWithContext(ctx, method, "http://crawl"+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return c.told(ctx, err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, mostAnswered))
	if err != nil {
		return c.told(ctx, err)
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
