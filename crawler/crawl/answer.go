package crawl

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/internal/http/download"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
)

// read handles an answer.
func (v *visitor) read(h *host, u weburl.URL, known store.Entry, x *download.Exchange, now time.Time) {
	it := known.Item
	o := &outcome{item: it, what: eventDone, again: known.Done, state: store.State{
		Fetched: x.Times.Start, Status: uint16(x.Status), ETag: x.ETag, LastModified: x.LastModified,
	}}
	r := newResult(&it)
	o.result = r
	r.Status, r.FetchedAt, r.MediaType, r.Octets = x.Status, x.Times.Start, printable.Clipped(x.MediaType, 200),
		x.Body.Size()
	r.Address = x.Addr.Addr().String()
	if h.isIgnored(it.URL) {
		r.RobotsIgnored = h.proof
	}
	if x.Truncated != download.Whole {
		r.Truncated = x.Truncated.String()
	}
	if h.isRetried(u, &it, x) {
		o.what, o.due, o.result = eventDefer, h.pace.Wait(v.config.pauses(), now).At, nil
		v.archiver.keep(o, r, known, x)
		v.committer.commit(h, o)
		return
	}
	why := v.answers.read(h, o, u, known, x)
	if why == result.Broken && x.Err != nil {
		r.Error = printable.Clipped(x.Err.Error(), 500)
	}
	v.archiver.keep(o, r, known, x)
	if o.what == eventDone {
		v.answers.schedule(o, known)
	}
	if why != result.None {
		v.tally.count(h, why)
		r.Reason = why
	}
	v.committer.commit(h, o)
}

// isRetried reports whether a URL is requested again because of an answer: the server cannot answer
// now, or the body broke off.
func (h *host) isRetried(u weburl.URL, it *store.Item, x *download.Exchange) bool {
	refused := isRefusal(x.Status)
	if refused || x.Status >= 500 {
		return !h.row.lost && !(refused && h.row.isSuspect(u)) &&
			(it.Tries+1 < maxTries || refused && it.Tries+1 < maxRefusals)
	}
	return isBroken(x) && it.Tries+1 < maxTries
}

// An answerReader reads the answers that are not retried. It adds links and states to their
// outcomes. Several goroutines may use one answerReader, each for another host.
type answerReader struct {
	*stopper
	config   *Config
	tokens   []string
	linker   *linker
	comparer comparer
	sites    *sites
	log      *reporter
}

// read reads an answer by its status and type. It returns the reason for the result, or None.
func (a *answerReader) read(h *host, o *outcome, u weburl.URL, known store.Entry, x *download.Exchange) result.Reason {
	switch {
	case isRefusal(x.Status) || x.Status >= 500:
		return result.ServerError
	case isBroken(x) && known.Done:
		o.state = known.State
		o.state.Fetched = x.Times.Start
		return result.Broken
	case isBroken(x):
		o.what = eventDrop
		return result.Broken
	case x.NotModified:
		o.state.Digest, o.state.Simhash = known.State.Digest, known.State.Simhash
		o.state.ETag, o.state.LastModified = cmp.Or(x.ETag, known.State.ETag), cmp.Or(x.LastModified,
			known.State.LastModified)
		return result.NotModified
	case x.Location != "":
		why := a.linker.redirect(h, o, u, x.Location)
		if why == result.Redirected {
			a.noteLead(h, o, u, same)
		}
		return why
	case x.Status == http.StatusNotFound || x.Status == http.StatusGone:
		return result.NotFound
	case x.Status >= 400:
		return result.ClientError
	case x.TypeRefused:
		return result.Unsuitable
	case x.Status >= 300:
		return result.ClientError
	case isSitemap(&o.item):
		o.state.Digest = bytes.Clone(x.Digest[:])
		return a.linker.readSitemap(h, o, x)
	}
	return a.readPage(h, o, u, known, x)
}

// isBroken reports whether the body of a page broke off, or could not be decoded. Such a request
// does not count as a visit: the missing part may have rules for robots. A body that was cut by a
// limit of the crawl counts as one.
func isBroken(x *download.Exchange) bool {
	if x.Status < 200 || x.Status >= 300 || x.TypeRefused {
		return false
	}
	return x.Truncated == download.Disconnect || x.Truncated == download.Broken
}

