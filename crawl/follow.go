package crawl

import (
	"errors"
	"sync"

	"github.com/robotsexclusion/robots/crawl/internal/store"
	"github.com/robotsexclusion/robots/crawl/internal/trap"
	"github.com/robotsexclusion/robots/crawl/result"
	"github.com/robotsexclusion/robots/internal/weburl"
	"github.com/robotsexclusion/robots/page"
)

// Targets are the URLs to which a page leads, as far as they belong to the crawl. They
// are gathered, so that the store is asked for all at once.
type targets struct {
	text   []byte // of the URLs
	all    []target
	prints []uint64 // by which the store may know them
}

// A target is a URL to which a page leads.
type target struct {
	url       weburl.URL // whose text is overwritten later
	partition uint8
}

var someTargets = sync.Pool{New: func() any { return new(targets) }}

// free empties the targets, for others.
func (t *targets) free() {
	const most = 64 << 10
	if cap(t.text) > most || cap(t.all) > most/64 {
		*t = targets{}
	}
	clear(t.all)
	t.text, t.all, t.prints = t.text[:0], t.all[:0], t.prints[:0]
	someTargets.Put(t)
}

// A linker adds links to outcomes: those of pages, of redirects and of sitemaps, as far as
// they belong to the crawl.
type linker struct {
	scope      *Scope
	noSitemaps bool
	territory  *territory
	traps      *trap.Rules
	form       *weburl.Form // of links
	redirects  *weburl.Form // of redirects
	store      *store.Store
	sites      *sites
	tally      *tally
	log        *reporter
}

// follow adds the links of a page that may be followed.
func (lk *linker) follow(h *host, o *outcome, doc *page.Doc, d *page.Decision, u weburl.URL) {
	base := u
	if doc.Base != u.String() {
		if b, err := lk.redirects.Parse(doc.Base); err == nil {
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
			lk.tally.count(h, result.Nofollow)
			continue
		}
		// Where there is no room for one more the text goes elsewhere, and what
		// was gathered stays where it is.
		ref := l.URL
		if !isUTF8 {
			ref = weburl.EncodeQuery(ref, doc.Charset.Name)
		}
		text, url, refusal := lk.form.AppendResolved(t.text, base, ref)
		if refusal != weburl.None {
			lk.tally.count(h, refusedFor(refusal))
			continue
		}
		t.text = text
		lk.gather(h, t, url, depth)
	}
	for _, other := range []string{o.result.Canonical, doc.Original} {
		if other == "" || !d.Follow {
			continue
		}
		if url, err := lk.form.Resolve(u, other); err == nil {
			lk.gather(h, t, url, depth)
		}
	}
	lk.addAll(h, o, t, u, depth, h.endless.visited(u))
}

// follows reports whether a link element leads to a page.
func follows(rel []string) bool {
	for _, word := range rel {
		switch word {
		case "next", "prev", "alternate", "canonical", "help", "search", "author", "license", "index", "contents", "start", "up", "first", "last", "chapter", "section":
			return true
		}
	}
	return false
}

// gather puts a URL to the others, if it can belong to the crawl.
func (lk *linker) gather(h *host, t *targets, u weburl.URL, depth uint32) {
	partition := h.partition
	if u.Origin() != h.origin {
		// Most links to elsewhere do not belong to most crawls.
		if why := lk.territory.refuses(u, int(depth)); why != result.None && why != result.Excluded {
			lk.tally.count(h, why)
			return
		}
		partition = partitionOf(u)
	}
	t.all = append(t.all, target{u, partition})
	t.prints = append(t.prints, store.Fingerprint(partition, 0, u.String()))
}

// maxHops is how many links away from a seed a URL is at most if the scope does not say.
// Links that turn the page of a list, to a URL of the same shape, do not count there, from
// the eleventh link on, but there are no more than so many of them.
const (
	maxHops  = 20
	allHops  = 10
	maxTurns = 1000
)

// step gives an item what its way to it adds up to. It returns TooDeep where that is
// too long.
func (lk *linker) step(o *outcome, base, u weburl.URL, it *store.Item) result.Reason {
	n := turns(&o.item)
	if lk.scope.MaxDepth == 0 && it.Depth > allHops && it.Depth > o.item.Depth && u.Origin() == base.Origin() && pathShape(u) == pathShape(base) {
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

// leadsNowhere reports whether a URL would not be visited, because a page that repeats
// others leads to it: then it is not even noted, as another page may lead to it.
func (lk *linker) leadsNowhere(h *host, o *outcome, base, u weburl.URL) bool {
	if o.repeat == fresh {
		return false
	}
	if u.Origin() == h.origin {
		return h.yields.closed(u) != ""
	}
	return lk.sites.closed(u.Domain()) && u.Domain() == base.Domain()
}

// addAll adds what was gathered to what came of a visit, as far as it belongs to the crawl
// and is not known. Leads, which may be nil, notes it as where a page leads.
func (lk *linker) addAll(h *host, o *outcome, t *targets, base weburl.URL, depth uint32, leads *dates) {
	lk.store.SeenLately(t.prints)
	for i, to := range t.all {
		u := to.url
		if t.prints[i] == 0 {
			leads.to(u)
			continue
		}
		why := lk.territory.refuses(u, int(depth))
		if why == result.None && lk.traps.Check(u).Rule != trap.None {
			why = result.Trap
			lk.log.trap(h, why, u.String())
		}
		switch why {
		case result.None:
		case result.Trap, result.Excluded:
			// Whatever leads there, it will not be visited: it is counted when it is told.
		default:
			lk.tally.count(h, why)
			continue
		}
		leads.to(u)
		it := store.Item{Partition: to.partition, Depth: depth, Via: o.item.URL, Priority: uint8(min(depth, 255))}
		if why == result.None {
			if why = lk.step(o, base, u, &it); why != result.None {
				lk.tally.count(h, why)
				lk.log.limit(h, why, u.String())
				continue
			}
			if lk.leadsNowhere(h, o, base, u) {
				lk.tally.count(h, result.Repetitive)
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
	lk.gather(h, t, u, depth)
	lk.addAll(h, o, t, u, depth, nil)
}

// refusalOf returns the reason for a URL that has no canonical form.
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
