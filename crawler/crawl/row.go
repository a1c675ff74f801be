package crawl

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/pace"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/internal/http/download"
)

// A row is the requests for pages of a host, in this run, since the last one that was answered. It
// decides whether the host is lost, so that the rest of its queue is dropped.
//
// A failure belongs to what failed. DNS, connecting, TLS and time-outs belong to the host, and so
// do the refusals 429 and 503. Those pause the host. What came instead of an answer belongs to the
// page: a head that is malformed or too large, a connection that closes. Those do not pause the
// host.
//
//	answered   an answer, also 404 or 500, ends the row
//	   | the host failed as often as Patience says, or pages did maxBroken times
//	doubtful   the next request is for a URL unlike those that failed: the page that was
//	   |       answered last, or else a URL of the queue with another shape. An answer ends
//	   |       the row, and makes the shapes that failed suspects.
//	   | another request fails
//	lost       the queue is dropped
//
// A URL of a suspect that fails again belongs to the failures of pages, and one that is refused
// again is not retried. After more refusals of a suspect than Patience says, its URLs are dropped
// without a request. An answer for one of its URLs ends the suspicion.
type row struct {
	ofHost   int      // failures of the host, and refusals
	ofPages  int      // failures of pages
	shapes   []string // of the URLs that failed
	doubtful bool
	lost     bool
	probe    string // the URL that was answered last, if it is to be requested again

	// These outlast the row.
	answered string         // the URL of the last page that was answered
	suspects map[string]int // shapes that failed while the host answered, and their refusals since
}

const (
	// maxBroken is the maximum number of failures of pages in a row. Each page is requested three
	// times, so some twenty broken pages pass without a doubt.
	maxBroken = 64

	// maxSuspects limits the shapes of a row, and the suspects.
	maxSuspects = 64

	// forever is longer than any item of a queue waits.
	forever = 100 * 365 * 24 * time.Hour
)

// isOfHost reports whether a failure says that the host cannot be reached.
func isOfHost(f download.Failure) bool {
	switch f {
	case download.NoHost, download.DNS, download.Connect, download.TLS, download.Timeout:
		return true
	}
	return false
}

// fail adds a failure to the row. It reports whether the failure belongs to the host.
func (r *row) fail(u weburl.URL, ofHost bool) bool {
	if ofHost = ofHost && !r.isSuspect(u); ofHost {
		r.ofHost++
	} else {
		r.ofPages++
	}
	r.include(pathShape(u))
	return ofHost
}

// refuse adds a refusal to the row, or to a suspect.
func (r *row) refuse(u weburl.URL) {
	if r.isSuspect(u) {
		r.suspects[pathShape(u)]++
		return
	}
	r.ofHost++
	r.include(pathShape(u))
}

// isSuspect reports whether URLs with the shape of u failed while the host answered.
func (r *row) isSuspect(u weburl.URL) bool {
	if len(r.suspects) == 0 {
		return false
	}
	_, ok := r.suspects[pathShape(u)]
	return ok
}

// isRefused reports whether the URLs with the shape of u were refused too often, as Patience says.
func (r *row) isRefused(c *Config, u weburl.URL) bool {
	return len(r.suspects) > 0 && r.suspects[pathShape(u)] > c.maxRow()
}

// maxRow returns the number of failures of a host in a row that makes it doubtful.
func (c *Config) maxRow() int { return max(c.maxFailures(), maxTries) }

// include adds a shape to the row.
func (r *row) include(shape string) {
	if !slices.Contains(r.shapes, shape) && len(r.shapes) < maxSuspects {
		r.shapes = append(r.shapes, shape)
	}
}

// end ends the row because of an answer for a URL.
func (r *row) end(u weburl.URL, isPage bool) {
	if r.doubtful {
		for _, shape := range r.shapes {
			if r.suspects == nil {
				r.suspects = make(map[string]int)
			}
			if len(r.suspects) < maxSuspects {
				r.suspects[shape] += 0
			}
		}
	}
	if len(r.suspects) > 0 {
		delete(r.suspects, pathShape(u))
	}
	r.forget()
	if isPage {
		r.answered = u.String()
	}
}

