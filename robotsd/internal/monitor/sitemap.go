package monitor

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/http/download"
	"github.com/robotsexclusion/robots/internal/http/fault"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/sitemap"
)

// A Sitemap is the answer to a request for a sitemap that robots.txt names.
type Sitemap struct {
	URL      string    `json:"url"`
	Status   int       `json:"status,omitempty"`  // 0 without an answer
	Type     string    `json:"type,omitempty"`    // the media type of Content-Type
	Size     int64     `json:"size"`              // the bytes that were read
	Entries  int       `json:"entries"`           // the pages or sitemaps that it names
	Modified time.Time `json:"modified,omitzero"` // Last-Modified
	Fault    string    `json:"fault,omitempty"`   // a status, or a word such as "html"
	Detail   string    `json:"detail,omitempty"`  // of the fault
}

// The faults of sitemaps that are not statuses, in Finding.After. Stored: never change a word.
const (
	sitemapFailed    = "failed"    // there is no answer, or not all of it
	sitemapHTML      = "html"      // an HTML page
	sitemapEmpty     = "empty"     // it names nothing
	sitemapMalformed = "malformed" // it is not a sitemap, or not well-formed
	sitemapLarge     = "large"     // it has more bytes or entries than the protocol allows
)

const (
	maxSitemaps    = 50       // of a site that are watched: the first ones
	sitemapsAtOnce = 5        // requests for sitemaps in a look
	maxSitemapURL  = 2000     // bytes
	maxSitemapSize = 50 << 20 // bytes (sitemaps.org, "Sitemap index files")
	maxEntries     = 50_000   // in a sitemap, by the same rule
	sitemapTime    = time.Minute

	// sitemapRate is how many bytes a second the watch reads of a sitemap on average. After an
	// answer of 600 KiB a sitemap rests for ten minutes, the usual time between two looks.
	sitemapRate = 1 << 10
)

// A sitemapPast is what a Looker remembers of a sitemap.
type sitemapPast struct {
	last           Sitemap
	asked, restsTo time.Time
	etag, modified string // validators of last, if it is sound
	faults         int    // the answers with a fault since the last sound one
}

// unsure reports whether a fault is to be confirmed soon.
func (p *sitemapPast) unsure() bool { return p.faults == 1 }

// sitemapsOf returns the URLs of the sitemaps that are watched.
func sitemapsOf(p *robots.Policy) (urls []string) {
	for _, s := range p.Sitemaps() {
		u := *s.URL
		u.User, u.Fragment = nil, ""
		text := u.String()
		if (u.Scheme == "http" || u.Scheme == "https") && len(text) <= maxSitemapURL && !slices.Contains(urls, text) {
			if urls = append(urls, text); len(urls) == maxSitemaps {
				break
			}
		}
	}
	return urls
}

// sitemaps requests sitemaps that robots.txt names: all of them, or the few that were not requested
// for longest, those with a new fault first. The others rest.
func (l *Looker) sitemaps(ctx context.Context, o *Observation, all bool) {
	if o.File.State != fetch.OK || o.File.Unusable != "" && o.File.Unusable != Cut {
		return
	}
	past := l.pastOf(o.Origin, sitemapsOf(o.Policy))
	order := slices.Clone(past)
	slices.SortStableFunc(order, func(a, b *sitemapPast) int {
		switch {
		case a.unsure() == b.unsure():
			return a.asked.Compare(b.asked)
		case a.unsure():
			return -1
		}
		return 1
	})
	start, asked := time.Now(), 0
	for _, p := range order {
		now := time.Now()
		switch {
		case !o.NotBefore.IsZero():
			o.Skipped = append(o.Skipped, p.last.URL)
		case now.Before(p.restsTo) && !p.unsure(), !all && asked == sitemapsAtOnce, now.Sub(start) > sitemapTime:
		default:
			asked++
			l.askSitemap(ctx, o, p)
			if p.faults++; p.last.Fault == "" {
				p.faults = 0
			}
			continue
		}
		o.resting = append(o.resting, p.last.URL)
	}
	for _, p := range past {
		if !p.asked.Before(start) {
			o.Sitemaps = append(o.Sitemaps, p.last)
			if p.last.Fault != "" {
				o.Findings = append(o.Findings, Finding{Kind: BadSitemap, Severity: Warning, Subject: p.last.URL,
					Before: p.last.Detail, After: p.last.Fault})
			}
		}
	}
}

// pastOf returns what is remembered of the sitemaps of a site, and forgets the others of the site.
func (l *Looker) pastOf(origin string, urls []string) []*sitemapPast {
	l.mu.Lock()
	defer l.mu.Unlock()
	old := l.past[origin]
	past := make([]*sitemapPast, 0, len(urls))
	for _, u := range urls {
		i := slices.IndexFunc(old, func(p *sitemapPast) bool { return p.last.URL == u })
		if i < 0 {
			past = append(past, &sitemapPast{last: Sitemap{URL: u}})
		} else {
			past = append(past, old[i])
		}
	}
	if l.past == nil {
		l.past = make(map[string][]*sitemapPast)
	}
	if l.past[origin] = past; len(past) == 0 {
		delete(l.past, origin)
	}
	return past
}

