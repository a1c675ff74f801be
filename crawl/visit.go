package crawl

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robotsexclusion/robots/crawl/internal/pace"
	"github.com/robotsexclusion/robots/crawl/internal/store"
	"github.com/robotsexclusion/robots/crawl/result"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/download"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/weburl"
	"github.com/robotsexclusion/robots/page"
)

// An outcome is the result of one visit, or of a step beside the visits: the changes to
// commit, and the line to write to the results.
type outcome struct {
	item    store.Item
	what    event // eventDone, eventDrop or eventDefer; 0 for outcomes without an item, such as seeds
	state   store.State
	due     time.Time // of eventDefer
	host    *host     // whose state changed, or nil
	blob    []byte    // the state of host
	links   []link
	result  *result.Line // the line to write, or nil
	dynamic bool         // the page says that it changes
	again   bool         // the URL was visited before
	after   func() error // called once all earlier outcomes are committed, or nil
	repeat  repeat       // how much the page repeats others; if it does, its links are leads
}

// A link is a URL that was found.
type link struct {
	item    store.Item
	refused result.Reason // why the URL is not visited, or None; written once for each URL
}

// Limits of pages, queues and retries.
const (
	defaultLinks = 5000 // links of a page
	ahead        = 8    // items taken from a queue at once
	aheadSlow    = 2    // the same, for a host whose last batch took a second or longer
	maxRedirects = 10   // redirects on the way to a URL
	maxTries     = 3    // tries of a URL whose request fails
	maxRefusals  = 10   // tries of a URL whose host asks to come again
	maxSimilar   = 64   // pages of a host that a page is compared with

	// shortText is the maximum size in bytes of a robots.txt whose policy stays in memory while
	// its host waits. For longer ones fetch has a bounded cache.
	shortText = 4096
)

// A visitor visits URLs of leased hosts. Several goroutines may use one visitor, each for
// another host.
type visitor struct {
	*stopper
	config    *Config
	tokens    []string
	redirects *weburl.Form
	client    *download.Client
	robots    *robotsFetcher
	shard     *shard
	linker    *linker
	committer *committer
	archiver  *archiver
	comparer  comparer
	sites     *sites
	tally     *tally
	log       *reporter

	pages, bytes atomic.Int64 // fetched by this run
}

// A comparer compares pages with those of their host and site.
type comparer struct {
	pages   *fingerprints
	phrases *phrases
}

// turn handles one turn of a leased host: it makes one request at most, and handles all items
// before it that need no request.
func (v *visitor) turn(ctx context.Context, h *host) {
	now := time.Now()
	answer, hop := v.shard.frontier.next(h)
	if answer != nil {
		v.obey(ctx, h, answer)
		v.release(h)
		return
	}
	if h.last {
		v.lastTurn(ctx, h)
		return
	}
	if w := h.pace.Wait(&v.config.Manners, now); w.Until(now) > 0 {
		v.shard.frontier.release(h, w.At, w)
		return
	}
	if (hop || !v.hasRules(ctx, h, now)) && !v.updateRules(ctx, h, hop, now) {
		return // the host is parked or released
	}
	v.visitNext(ctx, h)
}

// updateRules makes a hop, or updates the policy of a leased host. It reports whether the turn goes
// on. Otherwise updateRules has parked or released the host.
func (v *visitor) updateRules(ctx context.Context, h *host, hop bool, now time.Time) bool {
	// A request for robots.txt takes a place at the address like any other.
	addr := v.addressOf(ctx, h)
	if addr.IsValid() && v.shard.frontier.park(h, addr) {
		return false
	}
	done := true
	if hop {
		v.makeHop(ctx, h)
	} else {
		asked, ok := v.askRobots(ctx, h)
		done = asked || !ok
	}
	if done || h.pace.Wait(&v.config.Manners, now).Until(now) > 0 {
		v.release(h)
		return false
	}
	return true
}

