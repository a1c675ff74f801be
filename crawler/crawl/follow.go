package crawl

import (
	"errors"
	"sync"

	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/trap"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
)

// Targets are the URLs that a page links to and that may belong to the crawl. They are
// collected so that one query to the store covers all of them.
type targets struct {
	text   []byte // text of the URLs
	all    []target
	prints []uint64 // fingerprints for the store
}

// A target is a URL that a page links to.
type target struct {
	url       weburl.URL // its text is overwritten later
	partition uint8
}

var someTargets = sync.Pool{New: func() any { return new(targets) }}

// free empties the targets and returns them to the pool.
func (t *targets) free() {
	const most = 64 << 10
	if cap(t.text) > most || cap(t.all) > most/64 {
		*t = targets{}
	}
	clear(t.all)
	t.text, t.all, t.prints = t.text[:0], t.all[:0], t.prints[:0]
	someTargets.Put(t)
}

// A linker adds links to outcomes: the links of pages, redirects and sitemaps that belong to
// the crawl.
type linker struct {
	scope      *Scope
	noSitemaps bool
	territory  *territory
	store      *store.Store
	sites      *sites
	tally      *tally
	log        *reporter
	send       func(*outcome) // commits an outcome
}

// follow adds the links of a page that the robot may follow.
func (lk *linker) follow(h *host, o *outcome, doc *page.Doc, d *page.Decision, u weburl.URL) {
	base := u
	if doc.Base != u.String() {
		if b, err := weburl.Exact.Parse(doc.Base); err == nil {
			base = b
		}
	}
	t := someTargets.Get().(*targets)
	defer t.free()
	depth := o.item.Depth + 1
	isUTF8 := doc.Charset.Name == "utf-8" || doc.Charset.Name == ""
	for _, l := range doc.Links {
		if l.Element == "link" && !follows(l.Rel) {
			continue
		}
		if !d.Link(l).Follow {
			lk.refused(h, o, result.Nofollow)
			continue
		}
		// If t.text is full, append moves the new text elsewhere. URLs collected before keep
		// the old memory.
		ref := l.URL
		if !isUTF8 {
			ref = weburl.EncodeQuery(ref, doc.Charset.Name)
		}
		text, url, refusal := weburl.Links.AppendResolved(t.text, base, ref)
		if refusal != weburl.None {
			lk.refused(h, o, refusedFor(refusal))
			continue
		}
		t.text = text
		lk.gather(h, o, t, url, depth)
	}
	for _, other := range []string{o.result.Canonical, doc.Original} {
		if other == "" || !d.Follow {
			continue
		}
		if url, err := weburl.Links.Resolve(u, other); err == nil {
			lk.gather(h, o, t, url, depth)
		}
	}
	lk.addAll(h, o, t, u, depth, h.endless.visited(u))
}

// refused counts a link that is not followed, unless the page was visited before: then its links
// are counted already.
func (lk *linker) refused(h *host, o *outcome, why result.Reason) {
	if !o.again {
		lk.tally.count(h, why)
	}
}

// follows reports whether a link element refers to a page.
func follows(rel []string) bool {
	for _, word := range rel {
		switch word {
		case "next", "prev", "alternate", "canonical", "help", "search", "author", "license", "index", "contents",
			"start", "up", "first", "last", "chapter", "section":
			return true
		}
	}
	return false
}

// gather adds a URL to the targets if the URL can belong to the crawl.
func (lk *linker) gather(h *host, o *outcome, t *targets, u weburl.URL, depth uint32) {
	partition := h.partition
	if u.Origin() != h.origin {
		// Most crawls refuse most links to other hosts, so check the territory first.
		if why := lk.territory.refuses(u, int(depth)); why != result.None && why != result.Excluded {
			lk.refused(h, o, why)
			return
		}
		if lk.territory.isForeign(u, h.origin) {
			lk.refused(h, o, result.RefusedAddress)
			return
		}
		partition = partitionOf(u)
	}
	t.all = append(t.all, target{u, partition})
	t.prints = append(t.prints, store.Fingerprint(partition, 0, u.String()))
}

// maxHops is the maximum number of links from a seed to a URL if the scope has no limit. From
// the eleventh link on (allHops), pagination links to a URL of the same shape do not count;
// maxTurns is their limit.
const (
	maxHops  = 20
	allHops  = 10
	maxTurns = 1000
)