// askSitemap requests a sitemap.
func (l *Looker) askSitemap(ctx context.Context, o *Observation, p *sitemapPast) {
	ctx, cancel := context.WithTimeout(ctx, sitemapTime)
	defer cancel()
	p.asked = time.Now()
	w := &witness{origin: o.Origin}
	request, err := http.NewRequestWithContext(watched(ctx, w), http.MethodGet, p.last.URL, nil)
	if err != nil {
		p.fail(err)
		return
	}
	request.Header.Set("User-Agent", l.UserAgent)
	for name, value := range map[string]string{"If-None-Match": p.etag, "If-Modified-Since": p.modified} {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	answer, err := (&http.Client{Transport: l.transport, CheckRedirect: fewRedirects}).Do(request)
	if err != nil {
		p.fail(err)
		return
	}
	defer answer.Body.Close()
	if _, _, retryAfter := w.seen(); retryAfter > 0 {
		if origin, err := fetch.Origin(answer.Request.URL.String()); err == nil && origin == o.Origin {
			o.NotBefore = time.Now().UTC().Truncate(time.Millisecond).Add(retryAfter)
		}
	}
	if answer.StatusCode == http.StatusNotModified && p.etag+p.modified != "" {
		return // as before, and sound
	}
	p.etag, p.modified = "", ""
	p.read(answer)
	p.restsTo = time.Now().Add(time.Duration(p.last.Size) * time.Second / sitemapRate)
	if p.last.Fault == "" {
		p.etag, p.modified = short(answer.Header.Get("Etag")), short(answer.Header.Get("Last-Modified"))
	}
}

var errSlow = fmt.Errorf("timeout: no whole answer within %s", sitemapTime)

// short returns a validator, or "" if it is too long to be kept.
func short(validator string) string {
	if len(validator) > 200 {
		return ""
	}
	return validator
}

// fewRedirects lets a client follow as many redirects as of a robots.txt.
func fewRedirects(_ *http.Request, via []*http.Request) error {
	if len(via) > 5 {
		return errors.New("more than 5 redirects")
	}
	return nil
}

// fail notes that there is no answer.
func (p *sitemapPast) fail(err error) {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // without the URL
	}
	text := fault.Of(err).Error()
	if refused, ok := errors.AsType[*fetch.RefusedError](err); ok {
		text = refusedCause(refused)
	} else if errors.Is(err, context.DeadlineExceeded) {
		text = errSlow.Error()
	}
	p.etag, p.modified = "", ""
	p.last = Sitemap{URL: p.last.URL, Fault: sitemapFailed, Detail: printable.Clipped(text, 300)}
}

// read reads an answer.
func (p *sitemapPast) read(answer *http.Response) {
	s := Sitemap{URL: p.last.URL, Status: answer.StatusCode}
	defer func() { p.last = s }()
	if kind, _, err := mime.ParseMediaType(answer.Header.Get("Content-Type")); err == nil && len(kind) <= maxShown {
		s.Type = kind
	}
	if t, err := http.ParseTime(answer.Header.Get("Last-Modified")); err == nil {
		s.Modified = t.UTC()
	}
	if answer.StatusCode/100 != 2 {
		s.Fault = strconv.Itoa(answer.StatusCode)
		return
	}
	body, err := download.Decoded(answer.Header, answer.Body, 2*maxSitemapSize)
	if err != nil {
		s.Fault, s.Detail = sitemapMalformed, printable.Clipped(err.Error(), 300)
		return
	}
	defer body.Close()
	counted := &countingReader{from: body}
	text := bufio.NewReader(counted)
	head, _ := text.Peek(1024)
	isHTML := strings.HasPrefix(http.DetectContentType(head), "text/html") ||
		bytes.Contains(bytes.ToLower(head), []byte("<html"))
	for _, err := range sitemap.Read(text, sitemap.Options{MaxSize: maxSitemapSize, MaxEntries: maxEntries}) {
		switch {
		case err == nil:
			s.Entries++
		case s.Fault != "", errors.Is(err, sitemap.ErrURL), errors.Is(err, sitemap.ErrLongURL):
		case errors.Is(err, context.DeadlineExceeded):
			s.Fault, s.Detail = sitemapFailed, errSlow.Error()
		case errors.Is(err, sitemap.ErrLimit):
			s.Fault = sitemapLarge
		case errors.Is(err, sitemap.ErrNotSitemap) && isHTML:
			s.Fault = sitemapHTML
		case errors.Is(err, sitemap.ErrNotSitemap) && counted.n == 0:
			s.Fault = sitemapEmpty
		default:
			s.Fault, s.Detail = sitemapMalformed, printable.Clipped(err.Error(), 300)
		}
	}
	if s.Size = counted.n; s.Fault == "" && s.Entries == 0 {
		s.Fault = sitemapEmpty
	}
}

// A countingReader counts what is read.
type countingReader struct {
	from io.Reader
	n    int64
}

// Read implements [io.Reader].
func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += int64(n)
	return n, err
}
