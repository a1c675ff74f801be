package crawl

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/weburl"
)

// A fetch of robots.txt makes one request in each lease. The host itself makes the first
// request. If the answer is a redirect, the next request is a hop: an item in the queue of the
// target host. The target host gets a turn for the hop as soon as its pace allows, even if it
// has no URL of its own. The host that the robots.txt belongs to waits without a worker. Each
// turn starts the fetch again and replays the earlier answers, so that package fetch counts
// redirects and judges the last answer as always. Hops are in memory only: after a kill the
// fetch starts again.

// A hop is the next request of a fetch of robots.txt.
type hop struct {
	of    *host  // the host that the robots.txt belongs to; another worker owns its fields, except origin
	at    string // the origin of the host with this hop in its queue
	url   string // URL of the request
	steps []step // the earlier answers

	header http.Header // of the request, if the crawl has other workers
	remote *remoteHop  // if another worker is to make it, or has asked for it; or nil
}

// A step is an answer that continues a fetch of robots.txt: a redirect, or a 304 that confirms
// another text.
type step struct {
	url         string
	conditional bool // the request was conditional
	status      int
	location    string
	etag        string

	// Of an answer that another worker has passed on:
	header http.Header
	body   []byte
	err    error
}

// response replays the answer.
func (s *step) response(r *http.Request) *http.Response {
	if s.header != nil {
		return s.whole(r)
	}
	header := make(http.Header)
	for name, value := range map[string]string{"Location": s.location, "ETag": s.etag} {
		if value != "" {
			header.Set(name, value)
		}
	}
	return &http.Response{
		StatusCode: s.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header,
		Body: io.NopCloser(http.NoBody), Request: r,
	}
}

func isConditional(r *http.Request) bool {
	return r.Header.Get("If-None-Match") != "" || r.Header.Get("If-Modified-Since") != ""
}

// queueHop queues a hop at its target host.
func (v *visitor) queueHop(p *hop) {
	u, err := weburl.Links.Parse(p.url)
	if err == nil {
		err = v.shard.frontier.queueHop(p, u.Origin(), partitionOf(u))
	}
	switch {
	case errors.Is(err, errForeign) && v.shard.share != nil:
		v.shard.share.post.ask(p, partitionOf(u))
	case err != nil:
		v.fail(err)
	}
}

// makeHop makes the first hop in the queue of a leased host that has a place at its address.
func (v *visitor) makeHop(ctx context.Context, h *host) {
	p := v.shard.frontier.takeHop(h)
	if p == nil {
		return
	}
	if p.remote != nil {
		v.robots.makeRemote(ctx, h, p)
		return
	}
	r, next, err := v.robots.fetch(ctx, h, p)
	if h == p.of {
		v.committer.saveHost(h) // clears the open request from the memo
	}
	if next != nil {
		v.queueHop(next)
		return
	}
	v.shard.frontier.answer(p.of, &robotsAnswer{result: r, err: err, asked: true})
}

// queueHop queues a hop at a host, which is due when its pace allows. The host that the
// robots.txt belongs to waits for answer or for the next hop. The error is errForeign if another
// worker owns the partition; then the host waits for a remote hop.
func (f *frontier) queueHop(p *hop, origin string, partition uint8) error {
	f.applying.Lock()
	defer f.applying.Unlock()
	f.mu.Lock()
	h := f.hosts[origin]
	defer func() { f.unlock(h) }()
	switch {
	case p.of.state == hostGone:
		h = nil
		return nil
	case !f.tenures.isLoaded(partition):
		if h = nil; p.remote == nil {
			p.at = origin
			p.await()
			h = p.of
		}
		return errForeign
	case h == nil:
		idle, err := f.idle.get(origin, partition)
		if err != nil {
			return err
		}
		h = idle
		h.reason = h.pace.Wait(&f.limits.pauses, time.Now())
	}
	if p.remote != nil {
		// Another worker may have asked before, and have started again since.
		h.hops = slices.DeleteFunc(h.hops, func(q *hop) bool { return q.remote != nil && q.of.origin == p.of.origin })
	}
	p.at, p.of.hop = origin, p
	h.hops = append(h.hops, p)
	switch h.state {
	case hostIdle, hostAwaiting:
		f.setDue(h, h.reason.At)
	case hostDue:
		f.due.hurry(h, h.reason.At)
	}
	return nil
}

// next returns the work that a leased host has before its own URLs. It takes the host's answer
// if there is one, and otherwise reports whether the next request is a hop. Hops and URLs
// alternate.
func (f *frontier) next(h *host) (a *robotsAnswer, isHop bool) {
	f.mu.Lock()
	defer f.unlock(h)
	if a = h.answer; a != nil {
		h.answer = nil
		return a, false
	}
	if h.hopped && h.hop == nil && h.hasQueue() {
		h.hopped = false
		return nil, false
	}
	return nil, len(h.hops) > 0
}

// takeHop takes the first hop of a leased host. next must have reported a hop. If it returns nil,
// the hop was withdrawn since.
func (f *frontier) takeHop(h *host) *hop {
	f.mu.Lock()
	defer f.unlock(h)
	if len(h.hops) == 0 {
		return nil
	}
	p := h.hops[0]
	h.hops, h.hopped = h.hops[1:], true
	return p
}

// answer passes the outcome of a fetch to the host that waited for its hops. The host is due
// at once, because the turn needs no request.
func (f *frontier) answer(h *host, a *robotsAnswer) {
	f.mu.Lock()
	defer f.unlock(h)
	if h.state == hostGone {
		return
	}
	h.hop, h.answer = nil, a
	switch now := time.Now(); h.state {
	case hostAwaiting:
		f.setDue(h, now)
	case hostDue:
		f.due.hurry(h, now)
	}
}