// visitNext visits the first item of a leased host that may be requested, drops the items before it,
// and releases or parks the host.
func (v *visitor) visitNext(ctx context.Context, h *host) {
	for {
		if len(h.queue) == 0 && !v.fill(h) {
			return // fill has released the host
		}
		known := h.queue[0]
		it := known.Item
		u, err := v.redirects.Parse(it.URL)
		if err != nil || ctx.Err() != nil {
			v.putBack(h)
			v.release(h)
			return
		}
		if why, shape := v.refuses(h, &it, u); why != result.None {
			h.queue = h.queue[1:]
			v.dropShape(h, it, why, shape)
			continue
		}
		if v.overBudget() {
			v.putBack(h)
			v.release(h)
			v.stop(errBudget)
			return
		}
		addr := v.address(ctx, u)
		if addr.IsValid() && v.shard.frontier.park(h, addr) {
			return
		}
		h.queue, h.asked = h.queue[1:], false
		v.visit(ctx, h, known, u)
		v.release(h)
		return
	}
}

// release ends the lease of a host. The host is due when its pace allows the next request.
func (v *visitor) release(h *host) {
	if h.long {
		h.group = nil
	}
	w := h.pace.Wait(&v.config.Manners, time.Now())
	v.shard.frontier.release(h, w.At, w)
}

// putBack releases the items that were taken ahead to the store.
func (v *visitor) putBack(h *host) {
	for _, known := range h.queue {
		v.shard.store.Release(known.Item)
	}
	h.queue = nil
}

// fill takes items from the host's queue. If no item is due, fill releases the host and returns
// false.
func (v *visitor) fill(h *host) bool {
	now := time.Now()
	n := aheadSlow
	if now.Sub(h.filled) < time.Second {
		n = ahead
	}
	h.filled = now
	items, err := v.shard.store.Next(h.partition, h.origin, now, n)
	if err != nil {
		v.fail(err)
	}
	if len(items) > 0 {
		h.queue = items
		return true
	}
	h.asked = false // no page waits for robots.txt
	at := now.Add(time.Hour)
	if s, ok, err := v.shard.store.Host(h.partition, h.origin); err != nil {
		v.fail(err)
	} else if ok && s.Queued > 0 {
		// Items that are out count as due until their outcomes are committed.
		at = later(s.FirstDue, now.Add(100*time.Millisecond))
	}
	w := h.pace.Wait(&v.config.Manners, now)
	v.shard.frontier.release(h, later(at, w.At), w)
	return false
}

// hasRules reports whether the rules of a host are known well enough for its next request: they
// are fresh, or from the host's last request, after which a page had to wait for the host's pause.
// Otherwise a host whose pauses are longer than its robots.txt stays fresh would be asked for
// nothing else.
func (v *visitor) hasRules(ctx context.Context, h *host, now time.Time) bool {
	if !h.asked {
		return h.group != nil && now.Before(h.fresh)
	}
	if h.group == nil { // too long to stay in memory
		e, err := v.robots.cache.Get(ctx, h.origin)
		if err != nil || e == nil || e.State != fetch.OK {
			return false
		}
		h.group = e.File.Policy.For(v.tokens...)
	}
	return true
}

// askRobots updates the policy of a host. It reports whether it made a request, and whether the
// host has a policy in force.
func (v *visitor) askRobots(ctx context.Context, h *host) (asked, ok bool) {
	now := time.Now()
	r, p, err := v.robots.fetch(ctx, h, &hop{of: h})
	if p != nil {
		v.committer.saveHost(h) // the request is over
		v.queueHop(p)
		return true, false
	}
	asked = r.Source == fetch.Fetched || r.Source == fetch.Revalidated || r.Source == fetch.Stale && r.CheckedAt.After(now)
	return asked, v.obey(ctx, h, &robotsAnswer{r, err, asked})
}

// A robotsAnswer is the outcome of a fetch of robots.txt.
type robotsAnswer struct {
	result fetch.Result
	err    error
	asked  bool // a request was made, so the result is new
}

