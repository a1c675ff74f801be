package inquire

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/download"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
)

// A PageGetter gets pages to read what they say to robots. It is safe for concurrent use,
// and is not to be changed while it is in use.
type PageGetter struct {
	Transport http.RoundTripper
	UserAgent string
	Timeout   time.Duration // for a page with its redirects; 0 means a minute
	Options   page.Options
	Header    http.Header // taken as if the server had sent it too

	// Explain puts an error of fetching in the caller's words. Nil leaves it as it is.
	Explain func(error) error
}

// A Page is a page that was asked for, or why there is none. It is not to be modified.
type Page struct {
	URL       string   // after redirects
	Redirects []string // the URLs that were asked for before it
	Status    int      // 0 if no answer came
	Type      string   // the media type of Content-Type, without parameters
	Doc       *page.Doc
	Closed    bool  // URL was not asked for: no robot may fetch it
	Err       error // why the page could not be read; the Doc, if there is one, permits nothing
	Dropped   []int // numbers of the redirects whose answers had X-Robots-Tag, which does not count
}

// maxHops is how many redirects are followed, as fetch does for robots.txt.
const maxHops = 5

// Why a page could not be read.
var (
	textTooSlow = language.New(
		"it did not come within %[1]s",
		"no llegó en %[1]s",
		"%[1]s 안에 오지 않음",
		"она не пришла за %[1]s")
	textTooManyHops = language.New(
		"more than %[1]d redirects",
		"más de %[1]d ⟨redirección/redirecciones⟩",
		"리디렉션이 %[1]d회를 넘음",
		"больше %[1]d ⟨перенаправления/перенаправлений/перенаправлений⟩")
	textNotWeb = language.New(
		"%[1]s is no address of http or https",
		"%[1]s no es una dirección de http ni de https",
		"%[1]s: http나 https 주소가 아님",
		"%[1]s — не адрес http или https")
	errNoTarget = language.New(
		"it redirects to what is no URL",
		"redirige a algo que no es una URL",
		"URL이 아닌 곳으로 리디렉션함",
		"она перенаправляет на то, что не является URL").Err()
)

// Get gets the page of an absolute URL, whether robots may fetch it or not. It follows up
// to 5 redirects.
func (g *PageGetter) Get(ctx context.Context, url string) *Page {
	return g.get(ctx, url, func(string) (bool, error) { return true, nil })
}

// get gets the page of an absolute URL. Before each request it asks whether a robot may
// fetch the URL, and stops where none may.
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
			p.Err = textTooSlow.Err(timeout.String())
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

// visit asks for p.URL, and reads the page, or returns where it has moved.
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
		if g.Explain != nil {
			err = g.Explain(err)
		}
		return "", err
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
		decoded, err := download.Decoded(resp.Header, resp.Body, page.DefaultMaxSize+1) // one byte more shows that the page is cut
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

// An unreadable is a body that cannot be read.
type unreadable struct{ error }

func (e unreadable) Read([]byte) (int, error) { return 0, e.error }

// isHTML reports whether a media type may be that of a page of HTML. A page without a type
// may be one.
func isHTML(kind string) bool {
	return kind == "" || kind == "text/html" || kind == "application/xhtml+xml"
}

// Missing reports whether a server answered that there is no page.
func (p *Page) Missing() bool {
	empty := p.Status == http.StatusNoContent || p.Status == http.StatusResetContent
	return empty || p.Status != 0 && p.Status/100 != 2 && !p.failed()
}

// failed reports whether a server could not answer: 5xx, a status that asks to come again,
// 304 to a question that had no condition, or 206 to one for the whole page.
func (p *Page) failed() bool {
	switch p.Status {
	case http.StatusPartialContent, http.StatusNotModified, http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return p.Status >= 500
}

var (
	textRedirects = language.New("%[1]d ⟨redirect/redirects⟩ to %[2]s", "%[1]d ⟨redirección/redirecciones⟩ a %[2]s", "리디렉션 %[1]d회로 %[2]s에 도착", "%[1]d ⟨перенаправление/перенаправления/перенаправлений⟩ на %[2]s")
	textClosed    = language.New("which is closed by robots.txt", "que robots.txt cierra", "robots.txt로 차단된 주소", "который закрыт в robots.txt")
	textNotRead   = language.New("not read: %[1]s", "no se leyó: %[1]s", "읽지 못함: %[1]s", "не прочитано: %[1]s")
)

// String returns [Page.Sentence] in English.
func (p *Page) String() string { return p.sentence(language.English) }

// Sentence returns what came of asking for the page, in a few words such as "1 redirect to
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
