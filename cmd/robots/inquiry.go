package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/page"
)

// An inquiry is what match is asked: about URLs and some robots, in some
// dialects. The policy is that of a file, or that of each URL's origin.
type inquiry struct {
	*matcher
	robots   []agent.Subject
	dialects []robots.Dialect
	file     *site  // if the policy is of a file
	base     string // else the origin of URLs that are paths

	client    *fetch.Client
	transport *http.Transport

	mu    sync.Mutex
	sites map[string]*liveSite // by origin

	asked *robots.Policy // that of the last result, if it is not that of a file
}

// A site is a policy with the groups for each robot, in each dialect.
type site struct {
	policy  *robots.Policy
	groups  [][]*robots.Group
	fetched *fetch.Result // nil for a file, and with --at
	past    *past         // with --at
}

// A liveSite is a site that is asked once, and for all URLs there.
type liveSite struct {
	once  sync.Once
	site  *site
	err   error
	until atomic.Int64 // when it is to be asked again, in nanoseconds of Unix time; 0 while it is asked, and if there is an error
}

// mostSites is how many sites are kept.
const mostSites = 1 << 10

// A pageResult is what a page says to one robot, under robots.txt.
type pageResult struct {
	got     *gotPage
	verdict page.Verdict
}

// atOnce is how many URLs are asked about at once, where answers come from
// servers.
const atOnce = 8

func (q *inquiry) site(policy *robots.Policy, fetched *fetch.Result) *site {
	s := &site{policy: policy, groups: make([][]*robots.Group, len(q.robots)), fetched: fetched}
	for _, d := range q.dialects {
		p := policy.In(d)
		for i := range q.robots {
			s.groups[i] = append(s.groups[i], q.robots[i].Group(p))
		}
	}
	return s
}

// origin returns the origin that the policy is of, or "" for a file.
func (s *site) origin() string {
	switch {
	case s.fetched != nil:
		return s.fetched.Origin
	case s.past != nil:
		return s.past.Origin
	}
	return ""
}

// say returns where the policy of an origin is from, as a sentence.
func (s *site) say(l language.Language) string {
	if s.past != nil {
		return s.past.say(l)
	}
	return sayFetched(l, s.fetched)
}

// connect makes what fetches, and disconnect ends it.
func (q *inquiry) connect() {
	q.client, q.transport = q.network.client()
	q.client.Dialect = q.dialects[0]
}

func (q *inquiry) disconnect() { q.transport.CloseIdleConnections() }

// siteOf returns the site of a URL.
func (q *inquiry) siteOf(ctx context.Context, url string) (*site, error) {
	if q.file != nil {
		return q.file, nil
	}
	origin, err := fetch.Origin(url)
	if err != nil {
		return nil, err
	}
	live := q.live(origin)
	live.once.Do(func() {
		if q.at.given() {
			p, err := readPast(ctx, q.cache, origin, q.at)
			if err != nil {
				live.err = err
				return
			}
			live.site = q.site(p.policy, nil)
			live.site.past = p
			return
		}
		r, err := q.client.Policy(ctx, origin)
		if err != nil {
			live.err = explainFetch(err)
			return
		}
		var dns *net.DNSError
		if r.State == fetch.Unreachable && errors.As(r.Err, &dns) && dns.IsNotFound {
			// A robot may fetch nothing there; but nothing is there to ask about.
			live.err = fmt.Errorf("DNS has no host %s: check its spelling", strings.TrimSuffix(dns.Name, "."))
			return
		}
		live.site = q.site(r.Policy, &r)
		live.until.Store(r.FreshUntil.UnixNano())
	})
	return live.site, live.err
}

// live returns the site of an origin.
func (q *inquiry) live(origin string) *liveSite {
	q.mu.Lock()
	defer q.mu.Unlock()
	if s := q.sites[origin]; s != nil {
		if until := s.until.Load(); until == 0 || time.Now().UnixNano() < until {
			return s
		}
	}
	if q.sites == nil || len(q.sites) >= mostSites {
		q.sites = make(map[string]*liveSite)
	}
	s := new(liveSite)
	q.sites[origin] = s
	return s
}

// last returns the policy of the file, or else of the last result, or nil.
func (q *inquiry) last() *robots.Policy {
	if q.file != nil {
		return q.file.policy
	}
	return q.asked
}

