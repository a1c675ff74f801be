package monitor

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robotsexclusion/robots/fetch"
)

// A Config says what a [Monitor] watches, and who gets its events. Nothing writes to a Config.
type Config struct {
	Dir           string // the folder of the journal; one process at a time may use it
	Looker        *Looker
	Sites         []Site
	Subscriptions []Subscription

	// Sharing divides the sites among several instances of the watch, and keeps their states: then
	// Dir has no journal, and no instance but the owner of a site looks at the site and sends its
	// events. Nil means that all sites are this Monitor's.
	Sharing Sharing

	// Wait is how long an event waits for the same news of other sites, so that they are one
	// message; 0 means 30 seconds, and a negative time that no event waits. After a message, the
	// same news wait until ten times Wait has passed since then, and no event longer than that.
	Wait time.Duration

	// AcceptAfter is the time after which a change that stays is normal; 0 means a week.
	AcceptAfter time.Duration

	// Concurrency is the maximum number of looks at a time; 0 means 16.
	Concurrency int

	// Looked is called after each look, by one goroutine at a time, unless it is nil.
	Looked func(Look)

	// Failed is called with errors that do not end the watch, by one goroutine at a time, unless it
	// is nil: a
	// [*DeliveryError], or an error of the disk. The step that failed is tried again.
	Failed func(error)
}

// A Look is the outcome of a look at a site.
type Look struct {
	Site        Site
	Observation *Observation // nil if Err is set
	Findings    []Finding    // of [Compare] with what is normal for the site; see [Monitor.Once]
	Updates     []Update     // what the look changed in the incidents of the site
	Err         error        // why there was no look, or why it was not stored

	// Held says that the look was not stored: so many sites do not answer that the network of the
	// watch itself must be down.
	Held bool

	// Left says that there was no look: another instance watches the site from now on. The other
	// fields but Site are empty.
	Left bool
}

// A Monitor watches sites. Its methods must not be called at the same time, but for Report and
// Events.
type Monitor struct {
	config  Config
	store   store
	shared  *sharedStore // the store, if sites are shared
	senders []*sender
	outage  outage
	parts   map[int][]Site // if sites are shared
	moves   chan move      // to the schedule
	ended   chan struct{}  // closed when the schedule takes no more moves
	began   time.Time
	origins []string // of config.Sites
	book    book
	once    bool

	mu sync.Mutex // held while functions of config are called
}

// lookupTimeout is how long a look waits for the addresses of its site, after which it goes on
// without them.
const lookupTimeout = 15 * time.Second

// New opens the journal, or locks the folder if sites are shared. Close the Monitor when it is no
// longer needed. The error says which part of the Config is wrong, or why the journal cannot be
// used.
func New(c Config) (*Monitor, error) {
	names := make([]string, 0, len(c.Subscriptions))
	seen := make(map[string]bool)
	for _, s := range c.Subscriptions {
		if s.Name == "" || s.Receiver == nil || seen[s.Name] {
			return nil, fmt.Errorf("monitor: the receiver %q needs a name of its own, and a Receiver", s.Name)
		}
		seen[s.Name] = true
		names = append(names, s.Name)
	}
	origins := make(map[string]Site)
	var inOrder []string
	for _, s := range c.Sites {
		origin, err := fetch.Origin(s.URL)
		if err != nil {
			return nil, err
		}
		if _, ok := origins[origin]; ok {
			return nil, fmt.Errorf("monitor: %s is watched twice", origin)
		}
		origins[origin] = s
		inOrder = append(inOrder, origin)
	}
	if c.Looker == nil {
		c.Looker = new(Looker)
	}
	if c.AcceptAfter == 0 {
		c.AcceptAfter = 7 * 24 * time.Hour
	}
	switch {
	case c.Wait == 0:
		c.Wait = usualWait
	case c.Wait < 0:
		c.Wait = 0
	}
	if c.Concurrency <= 0 {
		c.Concurrency = 16
	}
	m := &Monitor{config: c, moves: make(chan move), began: time.Now(), origins: inOrder}
	var err error
	if c.Sharing != nil {
		m.shared, err = openShared(c.Dir, c.Sharing, names)
		m.store = m.shared
	} else {
		m.store, err = openJournal(c.Dir, names)
	}
	if err != nil {
		return nil, fmt.Errorf("monitor: %w", err)
	}
	if m.shared != nil {
		m.shared.changed, m.shared.report = m.wake, m.failed
		m.parts = make(map[int][]Site)
		for origin, s := range origins {
			part, _ := placeOf(origin)
			m.parts[part] = append(m.parts[part], s)
		}
	}
	for _, s := range c.Subscriptions {
		m.senders = append(m.senders, newSender(s, m.store, c.Wait, m.failed))
	}
	return m, nil
}

// Close closes the journal. Events that were not delivered stay there.
func (m *Monitor) Close() error { return m.store.close() }

// Run watches the sites until ctx is done. Each site is looked at once in its interval: the looks
// are spread over the interval, and follow each other at an IP address with a pause of a quarter of
// a second. A site that answers 429 or 503 with Retry-After is not looked at before, but after a
// day at most.
func (m *Monitor) Run(ctx context.Context) {
	var work sync.WaitGroup
	for _, s := range m.senders {
		work.Go(func() { s.run(ctx) })
	}
	s := newSchedule(m.config.Sites, time.Now(), false)
	s.plan = m.book.plan
	if m.shared != nil {
		m.ended = make(chan struct{})
		s.share()
		work.Go(func() { m.config.Sharing.Run(ctx, m.take, m.leave) })
	}
	s.tell()
	s.run(ctx, m.config.Concurrency, m, m.moves)
	if m.shared != nil {
		close(m.ended)
	}
	work.Wait()
}

