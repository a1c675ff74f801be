package testweb_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/page"
)

// A naive is a sequential crawler. It is polite, except for the habits that its fields
// select.
type naive struct {
	token    string
	minDelay time.Duration
	timeout  time.Duration // 0 means longer than any answer takes, even on a busy machine
	hasty    bool          // makes only one attempt
	seeds    []string

	// Rude habits.
	ignoreRobots, ignoreDelays, ignoreRetryAfter, ignoreHours, ignoreNofollow bool
	ignoreEffects, ignoreGuard, skipRobots                                    bool
	// how many pages of a folder it takes; 0 stands for 60
	patience int
	again    bool // fetches every page twice
	validate bool // and sends validators then

	client *http.Client
	hosts  map[string]*naiveHost
	seen   map[string]bool
	tags   map[string]string
}

// A naiveHost is the crawler's knowledge of an origin.
type naiveHost struct {
	group    *robots.Group
	delay    time.Duration
	closed   bool // nothing is allowed, for now or at all
	tries    int
	due      time.Time
	queue    []string
	failures map[string]int
	folders  map[string]int
}

const maxTries = 4

// crawl visits the web from the seeds until there is nothing left to do.
func (n *naive) crawl(t testing.TB, w *testweb.Web) {
	t.Helper()
	if n.token == "" {
		n.token = "ExampleBot"
	}
	if n.timeout == 0 {
		n.timeout = time.Minute
	}
	if n.seeds == nil {
		n.seeds = w.Seeds()
	}
	n.client = newClient(w, !n.ignoreGuard)
	n.client.Timeout = n.timeout
	defer n.client.CloseIdleConnections()
	n.hosts, n.seen, n.tags = make(map[string]*naiveHost), make(map[string]bool), make(map[string]string)
	for _, seed := range n.seeds {
		n.add(seed)
	}
	for {
		var next *naiveHost
		var origin string
		for o, h := range n.hosts {
			if len(h.queue) > 0 && !h.closed && (next == nil || h.due.Before(next.due)) {
				next, origin = h, o
			}
		}
		if next == nil {
			return
		}
		if !n.ignoreDelays {
			time.Sleep(time.Until(next.due))
		}
		if next.group == nil && !n.skipRobots {
			n.fetchRobots(origin, next)
			continue
		}
		rawURL := next.queue[0]
		next.queue = next.queue[1:]
		if n.ignoreRobots || n.skipRobots || next.group.Allowed(rawURL) {
			n.visit(rawURL, next)
		}
	}
}