// forget starts a new row.
func (r *row) forget() { *r = row{answered: r.answered, suspects: r.suspects} }

// decide decides after a failure or a refusal whether a host becomes doubtful, or is lost. It
// reports whether a doubtful host needs a URL of the queue. A continuous crawl loses no host: it
// never ends, and the pauses of the host grow to a day.
func (h *host) decide(c *Config) (needsUnlike bool) {
	r, most := &h.row, c.maxRow()
	switch {
	case c.Revisits != nil, r.ofHost < most && r.ofPages < maxBroken:
	case r.doubtful:
		r.lost = r.ofHost > most || r.ofPages > maxBroken
	case r.answered != "" && h.group.Allowed(r.answered):
		r.doubtful, r.probe = true, r.answered
	default:
		r.doubtful = true
		return true
	}
	return false
}

// giveUpLost drops the queue of a host if it is lost.
func (v *visitor) giveUpLost(h *host, refused bool) {
	if !h.row.lost {
		return
	}
	why := result.Unreachable
	switch {
	case refused:
		why = result.ServerError
	case h.row.ofHost == 0:
		why = result.Failed
	}
	h.row.forget()
	v.giveUp(h, why, nil)
}

// takeUnlike makes an item with another shape than the URLs that failed the next one of a host, if
// there is one among the first items of the queue.
func (h *host) takeUnlike(v *visitor) {
	const most = 1000
	items, err := v.shard.store.Next(h.partition, h.origin, time.Now().Add(forever), most)
	if err != nil {
		v.fail(err)
		return
	}
	h.queue = append(h.queue, items...)
	for i, known := range h.queue {
		u, err := weburl.Exact.Parse(known.Item.URL)
		if err != nil || slices.Contains(h.row.shapes, pathShape(u)) {
			continue
		}
		if why, _ := v.refuses(h, &known.Item, u); why == result.None {
			h.queue = slices.Delete(h.queue, i, i+1)
			h.putBack(v.shard.store)
			h.queue = []store.Entry{known}
			return
		}
	}
	h.putBack(v.shard.store)
}

// probe requests the page that was answered last again, and decides about a doubtful host. It
// releases the host, or parks it. The answer is not a result.
func (v *visitor) probe(ctx context.Context, h *host) {
	u, err := weburl.Exact.Parse(h.row.probe)
	if err != nil || !h.group.Allowed(h.row.probe) && !h.isIgnored(h.row.probe) {
		h.row.lost = true
		v.giveUpLost(h, false)
		v.release(h)
		return
	}
	addr := likelyAddress(ctx, v.client, u)
	if addr.IsValid() && v.shard.frontier.park(h, addr) {
		return
	}
	h.asked = false
	v.committer.begin(h)
	x, err := clientFor(v, h, u).Do(ctx, download.Request{URL: h.row.probe, Types: []string{}, MaxBody: 4096})
	now := time.Now()
	o := pace.Outcome{Cancelled: true}
	switch failure := failureOf(err); {
	case err == nil:
		o = pace.Outcome{Status: x.Status, RetryAfter: x.RetryAfter, Took: x.Times.FirstByte,
			Cancelled: ctx.Err() != nil}
		x.Close()
	case failure == download.Local:
		v.fail(err)
	case failure == download.Stale, failure == download.Canceled, ctx.Err() != nil:
	default:
		o.Cancelled, h.row.lost = !isOfHost(failure), true
	}
	v.committer.end(h, now, o)
	if err == nil {
		if h.row.lost = isRefusal(o.Status); !h.row.lost {
			v.log.answers(h, h.row.probe)
			h.row.end(u, true)
		}
	}
	v.giveUpLost(h, err == nil)
	v.release(h)
}

// failureOf returns the kind of an error of a request.
func failureOf(err error) download.Failure {
	if e, ok := errors.AsType[*download.Error](err); ok {
		return e.Failure
	}
	return download.Protocol
}
