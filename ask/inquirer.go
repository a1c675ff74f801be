package ask

import (
	"context"
	"errors"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/http/fault"
	"github.com/robotsexclusion/robots/internal/http/flight"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
)

// A Config says where policies and pages come from. Do not change a Config after [New].
type Config struct {
	// Client fetches robots.txt. Nil means a zero fetch.Client.
	Client *fetch.Client

	// Policy returns the policy of an origin instead of Client, for example from a history.
	// Policy must be safe for concurrent use. Its results are cached for a minute, or while
	// Source.Fetched is fresh.
	Policy func(ctx context.Context, origin string) (Source, error)

	// MaxAge is the maximum time for which a policy is cached while it is fresh; 0 means no other
	// limit. It should be short if Policy has a cache of its own, which may get a newer policy.
	MaxAge time.Duration

	// Fixed, if not nil, is the policy of all URLs instead of those of their origins. The hosts
	// of URLs are ignored then, and a URL may be a path.
	Fixed *robots.Policy

	// Pages gets the pages. If Pages.Transport is nil, the zero [fetch.DialFilter] filters
	// addresses.
	Pages PageGetter

	// Explain rewrites an error of fetching for the caller's users. Nil leaves errors
	// unchanged.
	Explain func(error) error
}

// A Source is a policy and its origin.
type Source struct {
	Policy  *robots.Policy
	Origin  string        // "" for a fixed policy
	Fetched *fetch.Result // nil if Client did not fetch the policy
	Version any           // the description of a policy from Config.Policy, for the JSON of a result
}

// A Question asks about a URL.
type Question struct {
	URL        string           // absolute; or a path, if Config.Fixed is set
	Robots     []agent.Subject  // if empty, a robot that no group names
	Dialects   []robots.Dialect // if empty, RFC 9309; pages are read in the first dialect
	Why        bool             // explain each answer
	Page       bool             // also read the page
	ReadClosed bool             // with Page, read the page even if no robot of Robots may
}

// ErrNoHost says that DNS does not know the host of a URL. Use [errors.Is] to test the error of
// a result.
var ErrNoHost = errors.New("no such host")

// A noHostError is ErrNoHost with the host.
type noHostError struct{ host string }

func (e *noHostError) Error() string { return e.In(language.English) }

// In returns the message in a language.
func (e *noHostError) In(l language.Language) string {
	return fault.TextNoHost.In(l, printable.Text(e.host))
}

// Is reports whether target is ErrNoHost.
func (e *noHostError) Is(target error) bool { return target == ErrNoHost }

// An Inquirer answers questions. An Inquirer is safe for concurrent use. It caches up to 1,024
// origins, with texts of 16 MiB together: policies while they are fresh, and failures for a minute.
// It does not cache an error that wraps [fetch.ErrPostponed].
type Inquirer struct {
	config  Config
	fixed   *site
	flights flight.Group[*site]

	mu    sync.Mutex
	sites map[string]*site // by origin
	size  int              // of the texts of sites, in bytes
}

const (
	maxSites = 1 << 10
	maxSize  = 16 << 20 // bytes; a policy with its indexes takes a few times the size of its text
	// keepFor is how long a result without a freshness of its own is cached.
	keepFor = time.Minute
)

// New returns an Inquirer.
func New(c Config) *Inquirer {
	if c.Client == nil {
		c.Client = new(fetch.Client)
	}
	if c.Pages.Transport == nil {
		c.Pages.Transport = ownTransport()
	}
	if c.Explain == nil {
		c.Explain = func(err error) error { return err }
	}
	if c.Pages.Explain == nil {
		c.Pages.Explain = c.Explain
	}
	q := &Inquirer{config: c}
	if c.Fixed != nil {
		q.fixed = &site{Source: Source{Policy: c.Fixed}, maxGroups: maxGroups}
	}
	return q
}

// Ask returns one result for each robot, in their order. If there is no policy, Ask returns a
// single result, for the first robot. The Err of a result says why an answer is missing.
func (q *Inquirer) Ask(ctx context.Context, about Question) []*Result {
	if len(about.Robots) == 0 {
		about.Robots = []agent.Subject{{Name: "*", Tokens: []string{"*"}}}
	}
	if len(about.Dialects) == 0 {
		about.Dialects = []robots.Dialect{robots.RFC9309}
	}
	failed := func(err error) []*Result {
		return []*Result{{Robot: about.Robots[0], URL: about.URL, Dialects: about.Dialects, Err: err}}
	}
	if err := checkURL(about.URL); err != nil {
		return failed(err)
	}
	s, err := q.site(ctx, about.URL)
	if err != nil {
		return failed(err)
	}
	results, all, answers := makeResults(len(about.Robots), len(about.Dialects))
	for i, robot := range about.Robots {
		r := &all[i]
		*r = Result{Robot: robot, URL: about.URL, Dialects: about.Dialects, Source: &s.Source, why: about.Why}
		r.Answers, answers = answers[:len(about.Dialects):len(about.Dialects)], answers[len(about.Dialects):]
		for j, d := range about.Dialects {
			g := s.group(d, robot)
			if about.Why {
				r.Answers[j] = g.Explain(about.URL)
			} else {
				r.Answers[j] = robots.Explanation{Match: g.Match(about.URL), Group: g.Token()}
			}
		}
		results[i] = r
	}
	if about.Page {
		q.readPage(ctx, about, results)
	}
	return results
}

// makeResults makes the results for a number of robots, and the answers for each of them in each
// dialect. Those for one robot in one dialect, which services ask about most, are one allocation.
func makeResults(n, dialects int) ([]*Result, []Result, []robots.Explanation) {
	if n == 1 && dialects == 1 {
		one := new(struct {
			results [1]*Result
			all     [1]Result
			answers [1]robots.Explanation
		})
		return one.results[:], one.all[:], one.answers[:]
	}
	return make([]*Result, n), make([]Result, n), make([]robots.Explanation, n*dialects)
}