// newClient returns a client that resolves the names of the web, and connects to
// loopback only.
func newClient(w *testweb.Web, filter bool) *http.Client {
	d := &net.Dialer{Resolver: w.Resolver(), ControlContext: func(_ context.Context, _, address string,
		_ syscall.RawConn) error {
		at := netip.MustParseAddrPort(address)
		inside := slices.ContainsFunc(w.Allowed(), func(p netip.Prefix) bool { return p.Contains(at.Addr()) })
		if filter && !inside {
			return errors.New("refused")
		}
		if !at.Addr().Is4() || !at.Addr().IsLoopback() {
			return errors.New("no test goes there")
		}
		return nil
	}}
	return &http.Client{
		Transport: &http.Transport{DialContext: d.DialContext, MaxIdleConnsPerHost: 1,
			TLSClientConfig: clientTLS(w)},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// add adds a URL to the list, unless the list has it, or it looks like a trap.
func (n *naive) add(rawURL string) {
	u, err := url.Parse(rawURL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return
	}
	u.Fragment, u.RawFragment = "", ""
	if u.Path == "" {
		u.Path = "/"
	}
	rawURL = u.String()
	if n.seen[rawURL] || !n.ignoreEffects && hasEffect(u) {
		return
	}
	origin := u.Scheme + "://" + u.Host
	h := n.hosts[origin]
	if h == nil {
		h = &naiveHost{failures: make(map[string]int), folders: make(map[string]int)}
		n.hosts[origin] = h
	}
	folder := u.Path[:strings.LastIndexByte(u.Path, '/')+1]
	if strange := len(h.folders) > 10 && h.folders[folder] == 0 || u.RawQuery != "" || strings.Count(folder, "/") > 3 ||
		len(u.Path) > 200; strange {
		folder = "?"
	}
	limit := n.patience
	if limit == 0 {
		limit = 60
	}
	if folder == "?" {
		limit /= 3
	}
	if h.folders[folder]++; h.folders[folder] > limit {
		return
	}
	n.seen[rawURL] = true
	h.queue = append(h.queue, rawURL)
	if n.again {
		h.queue = append(h.queue, rawURL)
	}
}

// hasEffect reports whether a visit of a URL seems to have a side effect.
func hasEffect(u *url.URL) bool {
	for _, word := range []string{"logout", "/cart/", "delete", "vote"} {
		if strings.Contains(u.Path+"?"+u.RawQuery, word) {
			return true
		}
	}
	return false
}

// get makes a request, and records when the next request to the host is allowed.
func (n *naive) get(rawURL string, h *naiveHost) (*http.Response, []byte, error) {
	req, err := http.NewRequest("GET", rawURL, nil)
	if err != nil {
		return nil, nil, err
	}
	req.Header.Set("User-Agent", n.token+"/1.0 (+https://example.com/bot)")
	if tag := n.tags[rawURL]; tag != "" && n.validate {
		req.Header.Set("If-None-Match", tag)
	}
	resp, err := n.client.Do(req)
	var body []byte
	if err == nil {
		body, err = io.ReadAll(io.LimitReader(resp.Body, 2<<20))
		resp.Body.Close()
		n.tags[rawURL] = resp.Header.Get("ETag")
	}
	h.due = time.Now().Add(max(n.minDelay, h.delay))
	if resp != nil && (resp.StatusCode == 429 || resp.StatusCode == 503) && !n.ignoreRetryAfter {
		var until time.Time
		after := resp.Header.Get("Retry-After")
		if seconds, err := time.ParseDuration(after + "s"); err == nil {
			until = time.Now().Add(seconds)
		} else if date, err := http.ParseTime(after); err == nil {
			until = date
		}
		if until.After(h.due) {
			h.due = until
		}
	}
	return resp, body, err
}

// fetchRobots fetches robots.txt, and follows five redirects.
func (n *naive) fetchRobots(origin string, h *naiveHost) {
	h.tries++
	rawURL := origin + "/robots.txt"
	for hops := 0; ; hops++ {
		resp, body, err := n.get(rawURL, h)
		switch {
		case err != nil || resp.StatusCode == 429 || resp.StatusCode >= 500:
			h.closed = h.tries == maxTries || err != nil && (h.tries == 2 || n.hasty)
			return
		case resp.StatusCode >= 400:
			h.group = new(robots.Group)
			return
		case resp.StatusCode >= 300:
			to, err := resp.Location()
			if err != nil || hops == 5 {
				h.group = new(robots.Group)
				return
			}
			rawURL = to.String()
			continue
		}
		h.group = robots.Parse(body).For(n.token)
		if d, ok := h.group.CrawlDelay(); ok {
			h.delay = d.Delay
		}
		for _, r := range h.group.RequestRates() {
			h.delay = max(h.delay, r.Delay())
		}
		for _, v := range h.group.VisitTimes() {
			h.closed = !v.Window.Contains(time.Now()) && !n.ignoreHours
		}
		h.due = time.Now().Add(max(n.minDelay, h.delay))
		return
	}
}

// visit fetches a page and adds its links.
func (n *naive) visit(rawURL string, h *naiveHost) {
	resp, body, err := n.get(rawURL, h)
	if err != nil || resp.StatusCode == 429 || resp.StatusCode == 503 {
		if h.failures[rawURL]++; err == nil || h.failures[rawURL] < 2 && !n.hasty {
			h.queue = append(h.queue, rawURL)
		}
		return
	}
	base := resp.Request.URL
	if to, err := resp.Location(); err == nil && resp.StatusCode/100 == 3 {
		n.add(to.String())
		return
	}
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		return
	}
	doc, _ := page.Read(strings.NewReader(string(body)), page.Options{Header: resp.Header, URL: base, MaxLinks: 10_000})
	d := doc.For(n.token)
	for _, l := range doc.Links {
		if l.Element != "link" && (d.Link(l).Follow || n.ignoreNofollow) {
			n.add(l.URL)
		}
	}
}
