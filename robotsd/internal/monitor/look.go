package monitor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/http/renewed"
)

// A Looker looks at sites. The zero Looker is ready to use; it keeps no history. A Looker is safe
// for concurrent use. Do not change its fields after the first use.
type Looker struct {
	// UserAgent is the header of requests, as in [fetch.Client]. Pages are requested without it
	// if it is empty.
	UserAgent string

	// History keeps what robots.txt was, usually a [fetch.Dir]. With a history, an unchanged text
	// is not sent again, and the time of the first failure survives the process. Nil means a
	// [fetch.Memory].
	History fetch.Cache

	// Transport makes the requests, and must filter addresses. Nil means the transport of the zero
	// [fetch.DialFilter].
	Transport http.RoundTripper

	// Lookup returns the addresses of a host. A [Monitor] lets each address rest between two looks,
	// and must know the addresses of a site before the first. Nil means the DNS of the system.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)

	once      sync.Once
	transport http.RoundTripper
	client    *fetch.Client

	mu   sync.Mutex
	past map[string][]*sitemapPast // by origin
}

func (l *Looker) setUp() {
	l.once.Do(func() {
		l.transport = l.Transport
		if l.transport == nil {
			// Sites and pages may redirect each look to another host: the list of sites does not
			// bound what is kept.
			l.transport = renewed.New(fetch.DialFilter{}.Transport, renewed.After)
		}
		l.transport = witnessTransport{l.transport}
		history := l.History
		if history == nil {
			history = new(fetch.Memory)
		}
		l.client = &fetch.Client{UserAgent: l.UserAgent, Cache: alwaysStale{history},
			Transport: l.transport}
	})
}

// Look looks at a site. Its requests follow one another: a look never makes two at once. The
// failure of a server is an observation and no error: the error is that of the URL or of ctx.
//
// Look makes a request for robots.txt, one for each page, and one more for each header of s.As,
// without redirects; it takes a minute at most for each, and for all of the sitemaps that
// robots.txt names. After an answer 429 or 503 with Retry-After it makes no other request:
// Observation.Skipped has the rest.
func (l *Looker) Look(ctx context.Context, s Site) (*Observation, error) {
	return l.look(ctx, s, nil, "", true)
}

// look is Look, which requests all sitemaps; the looks of a watch request some. Failing says since
// when the site fails, or that it does not if the time is zero; if failing is nil, the history
// knows that. The pages and headers begin behind the one that last is.
func (l *Looker) look(ctx context.Context, s Site, failing *time.Time, last string,
	all bool) (*Observation, error) {
	l.setUp()
	o := &Observation{Time: time.Now().UTC().Truncate(time.Millisecond)}
	var err error
	if o.Origin, err = fetch.Origin(s.URL); err != nil {
		return nil, err
	}
	w := &witness{origin: o.Origin}
	r, err := l.client.Policy(watched(ctx, w), s.URL)
	if refused, ok := errors.AsType[*fetch.RefusedError](err); ok {
		r.State, r.Cause, r.Err, r.UnreachableSince, err = fetch.Unreachable, refusedCause(refused), refused, o.Time,
			nil
		r.Policy = robots.DisallowAll()
	}
	if err != nil {
		return nil, err
	}
	if failing != nil && !r.UnreachableSince.IsZero() {
		r.UnreachableSince = *failing
		if failing.IsZero() || failing.After(o.Time) { // stored while the clock was ahead
			r.UnreachableSince = o.Time
		}
	}
	o.File, o.Policy = fileOf(&r, w), r.Policy
	o.NotBefore = o.File.NotBefore
	o.Findings = fileFindings(&o.File, o.Policy, r.Err, s.CertificateDays, o.Time)
	headers := s.As
	if o.File.UnreachableSince.IsZero() {
		o.Findings = append(o.Findings, claimFindings(o, s.Claims)...)
		o.Findings = append(o.Findings, expectFindings(ctx, o, s.Expect)...)
	} else if o.NotBefore.IsZero() {
		headers = nil // the rules in force are a copy
	}
	if err := l.rest(ctx, o, turns(s.Pages, headers, last)); err != nil {
		return nil, err
	}
	l.sitemaps(ctx, o, all)
	slices.SortStableFunc(o.Pages, func(a, b Page) int {
		return cmp.Compare(slices.Index(s.Pages, a.URL), slices.Index(s.Pages, b.URL))
	})
	return o, ctx.Err()
}

// rest makes the requests of a look that follow the one for robots.txt, until the site asks for
// time.
func (l *Looker) rest(ctx context.Context, o *Observation, turns []turn) error {
	for _, t := range turns {
		switch {
		case !o.NotBefore.IsZero():
			o.Skipped = append(o.Skipped, t.text)
			continue
		case t.page:
			o.Pages = append(o.Pages, l.page(ctx, o, t.text))
		default:
			found, err := l.vantage(ctx, o, t.text)
			if err != nil {
				return err
			}
			o.Findings = append(o.Findings, found...)
		}
		if !o.NotBefore.IsZero() {
			o.last = t.text
		}
	}
	return nil
}

// A turn is a request of a look after the one for robots.txt.
type turn struct {
	page bool
	text string // the URL of the page, or the header with which to fetch robots.txt
}

// turns returns the requests of a look, in order. A site may always limit some of them, and a look
// ends at the first that is limited. The next look begins behind that one, and ends with it, so
// that those after it have their turn.
func turns(pages, headers []string, last string) (all []turn) {
	for _, url := range pages {
		all = append(all, turn{true, url})
	}
	for _, header := range headers {
		all = append(all, turn{false, header})
	}
	next := 1 + slices.IndexFunc(all, func(t turn) bool { return t.text == last })
	return slices.Concat(all[next:], all[:next])
}

// refusedCause says why the filter refused an address, without the advice to programmers of the
// error.
func refusedCause(e *fetch.RefusedError) string {
	return fmt.Sprintf("%s is a special address (%s)", e.Addr, e.Name)
}

// addresses returns the addresses of a host, or none if they cannot be found: then the look says
// why.
func (l *Looker) addresses(ctx context.Context, host string) []netip.Addr {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr.Unmap()}
	}
	lookup := l.Lookup
	if lookup == nil {
		lookup = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	addrs, err := lookup(ctx, host)
	if err != nil {
		return nil
	}
	for i := range addrs {
		addrs[i] = addrs[i].Unmap()
	}
	return addrs
}

// fileOf returns what is kept of a result.
func fileOf(r *fetch.Result, w *witness) File {
	f := File{State: r.State, Status: r.Status, Cause: r.Cause, UnreachableSince: r.UnreachableSince}
	var retryAfter time.Duration
	f.CertificateEnds, f.Challenge, retryAfter = w.seen()
	if r.State == fetch.Unreachable && retryAfter > 0 {
		f.NotBefore = r.CheckedAt.Add(retryAfter)
	}
	if len(r.Redirects) > 0 {
		f.Final = r.URL
	}
	if r.State == fetch.OK && r.File != nil {
		if f.Status == http.StatusNotModified {
			f.Status = http.StatusOK
		}
		f.SHA256, f.Size, f.HTML, f.Cut = r.File.SHA256, r.File.Size, r.File.HTML, r.File.Cut
		if f.HTML {
			f.Challenge = cmp.Or(f.Challenge, challengeText(r.File.Policy.String()))
		}
	}
	return f
}
