package audit

import ()

// The thresholds of evidence.
const (
	// minRequests is the least number of requests of a suspect: with fewer, a person who opens links from
	// elsewhere looks the same.
	minRequests = 10
	// minPages and minPaths: a person's browser has the parts of one page in its cache, so reloads show
	// nothing; of ten pages with five paths, one has a part of its own.
	minPages = 10
	minPaths = 5
	// assetShare: one asset for 20 pages is a picture that was followed as a link.
	assetShare = 20
	// manyPages without an asset are enough alone: nobody reads a hundred pages of text in a browser
	// that shows no picture, and sites whose visitors load no parts do not come so far.
	manyPages = 100
	// minOthers: what other clients do is known of ten, and one in five of them must do it.
	minOthers  = 10
	otherShare = 5
	// minDocuments without any Referer: bookmarks and links in mails are a few.
	minDocuments = 20
)

// A behaviour is what the requests of a client add up to.
type behaviour struct {
	requests  int64
	pages     int64 // answers with content to GET for a page, to clients with a browser's name
	paths     int   // different ones of these pages
	assets    int64
	documents int64 // requests with GET or HEAD for pages, feeds and the like
	referred  int64 // of documents, those with a Referer
	rules     int64 // requests for robots.txt
}

func newBehaviour(entries []*entry) *behaviour {
	b := &behaviour{}
	var paths map[uint64]bool
	if len(entries) >= minPaths {
		paths = map[uint64]bool{}
	}
	for _, e := range entries {
		b.requests += e.count
		switch {
		case e.class == assetTarget:
			b.assets += e.count
		case e.class == rulesTarget:
			b.rules += e.count
		case e.isDocument():
			b.documents += e.count
			if e.referred {
				b.referred += e.count
			}
		}
		if e.isPage() {
			b.pages += e.count
			if paths != nil {
				paths[e.path] = true
			}
		}
	}
	b.paths = len(paths)
	return b
}

// isDocument reports whether an entry is for something that a person looks at or a robot reads.
func (e *entry) isDocument() bool {
	return (e.class == pageTarget || e.class == otherTarget) && (e.method == getMethod || e.method == headMethod)
}

// isPage reports whether an entry is a page that a browser would complete. Apps load no styles.
func (e *entry) isPage() bool {
	return e.class == pageTarget && e.method == getMethod && e.status == 2 && !e.app
}

// addressEvidence returns the evidence against a client by its address.
func (c *crowd) addressEvidence(b *behaviour, entries []*entry, others habits) (found []Evidence) {
	add := func(e Evidence, ok bool) {
		if ok {
			found = append(found, e)
		}
	}
	add(c.noStyles(b, entries, others))
	add(c.noReferrer(b, entries, others))
	if b.rules > 0 {
		lines := c.lines(filter(entries, func(e *entry) bool { return e.class == rulesTarget }))
		add(Evidence{Kind: "robots-txt", Figures: map[string]float64{"requests": float64(b.rules)}, Lines: lines}, true)
	}
	return found
}

// noStyles returns the evidence of pages without their parts.
func (c *crowd) noStyles(b *behaviour, entries []*entry, others habits) (Evidence, bool) {
	if b.pages < minPages || b.paths < minPaths || b.assets*assetShare > b.pages || others.loaders < minOthers || others.loaders*otherShare < others.viewers {
		return Evidence{}, false
	}
	return Evidence{
		Kind: "no-styles", Strong: b.paths >= manyPages && b.assets == 0,
		Figures: map[string]float64{"pages": float64(b.pages), "paths": float64(b.paths), "assets": float64(b.assets)},
		Lines:   c.lines(filter(entries, (*entry).isPage)),
	}, true
}

// noReferrer returns the evidence of documents without any Referer.
func (c *crowd) noReferrer(b *behaviour, entries []*entry, others habits) (Evidence, bool) {
	if b.documents < minDocuments || b.referred > 0 || others.referrers < minOthers || others.referrers*otherShare < others.readers {
		return Evidence{}, false
	}
	return Evidence{
		Kind: "no-referrer", Figures: map[string]float64{"requests": float64(b.documents)},
		Lines: c.lines(filter(entries, (*entry).isDocument)),
	}, true
}

func filter(entries []*entry, keep func(*entry) bool) (some []*entry) {
	for _, e := range entries {
		if keep(e) {
			some = append(some, e)
		}
	}
	return some
}