// take begins to watch the sites of a part.
func (m *Monitor) take(ctx context.Context, part int) error {
	if err := m.shared.take(ctx, part); err != nil {
		return err
	}
	m.move(move{part, true})
	return nil
}

// move tells the schedule of a part.
func (m *Monitor) move(to move) {
	select {
	case m.moves <- to:
	case <-m.ended:
	}
}

// leave ends the watch of the sites of a part.
func (m *Monitor) leave(part int) {
	m.shared.leave(part)
	m.move(move{part, false})
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.parts[part] {
		m.book.forget(s.URL)
		if m.config.Looked != nil {
			m.config.Looked(Look{Site: s, Left: true})
		}
	}
}

// wake has the senders look whether there is something to send.
func (m *Monitor) wake() {
	for _, s := range m.senders {
		select {
		case s.wake <- struct{}{}:
		default: // awake already
		}
	}
}

// Once looks at each site once, with the pauses of Run, and then tries to deliver each event once,
// in as few messages as Run: no event waits longer. A site that has asked for no request now is not
// looked at: its Look has an error. Once is not for sites that are shared.
//
// The Findings also say that the site, or its home page, is closed to search engines, although that
// may be normal; and those of the first look at a site, which errors lint finds in its text, and
// which pages are missing or not to be indexed.
func (m *Monitor) Once(ctx context.Context) {
	m.once = true
	defer func() { m.once = false }()
	newSchedule(m.config.Sites, time.Now(), true).run(ctx, m.config.Concurrency, m, nil)
	var work sync.WaitGroup
	for _, s := range m.senders {
		work.Go(func() {
			if err := s.flush(ctx); err != nil {
				m.failed(err)
			}
		})
	}
	work.Wait()
}

// find implements worker.
func (m *Monitor) find(ctx context.Context, s *Site) []netip.Addr {
	u, err := url.Parse(s.URL)
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	return m.config.Looker.addresses(ctx, u.Hostname())
}

// look implements worker: it looks at a site and stores the outcome.
func (m *Monitor) look(ctx context.Context, s *Site) (r looked) {
	origin, err := fetch.Origin(s.URL)
	if err != nil {
		return r // New has refused it
	}
	ctx, release, held := m.store.hold(ctx, origin)
	if !held {
		return r
	}
	defer release()
	var first atomic.Pointer[netip.Addr] // before redirects
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		if ap, err := netip.ParseAddrPort(info.Conn.RemoteAddr().String()); err == nil {
			addr := ap.Addr().Unmap()
			first.CompareAndSwap(nil, &addr)
		}
	}})
	l := Look{Site: *s}
	if until := m.store.state(origin).NotBefore; isPause(time.Until(until)) {
		r.notBefore = until
		l.Err = fmt.Errorf("the server asks for no request before %s (Retry-After)", until.Format(time.RFC3339))
	} else if l.Observation, l.Err = m.config.Looker.look(ctx, *s, m.failing(origin),
		m.store.state(origin).Last, m.once); l.Err == nil {
		r.soon = m.settle(ctx, &l)
		r.notBefore = l.Observation.NotBefore
	}
	if a := first.Load(); a != nil {
		r.addr = *a
	}
	if ctx.Err() != nil {
		r.soon = false
		return r
	}
	m.book.looked(&l)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.config.Looked != nil {
		m.config.Looked(l)
	}
	return r
}

// failing returns since when a site fails, or nil if the history of the Looker knows that.
func (m *Monitor) failing(origin string) *time.Time {
	if since, known := m.store.failing(origin); known {
		return &since
	}
	return nil
}

// settle stores what follows from a look, and wakes the senders.
func (m *Monitor) settle(ctx context.Context, l *Look) (soon bool) {
	o := l.Observation
	if l.Held = m.outage.see(o.Origin, unanswered(o)); l.Held {
		return true
	}
	for range 3 { // while the state is another one meanwhile
		s := m.store.state(o.Origin)
		if l.Err = m.store.complete(ctx, s, o); l.Err != nil {
			return true
		}
		first := s.Baseline == nil
		l.Findings = Compare(s.Baseline, o)
		l.Updates, soon = s.step(o, l.Findings, m.config.AcceptAfter)
		if m.once {
			l.Findings = withStanding(l.Findings, o, first)
		}
		if l.Err = m.store.commit(ctx, s, o, l.Updates, m.subscribers); !errors.Is(l.Err, errReloaded) {
			break
		}
	}
	if l.Err != nil {
		l.Updates = nil
		return true
	}
	if len(l.Updates) > 0 {
		m.wake()
	}
	return soon
}

// subscribers returns the names of the receivers that get an event.
func (m *Monitor) subscribers(e *Event) (names []string) {
	severity := e.Severity()
	for _, s := range m.config.Subscriptions {
		if severity >= s.Least {
			names = append(names, s.Name)
		}
	}
	return names
}

// failed reports an error.
func (m *Monitor) failed(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.config.Failed != nil {
		m.config.Failed(err)
	}
}