// obey puts an answer in force for its host. It reports whether the host has a policy in force.
func (v *visitor) obey(ctx context.Context, h *host, a *robotsAnswer) (ok bool) {
	now, r, err := time.Now(), a.result, a.err
	switch refused := (*fetch.RefusedError)(nil); {
	case errors.As(err, &refused):
		v.giveUp(h, result.RefusedAddress)
		return false
	case err != nil:
		if ctx.Err() == nil {
			v.log.Warn("robots.txt", "origin", h.origin, "error", err)
			h.pace.Close(now.Add(time.Minute))
		}
		v.committer.saveHost(h)
		return false
	case r.CacheErr != nil:
		v.log.Warn("robots.txt is not kept", "origin", h.origin, "error", r.CacheErr)
	}
	known := h.long && !a.asked && r.FreshUntil.Equal(h.fresh)
	h.group, h.fresh, h.asked = r.Policy.For(v.tokens...), r.FreshUntil, a.asked
	h.long = r.File != nil && r.File.Size > shortText
	h.pace.Obey(h.group)
	if r.State != fetch.Unreachable || r.Source == fetch.Stale {
		if !known {
			v.committer.commit(h, &outcome{links: v.linker.sitemaps(h, r.Policy)})
		}
		return true
	}
	// Nothing is allowed for now; robots.txt is fetched again later.
	h.group, h.asked = nil, false
	if r.Failures > v.config.maxFailures() && !h.isRevisited(v.config) {
		v.giveUp(h, result.Unreachable)
		return false
	}
	h.pace.Close(r.FreshUntil)
	v.log.closed(h, r.FreshUntil, r.Failures, r.Cause)
	v.committer.saveHost(h)
	return false
}

// giveUp drops the queue of a host.
func (v *visitor) giveUp(h *host, why result.Reason) {
	v.committer.saveHost(h) // the queue may be empty, and then no drop saves the host
	n := 0
	defer func() { v.log.givenUp(h, why, n) }()
	for {
		items := h.queue
		if h.queue = nil; len(items) == 0 {
			var err error
			if items, err = v.shard.store.Next(h.partition, h.origin, time.Now().Add(100*365*24*time.Hour), 1000); err != nil {
				v.fail(err)
				return
			}
		}
		if len(items) == 0 {
			return
		}
		for _, known := range items {
			v.drop(h, known.Item, why, nil)
		}
		n += len(items)
	}
}

// drop drops an item that is not visited.
func (v *visitor) drop(h *host, it store.Item, why result.Reason, err error) {
	r := newResult(&it)
	if err != nil {
		r.Error = printable.Clipped(err.Error(), 500)
	}
	v.dropResult(h, it, why, r)
}

// dropShape drops an item. shape is the closed shape that refuses it, or "".
func (v *visitor) dropShape(h *host, it store.Item, why result.Reason, shape string) {
	r := newResult(&it)
	r.Shape = shape
	v.dropResult(h, it, why, r)
}

func (v *visitor) dropResult(h *host, it store.Item, why result.Reason, r *result.Line) {
	switch why {
	case result.Trap:
		v.log.trap(h, why, it.URL)
	case result.HostBudget:
		v.log.limit(h, why, it.URL)
	}
	v.tally.count(h, why)
	r.Reason = why
	v.committer.commit(h, &outcome{item: it, what: eventDrop, result: r})
}

// refuses returns why a URL must not be requested, as far as this is known before the request,
// and the closed shape if the URL is refused because of one.
func (v *visitor) refuses(h *host, it *store.Item, u weburl.URL) (why result.Reason, shape string) {
	switch {
	case !h.group.Allowed(u.String()):
		return result.Disallowed, ""
	case h.counts.pages >= v.config.Budget.hostPages(), v.config.Budget.HostBytes > 0 && h.counts.bytes >= v.config.Budget.HostBytes:
		return result.HostBudget, ""
	case h.endless.refuses(u):
		return result.Trap, ""
	case !isLead(it):
		return result.None, ""
	}
	if shape = h.yields.closed(u); shape != "" {
		return result.Repetitive, shape
	}
	if domain := u.Domain(); h.counts.pages < youngPages && v.sites.closed(domain) {
		return result.Repetitive, "*." + printable.Clipped(domain, maxName)
	}
	return result.None, ""
}

func (v *visitor) overBudget() bool {
	return v.config.Budget.Pages > 0 && v.pages.Load() >= v.config.Budget.Pages || v.config.Budget.Bytes > 0 && v.bytes.Load() >= v.config.Budget.Bytes
}

