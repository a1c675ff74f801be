package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/download"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
)

// A pageGetter gets pages to read what they say to robots.
type pageGetter struct {
	transport *http.Transport
	userAgent string
	timeout   time.Duration // for a whole page
	options   page.Options
	header    http.Header // taken as if the server had sent it too
}

// A gotPage is a page, or why there is none.
type gotPage struct {
	url    string   // after redirects
	hops   []string // the URLs that were asked for before it
	status int      // 0 if no answer came
	kind   string   // what Content-Type calls it, without parameters
	doc    *page.Doc
	closed bool  // url was not asked for: nobody may
	err    error // why the page could not be read; the doc, if there is one, permits nothing

	dropped []int // numbers of the hops whose answers had X-Robots-Tag, which does not count
}

// mostHops is how many redirects are followed, as fetch does for robots.txt.
const mostHops = 5

// get gets the page of an absolute URL. Before each URL it asks whether anybody
// may fetch it, and stops where nobody may.
func (g *pageGetter) get(ctx context.Context, rawURL string, may func(url string) (bool, error)) *gotPage {
	timeout := g.timeout
	if timeout == 0 {
		timeout = time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	p := &gotPage{url: rawURL}
	for {
		open, err := may(p.url)
		if err != nil {
			p.err = err
			return p
		}
		if !open {
			p.closed = true
			return p
		}
		next, err := g.visit(ctx, p)
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			p.err = fmt.Errorf("it did not come within %v", timeout)
			return p
		case err != nil:
			p.err = err
			return p
		case next == "":
			return p
		case len(p.hops) == mostHops:
			p.err = fmt.Errorf("more than %d redirects", mostHops)
			return p
		}
		p.hops = append(p.hops, p.url)
		p.url = next
	}
}

// visit asks for p.url, and reads the page, or returns where it has moved.
func (g *pageGetter) visit(ctx context.Context, p *gotPage) (next string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url, nil)
	if err != nil {
		return "", err
	}
	if req.URL.Scheme != "http" && req.URL.Scheme != "https" || req.URL.Host == "" {
		return "", fmt.Errorf("%s is no address of http or https", shown(p.url))
	}
	req.URL.User = nil
	req.Header.Set("User-Agent", g.userAgent)
	req.Header.Set("Accept", "text/html, application/xhtml+xml, */*;q=0.5")
	resp, err := g.transport.RoundTrip(req)
	if err != nil {
		return "", explainFetch(err)
	}
	defer resp.Body.Close()
	p.status = resp.StatusCode
	if location := resp.Header.Get("Location"); resp.StatusCode/100 == 3 && location != "" {
		to, err := req.URL.Parse(location)
		if err != nil {
			return "", errors.New("it redirects to what is no URL")
		}
		to.Fragment = ""
		if len(resp.Header.Values("X-Robots-Tag")) > 0 {
			p.dropped = append(p.dropped, len(p.hops)+1)
		}
		return to.String(), nil
	}
	o := g.options
	o.Header, o.URL, o.Status = resp.Header.Clone(), req.URL, resp.StatusCode
	for name, values := range g.header {
		o.Header[name] = append(o.Header[name], values...)
	}
	var body io.Reader
	if p.kind, _, err = mime.ParseMediaType(resp.Header.Get("Content-Type")); err != nil {
		p.kind = ""
	}
	if p.failed() {
		p.doc, _ = page.Read(nil, o)
		return "", p.doc.Err
	}
	if isHTML(p.kind) && !p.missing() {
		decoded, err := download.Decoded(resp.Header, resp.Body, page.DefaultMaxSize+1) // one byte more shows that the page is cut
		if err != nil {
			o.Status = 0
			p.doc, err = page.Read(unreadable{err}, o)
			return "", err
		}
		defer decoded.Close()
		body = decoded
	}
	p.doc, err = page.Read(body, o)
	return "", err
}

// An unreadable is a body that cannot be read.
type unreadable struct{ error }

func (e unreadable) Read([]byte) (int, error) { return 0, e.error }

// isHTML reports whether what a server calls so may be a page of HTML: what it
// does not name, may be one.
func isHTML(kind string) bool {
	return kind == "" || kind == "text/html" || kind == "application/xhtml+xml"
}

// missing reports whether a server answered that there is no page.
func (p *gotPage) missing() bool {
	empty := p.status == http.StatusNoContent || p.status == http.StatusResetContent
	return empty || p.status != 0 && p.status/100 != 2 && !p.failed()
}

// failed reports whether a server could not answer: 5xx, a status that asks to come again,
// 304 to a question that had no condition, or 206 to one for the whole page.
func (p *gotPage) failed() bool {
	switch p.status {
	case http.StatusPartialContent, http.StatusNotModified, http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return p.status >= 500
}

// text returns what came, in a few words.
func (p *gotPage) text(l language.Language) string {
	var parts []string
	if len(p.hops) > 0 {
		parts = append(parts, textRedirectsTo.In(l, len(p.hops), shown(p.url)))
	}
	switch {
	case p.closed:
		parts = append(parts, textClosedByRobots.In(l))
	case p.err != nil:
		parts = append(parts, textNotRead.In(l, printable.Text(p.err.Error())))
	default:
		parts = append(parts, fmt.Sprint(p.status))
		if !isHTML(p.kind) {
			parts = append(parts, shown(p.kind))
		}
	}
	return strings.Join(parts, ", ")
}

// absolute reports whether s is a URL with a scheme and a host.
func absolute(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme != "" && u.Host != ""
}