// ask returns the results for each URL.
func (q *inquiry) ask(ctx context.Context, urls iter.Seq2[string, error]) iter.Seq2[[]*result, error] {
	return func(yield func([]*result, error) bool) {
		if q.file == nil || q.page {
			for found, err := range inOrder(ctx, atOnce, urls, q.answer) {
				if err == nil && found[0].site != nil {
					q.asked = found[0].site.policy
				}
				if !yield(found, err) {
					return
				}
			}
			return
		}
		for url, err := range urls {
			if err != nil {
				yield(nil, err)
				return
			}
			if ctx.Err() != nil || !yield(q.answer(ctx, url), nil) {
				return
			}
		}
	}
}

// answer returns a result for each robot.
func (q *inquiry) answer(ctx context.Context, url string) []*result {
	if q.file == nil && strings.HasPrefix(url, "/") && !strings.HasPrefix(url, "//") {
		url = q.base + url
	}
	if err := robots.CheckURL(url); err != nil {
		return []*result{{robot: q.robots[0], url: url, err: err}}
	}
	s, err := q.siteOf(ctx, url)
	if err != nil {
		return []*result{{robot: q.robots[0], url: url, err: err}}
	}
	all := make([]*result, len(q.robots))
	for i := range q.robots {
		r := &result{robot: q.robots[i], url: url, site: s}
		for _, g := range s.groups[i] {
			var e robots.Explanation
			if q.why {
				e = g.Explain(url)
			} else {
				e.Match = g.Match(url)
			}
			r.answers = append(r.answers, e)
		}
		all[i] = r
	}
	if q.page {
		q.readPage(ctx, url, all)
	}
	return all
}

// readPage reads the page of a URL, and adds what it says to each of results.
func (q *inquiry) readPage(ctx context.Context, url string, results []*result) {
	if !absolute(url) {
		for _, r := range results {
			r.err = fmt.Errorf("%s has no host: name a URL", shown(url))
		}
		return
	}
	getter := &pageGetter{transport: q.transport, userAgent: q.asks(), timeout: q.timeout}
	got := getter.get(ctx, url, func(url string) (bool, error) {
		if q.readClosed {
			return true, nil
		}
		return q.open(ctx, url)
	})
	for i, r := range results {
		m := r.answers[0].Match
		for _, hop := range append(got.hops, got.url) {
			if s, err := q.siteOf(ctx, hop); err == nil && m.Allowed {
				m = s.groups[i][0].Match(hop)
			}
		}
		var d *page.Decision
		if got.doc != nil {
			d = got.doc.For(r.robot.PageNames()...)
		}
		r.page = &pageResult{got, d.Under(m)}
		if got.missing() {
			r.page.verdict.Index, r.page.verdict.Follow = false, false
		}
		if got.err != nil && m.Allowed {
			r.err = errors.New(got.text(language.English))
		}
	}
}

// open reports whether any of the robots may fetch a URL. An error tells that
// nobody can.
func (q *inquiry) open(ctx context.Context, url string) (bool, error) {
	s, err := q.siteOf(ctx, url)
	if err != nil {
		return false, err
	}
	for _, groups := range s.groups {
		if groups[0].Allowed(url) {
			return true, nil
		}
	}
	return false, nil
}

// siteURLs returns the URLs that arguments stand for, of which the first names
// an origin: URLs, and paths of the origin before them. An origin that paths
// follow, here or in a file, is not itself a URL. Base is the last origin.
func siteURLs(args []string, more bool) (urls []string, base string, err error) {
	isPath := func(arg string) bool { return strings.HasPrefix(arg, "/") && !strings.HasPrefix(arg, "//") }
	for i, arg := range args {
		if isPath(arg) {
			urls = append(urls, base+arg)
			continue
		}
		url := arg
		if !strings.Contains(arg, "://") {
			url = "https://" + arg
		}
		if base, err = fetch.Origin(url); err != nil {
			return nil, "", misuse{err}
		}
		_, rest, _ := strings.Cut(url, "://")
		if strings.ContainsAny(strings.TrimSuffix(rest, "/"), "/?#") {
			urls = append(urls, url)
		} else if last := i+1 == len(args); last && !more || !last && !isPath(args[i+1]) {
			urls = append(urls, base+"/")
		}
	}
	return urls, base, nil
}
