package crawl

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/pace"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/internal/http/download"
	"github.com/robotsexclusion/robots/internal/printable"
)

// An outcome is the result of one visit, or of a step beside the visits: the changes to
// commit, and the line to write to the results.
type outcome struct {
	item     store.Item
	what     event // eventDone, eventDrop or eventDefer; 0 for outcomes without an item, such as seeds
	state    store.State
	due      time.Time // of eventDefer
	host     *host     // whose state changed, or nil
	blob     []byte    // the state of host
	links    []link
	portion  bool         // of the links of a sitemap
	result   *result.Line // the line to write, or nil
	dynamic  bool         // the page says that it changes
	again    bool         // the URL was visited before
	after    func() error // called once all earlier outcomes are committed, or nil
	requeued bool         // the item of eventDefer was not in the queue
	inbox    uint64       // position in an inbox of the batch that has the links, or 0
	inboxOf  uint8        // its partition
	tenure   uint64       // of that partition
	repeat   repeat       // how much the page repeats others; if it does, its links are leads
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

	// askAgain is how long a host waits if no request may begin because the worker has not heard
	// from the others for a while.
	askAgain = 100 * time.Millisecond

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
	client    *download.Client
	own       *download.Client // for seeds on this machine
	owners    *ownership       // nil if no robots.txt is ignored
	robots    *robotsFetcher
	shard     *shard
	linker    *linker
	committer *committer
	archiver  *archiver
	answers   answerReader
	sites     *sites
	tally     *tally
	log       *reporter
	purse     *purse // nil if the crawl is alone

	pages, bytes atomic.Int64 // fetched by this run
}

// turn handles one turn of a leased host: it makes one request at most, and handles all items
// before it that need no request.
func (v *visitor) turn(ctx context.Context, h *host) {
	now := time.Now()
	answer, hop := v.shard.frontier.next(h)
	if answer != nil {
		if answer.resume != nil {
			resume(ctx, v, h, answer.resume)
		} else {
			v.obey(ctx, h, answer)
		}
		v.release(h)
		return
	}
	if h.last {
		v.lastTurn(ctx, h)
		return
	}
	if h.pace.IsTooSlow(v.config.pauses()) {
		rest := h.pace.Rest(v.config.pauses())
		if waits := rest.Until(now) > 0; waits || now.Before(h.fresh) {
			v.giveUp(h, result.LongPause, nil)
			switch {
			case !hop:
				v.release(h)
				return
			case waits:
				v.shard.frontier.release(h, rest.At, rest)
				return
			}
		}
	}
	if w := h.pace.Wait(v.config.pauses(), now); w.Until(now) > 0 || isFull(v.shard.share) {
		v.shard.frontier.release(h, w.At, w)
		return
	} else if !v.shard.share.mayAsk(now) {
		v.shard.frontier.release(h, now.Add(askAgain), w)
		return
	}
	ctx, cancel := v.shard.share.until(ctx, now)
	defer cancel()
	if (hop || !v.hasRules(ctx, h, now)) && !v.updateRules(ctx, h, hop, now) {
		return // the host is parked or released
	}
	if h.pace.Unsure() {
		h.pace.Obey(h.group) // which was known before
	}
	v.visitNext(ctx, h)
}