// visit makes one request, and handles the outcome.
func (v *visitor) visit(ctx context.Context, h *host, known store.Entry, u weburl.URL) {
	it := known.Item
	r := download.Request{URL: it.URL, ETag: known.State.ETag, LastModified: known.State.LastModified, KeepSent: v.archiver.writer != nil}
	if isSitemap(&it) {
		r.Types, r.MaxBody = sitemapTypes, largestSitemap
	}
	v.committer.begin(h)
	x, err := v.client.Do(ctx, r)
	now := time.Now()
	if err != nil {
		v.failed(ctx, h, known, err, now)
		return
	}
	defer x.Close()
	v.committer.end(h, now, pace.Outcome{Status: x.Status, RetryAfter: x.RetryAfter, Took: x.Times.FirstByte, Cancelled: ctx.Err() != nil})
	h.counts.pages++
	h.counts.bytes += x.Body.Size()
	v.pages.Add(1)
	v.bytes.Add(x.Body.Size())
	if h.failures++; !isRefusal(x.Status) {
		h.failures = 0
	}
	v.read(h, u, known, x, now)
	if h.isLost(v.config) {
		v.giveUp(h, result.ServerError)
	}
}

// isRefusal reports whether a status says that the host wants no requests now.
func isRefusal(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// isLost reports whether the requests for pages of a host have failed, or were refused, so often
// in a row that the rest of its queue is dropped. A continuous crawl keeps the queue: it never
// ends, and the pauses of the host grow to a day.
func (h *host) isLost(c *Config) bool {
	return c.Revisits == nil && h.failures > max(c.maxFailures(), maxTries)
}

// isRevisited reports whether a continuous crawl has fetched a page of a host. Such a host keeps its
// queue while its robots.txt is unreachable. RFC 9309, section 2.3.1.4, forbids requests meanwhile,
// but the outage of an hour must not end the revisits of a site for ever. After 30 days package fetch
// reports robots.txt as unavailable, and the queue is visited.
func (h *host) isRevisited(c *Config) bool { return c.Revisits != nil && h.counts.pages > 0 }

// failed handles a failed request.
func (v *visitor) failed(ctx context.Context, h *host, known store.Entry, err error, now time.Time) {
	it := known.Item
	failure := download.Protocol
	if e := (*download.Error)(nil); errors.As(err, &e) {
		failure = e.Failure
	}
	if failure == download.Canceled || ctx.Err() != nil {
		v.committer.end(h, now, pace.Outcome{Cancelled: true})
		h.queue = append([]store.Entry{known}, h.queue...)
		v.putBack(h)
		return
	}
	why := result.Failed
	switch failure {
	case download.Refused:
		v.committer.end(h, now, pace.Outcome{Cancelled: true})
		v.drop(h, it, result.RefusedAddress, err)
		return
	case download.Local:
		v.fail(err)
		return
	case download.Stale:
		// The host is not to blame: the request was not made.
		v.committer.end(h, now, pace.Outcome{Cancelled: true})
		h.queue = append([]store.Entry{known}, h.queue...)
		return
	case download.NoHost, download.DNS, download.Connect, download.TLS, download.Timeout:
		why = result.Unreachable
	}
	v.committer.end(h, now, pace.Outcome{})
	h.failures++
	if h.isLost(v.config) {
		v.drop(h, it, why, err)
		v.giveUp(h, result.Unreachable)
		return
	}
	if it.Tries+1 >= maxTries {
		v.drop(h, it, why, err)
		return
	}
	v.committer.commit(h, &outcome{item: it, what: eventDefer, due: h.pace.Wait(&v.config.Manners, now).At})
}

// read handles an answer.
func (v *visitor) read(h *host, u weburl.URL, known store.Entry, x *download.Exchange, now time.Time) {
	it := known.Item
	o := &outcome{item: it, what: eventDone, again: known.Done, state: store.State{
		Fetched: x.Times.Start, Status: uint16(x.Status), ETag: x.ETag, LastModified: x.LastModified,
	}}
	r := newResult(&it)
	o.result = r
	r.Status, r.FetchedAt, r.MediaType, r.Octets = x.Status, x.Times.Start, printable.Clipped(x.MediaType, 200), x.Body.Size()
	r.Address = x.Addr.Addr().String()
	if x.Truncated != download.Whole {
		r.Truncated = x.Truncated.String()
	}
	if v.isRetried(h, &it, x) {
		o.what, o.due, o.result = eventDefer, h.pace.Wait(&v.config.Manners, now).At, nil
		v.archiver.keep(o, r, known, x)
		v.committer.commit(h, o)
		return
	}
	why := v.readAnswer(h, o, u, known, x)
	if why == result.Redirected {
		v.noteLead(h, o, u, same)
	}
	v.archiver.keep(o, r, known, x)
	if o.what == eventDone {
		v.schedule(o, known)
	}
	if why != result.None {
		v.tally.count(h, why)
		r.Reason = why
	}
	v.committer.commit(h, o)
}

// isRetried reports whether a URL is requested again because of an answer: the server cannot answer
// now, or the body broke off.
func (v *visitor) isRetried(h *host, it *store.Item, x *download.Exchange) bool {
	refused := isRefusal(x.Status)
	if refused || x.Status >= 500 {
		return !h.isLost(v.config) && (it.Tries+1 < maxTries || refused && it.Tries+1 < maxRefusals)
	}
	return isBroken(x) && it.Tries+1 < maxTries
}

// readAnswer reads an answer by its status and type, and adds the links and the state to the outcome.
// It returns the reason for the result, or None.
func (v *visitor) readAnswer(h *host, o *outcome, u weburl.URL, known store.Entry, x *download.Exchange) result.Reason {
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
		o.state.ETag, o.state.LastModified = cmp.Or(x.ETag, known.State.ETag), cmp.Or(x.LastModified, known.State.LastModified)
		return result.NotModified
	case x.Location != "":
		return v.linker.redirect(h, o, u, x.Location)
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
		return v.linker.readSitemap(h, o, x)
	}
	return v.readPage(h, o, u, known, x)
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

// redirect adds the target of a redirect to the links.
func (lk *linker) redirect(h *host, o *outcome, u weburl.URL, location string) result.Reason {
	o.result.Redirect = printable.Clipped(location, store.MaxURL)
	hops := hint(&o.item, hintRedirects) + 1
	if hops > maxRedirects {
		return result.Redirects
	}
	if target, err := lk.redirects.Resolve(u, location); err != nil {
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

// readPage reads the rules for robots and the links of a page. It returns the reason for the
// result, or None.
func (v *visitor) readPage(h *host, o *outcome, u weburl.URL, known store.Entry, x *download.Exchange) result.Reason {
	body, err := x.Body.Bytes()
	if err != nil {
		v.fail(err)
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
	options := page.Options{Header: x.Header, MaxLinks: v.config.MaxLinks, AsWritten: true}
	if options.MaxLinks <= 0 {
		options.MaxLinks = defaultLinks
	}
	options.URL, _ = url.Parse(u.String())
	doc, err := page.Read(reader, options)
	if err != nil {
		return result.Failed
	}
	d := doc.For(v.tokens...)
	describe(o.result, doc, d, u)
	o.dynamic = doc.Dynamic

	if known.Done {
		v.linker.follow(h, o, doc, d, u)
		if sameContent(known.State.Digest, o.state.Digest) {
			return result.NotModified
		}
		return result.None
	}
	if !html {
		sketch = nil
	}
	o.repeat = v.comparer.compare(h, u, x.Digest[:], sketch)
	v.linker.follow(h, o, doc, d, u)
	v.noteLead(h, o, u, o.repeat)
	if o.repeat >= copied && (o.repeat != near || o.state.Simhash != 0) {
		return result.Duplicate
	}
	return result.None
}

var someSketches = sync.Pool{New: func() any { return new(sketch) }}

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
func (v *visitor) noteLead(h *host, o *outcome, u weburl.URL, r repeat) {
	it := &o.item
	if r != fresh && !slices.ContainsFunc(o.links, func(l link) bool { return l.refused == result.None }) {
		return
	}
	if isLead(it) && h.counts.pages <= youngPages {
		h.yields.site = v.sites.note(u.Domain(), r)
	}
	if closed, ok := h.yields.note(u, isLead(it), r); ok {
		v.log.shape(h, closed, it.URL)
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
func (v *visitor) schedule(o *outcome, known store.Entry) {
	if v.config.Revisits == nil {
		return
	}
	changed := known.Done && !sameContent(known.State.Digest, o.state.Digest)
	o.state.Interval = v.config.Revisits.next(known.State.Interval, changed, o.dynamic)
	o.state.Due = o.state.Fetched.Add(o.state.Interval)
}
