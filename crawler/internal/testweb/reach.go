package testweb

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/robotsexclusion/robots"
)

// Reachable returns the URLs that a whole crawl from the seeds fetches under the rules
// of robots.txt and the directives of pages, in the order of hosts and paths. It leaves
// out traps, pages with side effects, and optional pages. For a large web it takes as
// much memory as the list.
func (w *Web) Reachable(o CheckOptions) (urls []string) {
	c := &checker{web: w, options: o, policies: make(map[edition]*policy), now: w.now()}
	must := c.walk(mustFollow)
	for i := range w.hosts {
		h := &w.hosts[i]
		var paths []string
		for page := range h.pages {
			if must.hasPage(h, page) {
				paths = append(paths, string(h.appendPath(nil, page)))
			}
		}
		for path := range must.paths[h.number] {
			paths = append(paths, path)
		}
		slices.Sort(paths)
		for _, path := range paths {
			urls = append(urls, h.origin+path)
		}
	}
	return urls
}

// A set is a set of pages.
type set struct {
	tree  []uint64                      // a bit for each page of a tree
	paths map[int32]map[string]struct{} // other pages, by host
}

func newSet(w *Web) *set {
	last := &w.hosts[len(w.hosts)-1]
	return &set{make([]uint64, (last.first+int64(last.pages))/64+1), make(map[int32]map[string]struct{})}
}

// hasPage reports whether a page of a tree is in the set.
func (s *set) hasPage(h *host, page int32) bool {
	n := h.first + int64(page)
	return s.tree[n/64]&(1<<(n%64)) != 0
}

// has reports whether a page is in the set.
func (s *set) has(h *host, page int32, path string) bool {
	if page >= 0 {
		return s.hasPage(h, page)
	}
	_, ok := s.paths[h.number][path]
	return ok
}

// add adds a page, and reports whether it is new.
func (s *set) add(h *host, page int32, path string) bool {
	if s.has(h, page, path) {
		return false
	}
	if page >= 0 {
		n := h.first + int64(page)
		s.tree[n/64] |= 1 << (n % 64)
		return true
	}
	if s.paths[h.number] == nil {
		s.paths[h.number] = make(map[string]struct{})
	}
	s.paths[h.number][path] = struct{}{}
	return true
}

// A following selects the links to follow on a walk over the web.
type following uint8

const (
	mustFollow following = iota // links that a whole crawl follows
	mayFollow                   // links that a robot may follow
	allFollow                   // also forbidden links
)

// A walker goes from page to page, breadth first. It takes pages from the generator, and goes where
// robots.txt allows.
type walker struct {
	*checker
	links following
	found *set
	queue []place
}

// A place is a page that was found.
type place struct {
	host *host
	page int32 // of a tree, or negative
	path string
}

// walk returns the pages that can be reached from the seeds.
func (c *checker) walk(f following) *set {
	w := &walker{checker: c, links: f, found: newSet(c.web)}
	for _, seed := range c.seeds() {
		w.visit(seed)
	}
	if f != mustFollow || c.options.Sitemaps {
		w.visitSitemaps()
	}
	for len(w.queue) > 0 {
		p := w.queue[0]
		w.queue = w.queue[1:]
		w.follow(p)
	}
	return w.found
}

// visit adds the target of a link to the queue, if the target is new.
func (w *walker) visit(l link) {
	h := l.host
	if h == nil {
		return
	}
	page, path := l.page, l.path
	if page < 0 {
		if n, ok := h.pageOf(path); ok {
			page, path = n, ""
		} else if path = h.key(path); h.partOf(path) != content {
			return
		}
	}
	if !w.found.has(h, page, path) && w.reaches(h, page, path, w.links) {
		w.found.add(h, page, path)
		w.queue = append(w.queue, place{h, page, path})
	}
}

// visitSitemaps visits the sitemaps that robots.txt files name.
func (w *walker) visitSitemaps() {
	for i := range w.web.hosts {
		h := &w.web.hosts[i]
		if h.kind.records == nil {
			continue
		}
		// The records exist if there is a file that a robot can read.
		text := "Nothing else:\n" + h.kind.records(h)
		if w.links == mustFollow && h.text.says == obey {
			text = h.robotsFile(0)
		} else if w.links == mustFollow {
			continue
		}
		for _, s := range robots.Parse([]byte(text[:min(len(text), maxSize)])).Sitemaps() {
			w.visit(h.to(s.URL.Path))
		}
	}
}