// visitNext visits the first item of a leased host that may be requested, drops the items before
// it, and releases or parks the host.
func (v *visitor) visitNext(ctx context.Context, h *host) {
	if h.row.probe != "" {
		v.probe(ctx, h)
		return
	}
	for {
		if len(h.queue) == 0 && !v.fill(h) {
			return // fill has released the host
		}
		known := h.queue[0]
		it := known.Item
		u, err := weburl.Exact.Parse(it.URL)
		if err != nil || ctx.Err() != nil {
			h.putBack(v.shard.store)
			v.release(h)
			return
		}
		if v.linker.territory.viaForeign(&it, u) {
			h.queue = h.queue[1:]
			v.drop(h, it, result.RefusedAddress, nil)
			continue
		}
		if v.owners != nil && h.proof == "" && !h.group.Allowed(u.String()) && !v.owners.prove(ctx, v, h, u) {
			return
		}
		if why, shape := v.refuses(h, &it, u); why != result.None {
			h.queue = h.queue[1:]
			r := newResult(&it)
			r.Shape = shape
			v.dropResult(h, it, why, r)
			continue
		}
		if v.overBudget() {
			h.putBack(v.shard.store)
			v.release(h)
			v.stop(errBudget)
			return
		}
		addr := likelyAddress(ctx, v.client, u)
		if addr.IsValid() && v.shard.frontier.park(h, addr) {
			return
		}
		if ok, spent := v.purse.take(); !ok {
			h.putBack(v.shard.store)
			if spent {
				v.stop(errBudget)
			}
			w := h.pace.Wait(v.config.pauses(), time.Now())
			v.shard.frontier.release(h, later(w.At, time.Now().Add(askAgain)), w)
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
	w := h.pace.Wait(v.config.pauses(), time.Now())
	v.shard.frontier.release(h, w.At, w)
}

// putBack releases the items that were taken ahead to the store.
func (h *host) putBack(s *store.Store) {
	for _, known := range h.queue {
		s.Release(known.Item)
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
	w := h.pace.Wait(v.config.pauses(), now)
	v.shard.frontier.release(h, later(at, w.At), w)
	return false
}

// giveUp drops the queue of a host.
func (v *visitor) giveUp(h *host, why result.Reason, err error) {
	v.committer.saveHost(h) // the queue may be empty, and then no drop saves the host
	n := 0
	defer func() { v.log.givenUp(h, why, n) }()
	for {
		items := h.queue
		if h.queue = nil; len(items) == 0 {
			var err error
			if items, err = v.shard.store.Next(h.partition, h.origin, time.Now().Add(forever), 1000); err != nil {
				v.fail(err)
				return
			}
		}
		if len(items) == 0 {
			return
		}
		for _, known := range items {
			v.drop(h, known.Item, why, err)
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
	case !h.group.Allowed(u.String()) && !h.isIgnored(u.String()):
		return result.Disallowed, ""
	case h.counts.pages >= v.config.Budget.hostPages(), v.config.Budget.HostBytes > 0 &&
		h.counts.bytes >= v.config.Budget.HostBytes:
		return result.HostBudget, ""
	case h.endless.refuses(u):
		return result.Trap, ""
	case h.row.isRefused(v.config, u):
		return result.ServerError, ""
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

// overBudget reports whether a crawl that is alone has reached its budget. Workers of a shared
// crawl have a purse.
func (v *visitor) overBudget() bool {
	b := &v.config.Budget
	return v.purse == nil && (b.Pages > 0 && v.pages.Load() >= b.Pages || b.Bytes > 0 && v.bytes.Load() >= b.Bytes)
}

// visit makes one request, and handles the outcome.
func (v *visitor) visit(ctx context.Context, h *host, known store.Entry, u weburl.URL) {
	it := known.Item
	r := download.Request{URL: it.URL, ETag: known.State.ETag, LastModified: known.State.LastModified,
		KeepSent: v.archiver.writer != nil}
	if isSitemap(&it) {
		r.Types, r.MaxBody = sitemapTypes, largestSitemap
	}
	v.committer.begin(h)
	x, err := clientFor(v, h, u).Do(ctx, r)
	now := time.Now()
	if err != nil {
		v.purse.giveBack()
		v.failed(ctx, h, known, u, err, now)
		return
	}
	v.purse.fetched(x.Body.Size())
	defer x.Close()
	v.committer.end(h, now, pace.Outcome{Status: x.Status, RetryAfter: x.RetryAfter, Took: x.Times.FirstByte,
		Cancelled: ctx.Err() != nil})
	h.counts.pages++
	h.counts.bytes += x.Body.Size()
	v.pages.Add(1)
	v.bytes.Add(x.Body.Size())
	if !isRefusal(x.Status) {
		h.row.end(u, x.Status < 300 && !isBroken(x))
	} else {
		h.row.refuse(u)
		if h.decide(v.config) {
			h.takeUnlike(v)
		}
	}
	v.read(h, u, known, x, now)
	v.giveUpLost(h, true)
}

// isRefusal reports whether a status says that the host wants no requests now.
func isRefusal(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// failed handles a failed request.
func (v *visitor) failed(ctx context.Context, h *host, known store.Entry, u weburl.URL, err error, now time.Time) {
	it := known.Item
	failure := failureOf(err)
	if failure == download.Canceled || ctx.Err() != nil {
		v.committer.end(h, now, pace.Outcome{Cancelled: true})
		h.queue = append([]store.Entry{known}, h.queue...)
		h.putBack(v.shard.store)
		return
	}
	switch failure {
	case download.Refused:
		v.committer.end(h, now, pace.Outcome{Cancelled: true})
		v.trouble(h, err, time.Time{})
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
	}
	why := result.Failed
	if isOfHost(failure) {
		why = result.Unreachable
	}
	v.committer.end(h, now, pace.Outcome{Cancelled: !h.row.fail(u, isOfHost(failure))})
	if h.decide(v.config) {
		h.takeUnlike(v)
	}
	if h.row.lost || it.Tries+1 >= maxTries {
		v.drop(h, it, why, err)
	} else {
		v.committer.commit(h, &outcome{item: it, what: eventDefer, due: h.pace.Wait(v.config.pauses(), now).At})
	}
	v.giveUpLost(h, false)
}
