package ask

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/http/download"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
)

// A PageGetter gets pages for their directives to robots. A PageGetter is safe for concurrent
// use. Do not change it while it is in use.
type PageGetter struct {
	Transport http.RoundTripper
	UserAgent string
	Timeout   time.Duration // limits a page including redirects; 0 means a minute
	Options   page.Options
	Header    http.Header // added to the headers that the server sent

	// Explain rewrites an error of fetching for the caller's users. Nil leaves errors
	// unchanged.
	Explain func(error) error
}

// A Page is a requested page, or the reason why there is none. Do not modify a Page.
type Page struct {
	URL       string   // after redirects
	Redirects []string // the URLs requested before URL
	Status    int      // 0 without an answer
	Type      string   // the media type of Content-Type, without parameters
	Doc       *page.Doc
	Closed    bool  // URL was not requested: no robot may fetch URL
	Err       error // why the page could not be read; the Doc, if there is one, permits nothing
	Dropped   []int // numbers of the redirects whose X-Robots-Tag was ignored, starting at 1
}

// maxHops is the maximum number of redirects, as in package fetch for robots.txt.
const maxHops = 5

// Why a page could not be read.
var (
	textTooSlow     = language.New("timeout: no whole answer within %[1]s")
	textTooManyHops = language.New("more than %[1]d redirects")
	textNotWeb      = language.New("%[1]s is not an http or https address")
	errNoTarget     = language.New("its redirect is not a URL").Err()
)

// Get gets the page of an absolute URL, whether or not robots may fetch it. Get follows up to 5
// redirects. An error is in the Err of the page.
func (g *PageGetter) Get(ctx context.Context, url string) *Page {
	return g.get(ctx, url, func(string) (bool, error) { return true, nil })
}

// get gets the page of an absolute URL. Before each request get calls may, and stops if no
// robot may fetch the URL.
func (g *PageGetter) get(ctx context.Context, rawURL string, may func(url string) (bool, error)) *Page {
	timeout := g.Timeout
	if timeout == 0 {
		timeout = time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	p := &Page{URL: rawURL}
	for {
		open, err := may(p.URL)
		if err != nil {
			p.Err = err
			return p
		}
		if !open {
			p.Closed = true
			return p
		}
		next, err := g.visit(ctx, p)
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			p.Err = g.explained(&tooSlow{textTooSlow.With(timeout.String())})
			return p
		case err != nil:
			p.Err = err
			return p
		case next == "":
			return p
		case len(p.Redirects) == maxHops:
			p.Err = textTooManyHops.Err(maxHops)
			return p
		}
		p.Redirects = append(p.Redirects, p.URL)
		p.URL = next
	}
}

// A tooSlow error says that the time for a page has passed.
type tooSlow struct{ language.Message }

func (e *tooSlow) Error() string { return e.In(language.English) }

// Timeout returns true, which makes a tooSlow error a timeout for [net.Error].
func (e *tooSlow) Timeout() bool { return true }

// explained returns an error for the caller's users.
func (g *PageGetter) explained(err error) error {
	if g.Explain == nil {
		return err
	}
	return g.Explain(err)
}

// visit requests p.URL. It reads the page, or returns the target of a redirect.
func (g *PageGetter) visit(ctx context.Context, p *Page) (next string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL, nil)
	if err != nil {
		return "", err
	}
	if req.URL.Scheme != "http" && req.URL.Scheme != "https" || req.URL.Host == "" {
		return "", textNotWeb.Err(printable.Shown(p.URL))
	}
	req.URL.User = nil
	req.Header.Set("User-Agent", g.UserAgent)
	req.Header.Set("Accept", "text/html, application/xhtml+xml, */*;q=0.5")
	resp, err := g.Transport.RoundTrip(req)
	if err != nil {
		return "", g.explained(err)
	}
	defer resp.Body.Close()
	p.Status = resp.StatusCode
	if location := resp.Header.Get("Location"); resp.StatusCode/100 == 3 && location != "" {
		to, err := req.URL.Parse(location)
		if err != nil {
			return "", errNoTarget
		}
		to.Fragment = ""
		if len(resp.Header.Values("X-Robots-Tag")) > 0 {
			p.Dropped = append(p.Dropped, len(p.Redirects)+1)
		}
		return to.String(), nil
	}
	o := g.Options
	o.Header, o.URL, o.Status = resp.Header.Clone(), req.URL, resp.StatusCode
	for name, values := range g.Header {
		o.Header[name] = append(o.Header[name], values...)
	}
	var body io.Reader
	if p.Type, _, err = mime.ParseMediaType(resp.Header.Get("Content-Type")); err != nil {
		p.Type = ""
	}
	if p.failed() {
		p.Doc, _ = page.Read(nil, o)
		return "", p.Doc.Err
	}
	if isHTML(p.Type) && !p.Missing() {
		// one byte more shows that the page is cut
		decoded, err := download.Decoded(resp.Header, resp.Body, page.DefaultMaxSize+1)
		if err != nil {
			o.Status = 0
			p.Doc, err = page.Read(unreadable{err}, o)
			return "", err
		}
		defer decoded.Close()
		body = decoded
	}
	p.Doc, err = page.Read(body, o)
	return "", err
}

// An unreadable is a body that returns an error.
type unreadable struct{ error }

func (e unreadable) Read([]byte) (int, error) { return 0, e.error }

// isHTML reports whether a media type may be that of an HTML page. "" may be one too.
func isHTML(kind string) bool {
	return kind == "" || kind == "text/html" || kind == "application/xhtml+xml"
}

// Missing reports whether a server answered that the page does not exist.
func (p *Page) Missing() bool {
	empty := p.Status == http.StatusNoContent || p.Status == http.StatusResetContent
	return empty || p.Status != 0 && p.Status/100 != 2 && !p.failed()
}

// failed reports whether a server failed to answer: 5xx, a status that asks for a retry, 304 to
// an unconditional request, or 206 to a request for the whole page.
func (p *Page) failed() bool {
	switch p.Status {
	case http.StatusPartialContent, http.StatusNotModified, http.StatusRequestTimeout, http.StatusTooEarly,
		http.StatusTooManyRequests:
		return true
	}
	return p.Status >= 500
}

var (
	textRedirects = language.New("%[1]d ⟨redirect/redirects⟩ to %[2]s")
	textClosed    = language.New("which is closed by robots.txt")
	textNotRead   = language.New("not read: %[1]s")
)

// Sentence describes the outcome of the request for the page in a few words, such as "1 redirect to
// https://example.com/b, 404". The language is that of [page.Decision.Sentence].
func (p *Page) Sentence(languageCode string) string { return p.sentence(language.Parse(languageCode)) }

func (p *Page) sentence(l language.Language) string {
	var parts []string
	if n := len(p.Redirects); n > 0 {
		parts = append(parts, textRedirects.In(l, n, printable.Shown(p.URL)))
	}
	switch {
	case p.Closed:
		parts = append(parts, textClosed.In(l))
	case p.Err != nil:
		parts = append(parts, textNotRead.In(l, printable.Text(language.Explain(l, p.Err))))
	default:
		parts = append(parts, strconv.Itoa(p.Status))
		if !isHTML(p.Type) {
			parts = append(parts, printable.Shown(p.Type))
		}
	}
	return strings.Join(parts, ", ")
}
