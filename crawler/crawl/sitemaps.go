package crawl

import (
	"errors"
	"net/url"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/internal/http/download"
	"github.com/robotsexclusion/robots/sitemap"
)

// Indexes of the hints of an item, which say how the crawl came to the item and whether the item
// is a sitemap. They are stored: never renumber.
const (
	hintRedirects = 0
	hintSitemap   = 1 // 1 for a sitemap, and one more for each sitemap index on the way to it
	hintLead      = 2 // 1 if the item was found on a page that repeats others
	hintTurns     = 3 // how often the way turned the page of a list, from the eleventh link on, modulo 256
	hintTurnsHigh = 4 // the same, divided by 256
)

func hint(it *store.Item, which int) int {
	if which >= len(it.Hints) {
		return 0
	}
	return int(it.Hints[which])
}

// setHint sets a hint. Zeros at the end are not stored.
func setHint(it *store.Item, which int, value byte) {
	if value == 0 && which >= len(it.Hints) {
		return
	}
	for len(it.Hints) <= which {
		it.Hints = append(it.Hints, 0)
	}
	it.Hints[which] = value
}

// isLead reports whether an item was found on a page that repeats others.
func isLead(it *store.Item) bool { return hint(it, hintLead) != 0 }

// turns returns how many links of the way to an item turned the page of a list.
func turns(it *store.Item) int { return hint(it, hintTurns) | hint(it, hintTurnsHigh)<<8 }

func isSitemap(it *store.Item) bool { return hint(it, hintSitemap) != 0 }

// maxSitemapLevel is the maximum length of a chain of sitemaps. An index may not list an index
// (sitemaps.org), but some do.
const maxSitemapLevel = 3

// mostSitemaps is the maximum number of sitemaps of one robots.txt.
const mostSitemaps = 100

// sitemapTypes are the media types of sitemaps, including compressed ones.
var sitemapTypes = append(download.DefaultTypes(), "application/gzip", "application/x-gzip", "application/octet-stream")

// largestSitemap is the maximum size of a sitemap in bytes (sitemaps.org).
const largestSitemap = 50 << 20

// sitemaps returns the sitemaps of a policy, as links from robots.txt. Their URLs should be
// absolute. A path is resolved, because it is only a lead; a word without a dot and a slash is not
// a path.
func (lk *linker) sitemaps(h *host, p *robots.Policy) (links []link) {
	if lk.noSitemaps || lk.scope.Reach == List || lk.scope.MaxDepth < 0 {
		return nil
	}
	from := store.Item{URL: h.origin + "/robots.txt"}
	base, err := url.Parse(from.URL)
	for _, s := range p.Records("sitemap") {
		if len(links) == mostSitemaps || err != nil {
			break
		}
		u, err := base.Parse(s.Value)
		if err == nil && u.Host != "" && strings.ContainsAny(s.Value, "./") {
			links = lk.addSitemap(h, new(outcome), links, u.String(), &from, 1)
		}
	}
	return links
}

// addSitemap adds a sitemap to links. The robots.txt of the sitemap's own host decides whether it
// may be fetched.
func (lk *linker) addSitemap(h *host, o *outcome, links []link, url string, from *store.Item, level int) []link {
	if level > maxSitemapLevel {
		lk.refused(h, o, result.TooDeep)
		lk.log.limit(h, result.TooDeep, url)
		return links
	}
	u, err := weburl.Exact.Parse(url)
	if err != nil {
		lk.refused(h, o, refusalOf(err))
		return links
	}
	if lk.territory.isForeign(u, h.origin) {
		lk.refused(h, o, result.RefusedAddress)
		return links
	}
	return append(links, link{item: store.Item{Partition: partitionOf(u), URL: u.String(), Via: from.URL,
		Hints: []byte{hintSitemap: byte(level)}}})
}

// What is in Line.Truncated if a sitemap was not read to its end.
const (
	truncatedEntries = "entries"    // it has too many entries
	truncatedLength  = "length"     // it has too many bytes
	truncatedEnd     = "unfinished" // its end is missing
)

// mostEntries is the number of entries of a sitemap that are read, twice the limit of sitemaps.org.
const mostEntries = 100_000

// Limits of a portion of a sitemap's entries, which are committed together: a sitemap can have more
// entries than should be in memory. All portions are committed before the visit of the sitemap, so
// after a kill it is read again, and its entries are in the queue once.
const (
	portionLinks = 1000
	portionBytes = 128 << 10
)

// readSitemap adds the entries of a sitemap to the outcome of its visit, or to outcomes before it.
// A sitemap may list URLs in its own folder, and all URLs of the host whose robots.txt names the
// sitemap or its index. Entries that the URL alone refuses are counted, and not kept.
func (lk *linker) readSitemap(h *host, o *outcome, x *download.Exchange) result.Reason {
	robotsFile := o.item.Via
	site := strings.TrimSuffix(robotsFile, "robots.txt") // the host whose robots.txt led here
	why, entries, unread := result.None, 0, false
	t := someTargets.Get().(*targets)
	defer t.free()
	size := 0
	base, _ := weburl.Exact.Parse(o.item.URL)
	add := func() {
		lk.addAll(h, o, t, base, 1, nil)
		clear(t.all)
		t.all, t.prints, size = t.all[:0], t.prints[:0], 0
		if lk.send != nil && len(o.links) > 0 {
			lk.send(&outcome{links: o.links, portion: true})
			o.links = nil
		}
	}
	for entry, err := range sitemap.Read(x.Body.Reader(), sitemap.Options{MaxEntries: mostEntries}) {
		if unread { // more followed
			o.result.BadEntries++
			unread = false
		}
		if err != nil {
			switch {
			case errors.Is(err, sitemap.ErrNotSitemap):
				why = result.Unsuitable
			case errors.Is(err, sitemap.ErrLimit) && entries+o.result.BadEntries >= mostEntries:
				cut(o.result, truncatedEntries)
			case errors.Is(err, sitemap.ErrLimit):
				cut(o.result, truncatedLength)
			case errors.Is(err, sitemap.ErrURL), errors.Is(err, sitemap.ErrLongURL):
				o.result.BadEntries++
			default:
				unread = true
			}
			continue
		}
		entries++
		if len(t.all) >= portionLinks || size >= portionBytes || len(o.links) >= portionLinks {
			add()
		}
		var named []string
		if strings.HasPrefix(entry.URL, site) {
			named = []string{o.item.URL}
		}
		if entry.Kind == sitemap.Sitemap {
			if sitemap.MayIndex(o.item.URL, entry.URL, named) {
				from := store.Item{URL: robotsFile}
				o.links = lk.addSitemap(h, o, o.links, entry.URL, &from, hint(&o.item, hintSitemap)+1)
			}
			continue
		}
		if !sitemap.MayList(o.item.URL, entry.URL, named) {
			lk.refused(h, o, result.OutOfScope)
			continue
		}
		if u, err := weburl.Links.Parse(entry.URL); err != nil {
			lk.refused(h, o, refusalOf(err))
		} else {
			size += len(u.String())
			lk.gather(h, o, t, u, 1)
		}
	}
	add()
	if unread {
		cut(o.result, truncatedEnd)
	}
	if o.result.Truncated != "" {
		lk.log.Info("a sitemap is not read to its end", "origin", h.origin, "reason", o.result.Truncated, "url",
			o.item.URL)
	}
	return why
}