var textPathOnly = language.New("%[1]s has no host: name a URL")

// readPage reads the page of a URL, and adds its verdict to each result.
func (q *Inquirer) readPage(ctx context.Context, about Question, results []*Result) {
	if !absolute(about.URL) {
		for _, r := range results {
			r.Err = textPathOnly.Err(printable.Shown(about.URL))
		}
		return
	}
	got := q.config.Pages.get(ctx, about.URL, func(url string) (bool, error) {
		if about.ReadClosed {
			return true, nil
		}
		return q.open(ctx, url, about)
	})
	for _, r := range results {
		m := r.Answers[0].Match
		for _, hop := range append(got.Redirects[:len(got.Redirects):len(got.Redirects)], got.URL) {
			if s, err := q.site(ctx, hop); err == nil && m.Allowed {
				m = s.group(about.Dialects[0], r.Robot).Match(hop)
			}
		}
		var d *page.Decision
		if got.Doc != nil {
			d = got.Doc.For(r.Robot.PageNames()...)
		}
		r.Page, r.Verdict = got, d.Under(m)
		if got.Missing() {
			r.Verdict.Index, r.Verdict.Follow = false, false
		}
		if got.Err != nil && m.Allowed {
			r.Err = &unreadError{got}
		}
	}
}

// An unreadError says that a page could not be read.
type unreadError struct{ page *Page }

func (e *unreadError) Error() string { return e.In(language.English) }

// In returns the message in a language.
func (e *unreadError) In(l language.Language) string { return e.page.sentence(l) }

func (e *unreadError) Unwrap() error { return e.page.Err }

// open reports whether any of the robots may fetch a URL. The error is not nil if there is no
// policy.
func (q *Inquirer) open(ctx context.Context, url string, about Question) (bool, error) {
	s, err := q.site(ctx, url)
	if err != nil {
		return false, err
	}
	for _, robot := range about.Robots {
		if s.group(about.Dialects[0], robot).Allowed(url) {
			return true, nil
		}
	}
	return false, nil
}

// site returns the site of a URL.
func (q *Inquirer) site(ctx context.Context, url string) (*site, error) {
	if q.fixed != nil {
		return q.fixed, nil
	}
	if s := q.kept(start(url)); s != nil {
		return s, s.err
	}
	origin, err := fetch.Origin(url)
	if err != nil {
		return nil, err
	}
	if s := q.kept(origin); s != nil {
		return s, s.err
	}
	s, stopped, err := q.flights.Do(ctx, origin, func(ctx context.Context) (*site, error) {
		s := q.find(ctx, origin)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if !errors.Is(s.err, fetch.ErrPostponed) {
			q.keep(origin, s)
		}
		return s, nil
	})
	if stopped || err != nil {
		return nil, err
	}
	return s, s.err
}

// start returns the scheme and the authority of a URL as the URL has them, or "" for a URL of
// another form. If start(url) is an origin, it is the origin of url: most URLs are written so, and
// need no normalization.
func start(url string) string {
	i := strings.Index(url, "://")
	if i < 0 {
		return ""
	}
	for i += len("://"); i < len(url); i++ {
		switch url[i] {
		case '/', '?', '#':
			return url[:i]
		case '\\':
			return "" // it has no origin
		}
	}
	return url
}

// kept returns the cached site of an origin while it is fresh, or nil.
func (q *Inquirer) kept(origin string) *site {
	q.mu.Lock()
	s := q.sites[origin]
	q.mu.Unlock()
	if s == nil || !time.Now().Before(s.until) {
		return nil
	}
	return s
}

// keep caches a site.
func (q *Inquirer) keep(origin string, s *site) {
	q.mu.Lock()
	defer q.mu.Unlock()
	size := s.size()
	if old := q.sites[origin]; old != nil {
		q.size -= old.size()
		delete(q.sites, origin)
	}
	if q.sites == nil || len(q.sites) >= maxSites || q.size+size > maxSize {
		q.sites, q.size = make(map[string]*site), 0
	}
	q.sites[origin] = s
	q.size += size
}

// find gets the policy of an origin.
func (q *Inquirer) find(ctx context.Context, origin string) *site {
	s := &site{until: time.Now().Add(keepFor), maxGroups: maxSiteGroups}
	ask := q.config.Policy
	if ask == nil {
		ask = q.fetch
	}
	s.Source, s.err = ask(ctx, origin)
	r := s.Source.Fetched
	if s.err != nil || r == nil {
		return s
	}
	var dns *net.DNSError
	if r.State == fetch.Unreachable && errors.As(r.Err, &dns) && dns.IsNotFound {
		// The host does not exist, so there is nothing to allow or disallow.
		s.Source, s.err = Source{}, &noHostError{strings.TrimSuffix(dns.Name, ".")}
		return s
	}
	s.until = r.FreshUntil
	if most := time.Now().Add(q.config.MaxAge); q.config.MaxAge > 0 && s.until.After(most) {
		s.until = most
	}
	return s
}

// fetch gets the policy of an origin from the client.
func (q *Inquirer) fetch(ctx context.Context, origin string) (Source, error) {
	r, err := q.config.Client.Policy(ctx, origin)
	if err != nil {
		return Source{}, q.config.Explain(err)
	}
	return Source{Policy: r.Policy, Origin: r.Origin, Fetched: &r}, nil
}

// absolute reports whether s is a URL with a scheme and a host.
func absolute(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme != "" && u.Host != ""
}