// readPage reads the rules for robots and the links of a page. It returns the reason for the
// result, or None.
func (a *answerReader) readPage(h *host, o *outcome, u weburl.URL, known store.Entry,
	x *download.Exchange) result.Reason {
	body, err := x.Body.Bytes()
	if err != nil {
		a.fail(err)
		return result.Failed
	}
	o.state.Digest = bytes.Clone(x.Digest[:])
	html := x.MediaType == "" || x.MediaType == "text/html" || x.MediaType == "application/xhtml+xml"
	var reader io.Reader // nil if the body is not HTML: then only the header counts
	sketch := someSketches.Get().(*sketch)
	defer someSketches.Put(sketch)
	if html {
		reader = bytes.NewReader(body)
		sketch.draw(body)
		o.state.Simhash = sketch.digest
	}
	options := page.Options{Header: x.Header, MaxLinks: a.config.MaxLinks, AsWritten: true}
	if options.MaxLinks <= 0 {
		options.MaxLinks = defaultLinks
	}
	options.URL, _ = url.Parse(u.String())
	doc, err := page.Read(reader, options)
	if err != nil {
		return result.Failed
	}
	d := doc.For(a.tokens...)
	describe(o.result, doc, d, u)
	o.dynamic = doc.Dynamic
	if !html {
		sketch = nil
	}
	why := a.followPage(h, o, u, known, x, sketch, doc, d)
	if a.config.OnPage != nil {
		line := *o.result
		line.Reason = why
		a.config.OnPage(&Page{Line: line, Header: x.Header, Body: body, Doc: doc,
			Verdict: d.Under(h.group.Match(u.String()))})
	}
	return why
}

// followPage adds the links of a page to its outcome. It returns NotModified or Duplicate for a
// page that says nothing new, or None. The sketch is nil if the body is not HTML.
func (a *answerReader) followPage(h *host, o *outcome, u weburl.URL, known store.Entry, x *download.Exchange, s *sketch,
	doc *page.Doc, d *page.Decision) result.Reason {
	if known.Done {
		a.linker.follow(h, o, doc, d, u)
		if sameContent(known.State.Digest, o.state.Digest) {
			return result.NotModified
		}
		return result.None
	}
	o.repeat = a.comparer.compare(h, u, x.Digest[:], s)
	a.linker.follow(h, o, doc, d, u)
	a.noteLead(h, o, u, o.repeat)
	if o.repeat >= copied && (o.repeat != near || o.state.Simhash != 0) {
		return result.Duplicate
	}
	return result.None
}

var someSketches = sync.Pool{New: func() any { return new(sketch) }}

// A comparer compares pages with those of their host and site.
type comparer struct {
	pages   *fingerprints
	phrases *phrases
}

// compare returns how much a page repeats others of its host or site, and remembers the page.
// The sketch is nil if the body is not HTML.
func (k *comparer) compare(h *host, u weburl.URL, digest []byte, s *sketch) repeat {
	r := fresh
	folder := u.Origin() + u.Pathname()[:strings.LastIndexByte(u.Pathname(), '/')+1]
	inFolder := !k.phrases.add(mix(binary.LittleEndian.Uint64(digest) ^ hashOf(folder)))
	switch seen := !k.pages.add(digest); {
	case seen && inFolder:
		return copied
	case seen:
		r = same
	}
	if s == nil {
		return r
	}
	isNear := slices.ContainsFunc(h.similar, func(digest uint64) bool { return near64(digest, s.digest) })
	isFormed := s.form != 0 && slices.Contains(h.forms, s.form)
	all := k.phrases.addAll(hashOf(u.Domain()), s)
	if s.digest != 0 && r != same {
		h.similar = remember(h.similar, s.digest)
		h.forms = remember(h.forms, s.form)
	}
	if isNear {
		r = max(r, near)
	} else if isFormed {
		r = max(r, known)
	}
	return max(r, all)
}

// noteLead adds a visited URL to the accounts of its shapes. A page that repeats others counts
// only if it links to new URLs: the copy of a site ends.
func (a *answerReader) noteLead(h *host, o *outcome, u weburl.URL, r repeat) {
	it := &o.item
	if r != fresh && !slices.ContainsFunc(o.links, func(l link) bool { return l.refused == result.None }) {
		return
	}
	if isLead(it) && h.counts.pages <= youngPages {
		h.yields.site = a.sites.note(u.Domain(), r)
	}
	if closed, ok := h.yields.note(u, isLead(it), r); ok {
		a.log.shape(h, closed, it.URL)
	}
}

// remember adds a digest to the digests of the last pages.
func remember(digests []uint64, digest uint64) []uint64 {
	if len(digests) == maxSimilar {
		digests = append(digests[:0], digests[1:]...)
	}
	return append(digests, digest)
}

// schedule sets the time of the next visit to a page, in a continuous crawl.
func (a *answerReader) schedule(o *outcome, known store.Entry) {
	if a.config.Revisits == nil {
		return
	}
	changed := known.Done && !sameContent(known.State.Digest, o.state.Digest)
	o.state.Interval = a.config.Revisits.next(known.State.Interval, changed, o.dynamic)
	o.state.Due = o.state.Fetched.Add(o.state.Interval)
}