// step sets the hints of an item from the path that leads to it. It returns TooDeep if the
// path is too long.
func (lk *linker) step(o *outcome, base, u weburl.URL, it *store.Item) result.Reason {
	n := turns(&o.item)
	if lk.scope.MaxDepth == 0 && it.Depth > allHops && it.Depth > o.item.Depth && u.Origin() == base.Origin() &&
		pathShape(u) == pathShape(base) {
		n++
	}
	if lk.scope.MaxDepth == 0 && (int(it.Depth)-n > maxHops || n > maxTurns) {
		return result.TooDeep
	}
	setHint(it, hintTurns, byte(n))
	setHint(it, hintTurnsHigh, byte(n>>8))
	if o.repeat != fresh {
		setHint(it, hintLead, 1)
	}
	return result.None
}

// leadsNowhere reports whether a URL would not be visited because the page that links to it
// repeats others. Such a URL is not recorded, because another page may still lead to it.
func (lk *linker) leadsNowhere(h *host, o *outcome, base, u weburl.URL) bool {
	if o.repeat == fresh {
		return false
	}
	if u.Origin() == h.origin {
		return h.yields.closed(u) != ""
	}
	return lk.sites.closed(u.Domain()) && u.Domain() == base.Domain()
}

// addAll adds the targets that belong to the crawl and are not yet known to the outcome. It
// also records the targets in leads, which may be nil.
func (lk *linker) addAll(h *host, o *outcome, t *targets, base weburl.URL, depth uint32, leads *dates) {
	lk.store.SeenLately(t.prints)
	for i, to := range t.all {
		u := to.url
		if t.prints[i] == 0 {
			leads.to(u)
			continue
		}
		why := lk.territory.refuses(u, int(depth))
		if why == result.None && trap.Check(u).Rule != trap.None {
			why = result.Trap
			lk.log.trap(h, why, u.String())
		}
		switch why {
		case result.None:
		case result.Trap, result.Excluded:
			if isSitemap(&o.item) {
				lk.refused(h, o, why)
				continue
			}
			// No other link can change the refusal, so the link is recorded. The reason is
			// counted when its result is written.
		default:
			lk.refused(h, o, why)
			continue
		}
		leads.to(u)
		it := store.Item{Partition: to.partition, Depth: depth, Via: o.item.URL, Priority: uint8(min(depth, 255))}
		if why == result.None {
			if why = lk.step(o, base, u, &it); why != result.None {
				lk.refused(h, o, why)
				lk.log.limit(h, why, u.String())
				continue
			}
			if lk.leadsNowhere(h, o, base, u) {
				lk.refused(h, o, result.Repetitive)
				continue
			}
		}
		it.URL = u.Clone().String()
		o.links = append(o.links, link{it, why})
	}
}

// add adds a single URL.
func (lk *linker) add(h *host, o *outcome, u weburl.URL, depth uint32) {
	t := someTargets.Get().(*targets)
	defer t.free()
	lk.gather(h, o, t, u, depth)
	lk.addAll(h, o, t, u, depth, nil)
}

// refusalOf returns the reason to refuse a URL without a canonical form.
func refusalOf(err error) result.Reason {
	e := (*weburl.Error)(nil)
	if !errors.As(err, &e) {
		return result.BadURL
	}
	return refusedFor(e.Refusal)
}

func refusedFor(r weburl.Refusal) result.Reason {
	switch r {
	case weburl.OtherScheme:
		return result.OtherScheme
	case weburl.TooLong:
		return result.TooLong
	}
	return result.BadURL
}

// redirect adds the target of a redirect to the links.
func (lk *linker) redirect(h *host, o *outcome, u weburl.URL, location string) result.Reason {
	o.result.Redirect = printable.Clipped(location, store.MaxURL)
	hops := hint(&o.item, hintRedirects) + 1
	if hops > maxRedirects {
		return result.Redirects
	}
	if target, err := weburl.Exact.Resolve(u, location); err != nil {
		lk.refused(h, o, refusalOf(err))
	} else if isSitemap(&o.item) {
		from := store.Item{URL: o.item.Via}
		o.links = lk.addSitemap(h, o, o.links, target.String(), &from, hint(&o.item, hintSitemap))
	} else {
		lk.add(h, o, target, o.item.Depth)
	}
	for i := range o.links {
		setHint(&o.links[i].item, hintRedirects, byte(hops))
		for _, which := range []int{hintLead, hintTurns, hintTurnsHigh} {
			setHint(&o.links[i].item, which, byte(hint(&o.item, which)))
		}
	}
	return result.Redirected
}
