package feed

import (
	"errors"
	"mime"
	"net/url"
	"slices"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/page"
)

// A fate is what happens to a page in the index.
type fate uint8

const (
	stays   fate = iota // unchanged, in the index or not
	leaves              // removed from the index
	arrives             // added, if the answer can be read
)

// fateOf returns the fate of the page in a line.
func fateOf(l *result.Line) fate {
	switch l.Reason {
	case result.None, result.Duplicate: // may be a near duplicate; reading the page shows whether it is an exact one
		switch {
		case l.Index == nil: // a sitemap
			return stays
		case *l.Index && slices.Contains(texts, l.MediaType):
			return arrives
		}
		return leaves
	case result.NotModified:
		if l.Index != nil && !*l.Index {
			return leaves // the new header may differ from the earlier one
		}
	case result.NotFound, result.Redirected, result.Redirects, result.Unsuitable, result.Disallowed:
		return leaves
	case result.ClientError:
		switch l.Status {
		case 408, 421, 425, 429: // the page may be available later
			return stays
		}
		if l.Status >= 400 {
			return leaves
		}
	}
	return stays
}

// texts are the media types that are indexed. An answer without a type counts as HTML,
// as in the crawler.
var texts = []string{"", "text/html", "application/xhtml+xml", plainText}

const plainText = "text/plain"

var (
	errLong      = errors.New("the line of the results is too long")
	errNoLine    = errors.New("the line of the results is none that a crawl writes")
	errNoArchive = errors.New("the answer was not archived: crawl again with an archive")
)

// take applies a line. The error comes from the index.
func (f *Feeder) take(text []byte) error {
	if text == nil {
		f.pass(errLong, "")
		return nil
	}
	l, err := result.Parse(text)
	if err != nil {
		f.pass(errNoLine, "")
		return nil
	}
	u, err := url.Parse(l.URL)
	if _, wrong := weburl.Links.Parse(l.URL); err != nil || wrong != nil {
		f.pass(errNoLine, l.URL)
		return nil
	}
	switch fateOf(&l) {
	case leaves:
		return f.remove(l.URL, l.FetchedAt, &f.status.Removed)
	case arrives:
		if l.Archive == "" {
			f.pass(errNoArchive, l.URL)
			return nil
		}
		p, err := f.page(&l, u)
		if err != nil {
			f.pass(err, l.URL)
			return nil
		}
		return f.put(p)
	}
	return nil
}

// page returns the page of a line.
func (f *Feeder) page(l *result.Line, u *url.URL) (*index.Page, error) {
	x, err := f.archive.answer(l.Archive, l.Offset, l.URL)
	if err != nil {
		return nil, err
	}
	options := page.Options{Header: x.header, URL: u}
	source := index.Source{Language: x.header.Get("Content-Language")}
	if source.Plain = l.MediaType == plainText; source.Plain {
		_, parameters, _ := mime.ParseMediaType(x.header.Get("Content-Type"))
		source.Charset = parameters["charset"]
	}
	p, _, err := index.Read(l.URL, x.body, options, source, f.options.Robot...)
	if err != nil {
		return nil, err
	}
	p.ETag, p.FetchedAt = x.header.Get("ETag"), l.FetchedAt
	p.Canonical = canonicalOf(p)
	p.Links = canonicalLinks(p.Links)
	return p, nil
}

// canonicalOf returns the canonical URL that a page names, in the form that the crawl
// uses, or "" if the page names none, an invalid one or its own.
func canonicalOf(p *index.Page) string {
	u, err := weburl.Links.Parse(p.Canonical)
	if p.Canonical == "" || err != nil || u.String() == p.URL {
		return ""
	}
	return u.String()
}

// canonicalLinks returns links with URLs in the form that the crawl uses.
func canonicalLinks(links []index.Link) []index.Link {
	kept := links[:0]
	for _, l := range links {
		if u, err := weburl.Links.Parse(l.URL); err == nil {
			kept = append(kept, index.Link{URL: u.String(), Text: l.Text})
		}
	}
	return kept
}

// put adds a page, unless another page stands for it.
func (f *Feeder) put(p *index.Page) error {
	if p.NoIndex {
		return f.remove(p.URL, p.FetchedAt, &f.status.Removed)
	}
	instead, removed, err := f.target.Put(p)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.status.Left += int64(len(removed)); instead == "" {
		f.status.Indexed++
	} else {
		f.status.Left++
	}
	return nil
}

// remove removes a page, and counts it if the index had it.
func (f *Feeder) remove(url string, at time.Time, n *int64) error {
	there, err := f.target.Remove(url, at)
	if there {
		f.add(n)
	}
	return err
}