// follow visits the links of a page.
func (w *walker) follow(p place) {
	h, path := p.host, p.path
	if p.page >= 0 {
		path = string(h.appendPath(nil, p.page))
	}
	a := h.answer(&request{path: path, settled: true})
	if a.to != nil {
		w.visit(*a.to)
	}
	if a.tree && (w.links == allFollow || !a.nofollow) {
		h.eachLink(p.page, func(to *host, page int32) {
			// Path strings are made for new pages only.
			if !w.found.hasPage(to, page) {
				w.visit(link{host: to, page: page})
			}
		})
	}
	for _, l := range a.links {
		switch {
		case l.element == form:
			continue
		case w.links == allFollow:
		case l.nofollow || a.nofollow:
			continue
		case w.links == mustFollow && (l.maybe || a.vague || l.listed && !w.options.Sitemaps):
			continue
		}
		w.visit(l)
	}
}

// seeds returns the seeds as links, without URLs outside the web.
func (c *checker) seeds() (links []link) {
	urls := c.options.Seeds
	if urls == nil {
		urls = c.web.Seeds()
	}
	for _, url := range urls {
		_, rest, _ := strings.Cut(url, "://")
		authority, path, _ := strings.Cut(rest, "/")
		name, _, _ := strings.Cut(authority, ":")
		if h := c.web.find(name); h != nil && strings.HasPrefix(url, h.origin) {
			links = append(links, h.to("/"+path))
		}
	}
	return links
}

// reaches reports whether a robot requests a page: certainly for mustFollow, and
// possibly for the others.
func (c *checker) reaches(h *host, page int32, path string, f following) bool {
	if h.kind.closed || h.text.says == shut || f == mustFollow && (h.kind.rebinds || h.text.once && c.lost(h)) {
		return false
	}
	if h.text.says == open {
		return true
	}
	if page >= 0 {
		path = string(h.appendPath(nil, page))
	}
	for v := range int16(max(1, h.text.versions)) {
		p := c.policyOf(edition{h.number, v})
		if ok := p.allows(path) && (p.open(c.web.began) || p.open(c.web.began.Add(c.now))); ok != (f == mustFollow) {
			return ok // certainly means under all versions, possibly under one
		}
	}
	return f == mustFollow
}

// lost reports whether the robot was killed so soon after it first got a robots.txt that it may not
// have kept the file.
func (c *checker) lost(h *host) bool {
	if len(c.options.Kills) == 0 {
		return false
	}
	for _, i := range c.byHost[h.number] {
		if r := &c.records[i]; r.isRobots() {
			return c.killedAfter(r)
		}
	}
	return false
}

// checkReach compares the requests with the reachable pages.
func (c *checker) checkReach() {
	w := c.web
	may := c.walk(mayFollow)
	all := sync.OnceValue(func() *set { return c.walk(allFollow) })
	got := newSet(w)
	for i := range c.records {
		r := &c.records[i]
		if r.host < 0 || r.isRobots() || r.isHop() || r.is(otherMethod) {
			continue
		}
		h := &w.hosts[r.host]
		page, path := r.page, r.path
		if path != "" {
			page = -1
			if path = h.key(path); h.partOf(path) != content {
				continue
			}
		}
		// A page that is never delivered intact must be requested, but no more; and a
		// robot need not read all of a long page.
		if r.is(ended) && !r.is(aborted|later) || r.is(faulty) || r.is(long) && r.status != 0 {
			got.add(h, page, path)
		}
		if may.has(h, page, path) || !c.reaches(h, page, path, allFollow) {
			continue // pages closed by robots.txt are reported as such
		}
		if all().has(h, page, path) {
			c.report(Nofollowed, r.start, r, "only links that are not to be followed lead there")
		} else {
			c.report(Stray, r.start, r, "no link leads there")
		}
	}
	if !c.options.Whole {
		return
	}
	must := c.walk(mustFollow)
	for i := range w.hosts {
		h := &w.hosts[i]
		for page := range h.pages {
			if must.hasPage(h, page) && !got.hasPage(h, page) {
				c.missed(h, string(h.appendPath(nil, page)))
			}
		}
		var paths []string
		for path := range must.paths[h.number] {
			if !got.has(h, -1, path) {
				paths = append(paths, path)
			}
		}
		slices.SortFunc(paths, cmp.Compare[string])
		for _, path := range paths {
			c.missed(h, path)
		}
	}
}

// missed reports a page that was not fetched, with the requests for it.
func (c *checker) missed(h *host, path string) {
	if c.counts[Missed]++; c.counts[Missed] > maxViolations {
		return
	}
	v := Violation{What: Missed, At: c.now, Host: h.origin, Path: path,
		Why: fmt.Sprintf("it can be reached, and was never had (%s, %s)", h.kind.Name, h.text.Name)}
	for _, i := range c.byHost[h.number] {
		if r := &c.records[i]; c.web.pathOf(r) == path && len(v.Requests) < 10 {
			v.Requests = append(v.Requests, c.web.request(r))
		}
	}
	c.violations = append(c.violations, v)
}
