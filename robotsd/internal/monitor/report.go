package monitor

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/fetch"
)

// A Report says how a watch goes.
type Report struct {
	Began  time.Time      `json:"began"`  // when this instance began to watch
	Total  int            `json:"total"`  // sites of the watch
	Here   int            `json:"here"`   // of these, the sites that this instance watches
	States map[string]int `json:"states"` // the sites here, by SiteReport.State
	Doubts map[string]int `json:"doubts"` // the fine sites here that are in doubt, by SiteReport.Doubt
	Found  int            `json:"found"`  // sites that were asked for, of which Sites may be the first
	Sites  []SiteReport   `json:"sites"`  // those with the most severe incidents first; not nil
}

// A SiteReport says how the watch of a site goes.
type SiteReport struct {
	Origin string `json:"origin"`

	// State is the severity of the most severe open incident: "critical", "warning" or "notice". Of
	// a site without one it is "failed" or "held" if the last look came to nothing, "waiting"
	// before the first look of this instance, "elsewhere" if another instance watches the site, and
	// else "fine".
	State string `json:"state"`

	Last      time.Time `json:"last,omitzero"`       // when the last look of this instance ended
	Next      time.Time `json:"next,omitzero"`       // when the next look is due
	NotBefore time.Time `json:"not_before,omitzero"` // the site asks for no request before
	// what the last look got; nil before the first look of this instance
	File *File `json:"file,omitempty"`
	// Doubt is why a site is not in order, though its State is "fine": "pending" if a problem is to
	// be confirmed, "closed" if the text closes the home page to a search engine, or else "".
	Doubt string `json:"doubt,omitempty"`
	// the text of the last look closes the home page to a search engine
	Closed bool `json:"closed,omitempty"`
	// the last look was not stored: the network of the watch seems to be down
	Held      bool       `json:"held,omitempty"`
	Error     string     `json:"error,omitempty"` // why the last look came to nothing
	Incidents []Incident `json:"incidents"`       // those that are not over, the most severe first; not nil
}

// An Incident is a finding that is not over.
type Incident struct {
	// State is "pending" if one look has seen the finding, and another one is to confirm it;
	// "open"; or "flapping" if the finding comes and goes too often to report each time.
	State   string    `json:"state"`
	Began   time.Time `json:"began"`          // when the finding was first seen
	Moved   time.Time `json:"moved,omitzero"` // when it last began, changed or ended; zero while it is pending
	Finding Finding   `json:"finding"`
}

// incidentStates are the words for states. Programs read them: never change a word.
var incidentStates = map[incidentState]string{pending: "pending", open: "open", flapping: "flapping"}

// The states of sites without an open incident.
const (
	stateFailed    = "failed"
	stateHeld      = "held"
	stateWaiting   = "waiting"
	stateFine      = "fine"
	stateElsewhere = "elsewhere"
)

// stateRanks has the order in which a report lists sites: the highest rank is the first.
var stateRanks = map[string]int{
	Critical.String(): 8, Warning.String(): 7, Notice.String(): 6, stateFailed: 5, stateHeld: 4, stateWaiting: 3,
	stateFine: 2, stateElsewhere: 1,
}

// Report returns how the watch goes, with up to limit of the sites whose origins contain a text. It
// may be called while Run runs.
func (m *Monitor) Report(limit int, text string) *Report {
	r := &Report{Began: m.began.UTC(), Total: len(m.config.Sites), States: make(map[string]int),
		Doubts: make(map[string]int), Sites: []SiteReport{}}
	text = strings.ToLower(text)
	type place struct{ rank, site int }
	var places []place // a report of each site would be megabytes to sort
	for i, origin := range m.origins {
		s := m.siteReport(i)
		if s.State != stateElsewhere {
			r.Here++
			r.States[s.State]++
		}
		rank := 2 * stateRanks[s.State]
		if s.Doubt != "" {
			r.Doubts[s.Doubt]++
			rank++
		}
		if strings.Contains(origin, text) {
			places = append(places, place{rank, i})
		}
	}
	r.Found = len(places)
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), strings.Compare(m.origins[a.site], m.origins[b.site]))
	})
	for _, p := range places[:min(max(limit, 0), len(places))] {
		r.Sites = append(r.Sites, m.siteReport(p.site))
	}
	return r
}

// siteReport returns how the watch of the site with an index goes.
func (m *Monitor) siteReport(i int) SiteReport {
	origin := m.origins[i]
	r := SiteReport{Origin: origin, State: stateElsewhere, Incidents: []Incident{}}
	if m.shared != nil && !m.shared.has(origin) {
		return r
	}
	state := m.store.state(origin)
	r.NotBefore = state.NotBefore
	m.book.fill(m.config.Sites[i].URL, &r)
	worst := Severity(0)
	for _, i := range state.Incidents {
		if word, ok := incidentStates[i.State]; ok {
			r.Incidents = append(r.Incidents, Incident{word, i.Began, i.Moved, i.Finding})
			if i.State != pending {
				worst = max(worst, i.Finding.Severity)
			}
		}
	}
	slices.SortStableFunc(r.Incidents, func(a, b Incident) int {
		return cmp.Or(cmp.Compare(b.Finding.Severity, a.Finding.Severity), b.Began.Compare(a.Began))
	})
	switch {
	case worst > 0:
		r.State = worst.String()
	case r.Error != "":
		r.State = stateFailed
	case r.Held:
		r.State = stateHeld
	case r.Last.IsZero():
		r.State = stateWaiting
	default:
		r.State = stateFine
		r.Doubt = r.doubt()
	}
	return r
}

// doubt returns the Doubt of a site without an open incident.
func (r *SiteReport) doubt() string {
	isPending := func(i Incident) bool { return i.State == incidentStates[pending] }
	switch {
	case slices.ContainsFunc(r.Incidents, isPending),
		r.File != nil && (r.File.State == fetch.Unreachable || r.File.State == fetch.Forbidden):
		return "pending"
	case r.Closed:
		return "closed"
	}
	return ""
}

// has reports whether this instance watches a site.
func (s *sharedStore) has(origin string) bool {
	part, _ := placeOf(origin)
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.parts[part]
	return p != nil && !p.leaves
}

// A book has what a Monitor remembers of its looks for a Report. It is safe for concurrent use.
type book struct {
	mu    sync.Mutex
	sites map[string]*page // by URL
}

// A page is what a book has of a site.
type page struct {
	last, next time.Time
	file       *File
	closed     bool
	held       bool
	failure    string
}

// page returns the page of a site. b.mu must be held.
func (b *book) page(url string) *page {
	p := b.sites[url]
	if p == nil {
		if b.sites == nil {
			b.sites = make(map[string]*page)
		}
		p = new(page)
		b.sites[url] = p
	}
	return p
}

// plan notes when the next look at a site is due.
func (b *book) plan(s *Site, due time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.page(s.URL).next = due.UTC().Truncate(time.Second)
}

// looked notes a look that has ended.
func (b *book) looked(l *Look) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.page(l.Site.URL)
	p.last, p.held, p.failure = time.Now().UTC().Truncate(time.Second), l.Held, ""
	if l.Err != nil {
		p.failure = strings.TrimPrefix(l.Err.Error(), "monitor: ")
	}
	if l.Observation != nil {
		file := l.Observation.File
		p.file = &file
		p.closed = file.State == fetch.OK && closesHome(l.Observation.Policy)
	}
}

// forget forgets a site that is another instance's now.
func (b *book) forget(url string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.sites, url)
}

// fill writes what is noted of a site into a report.
func (b *book) fill(url string, r *SiteReport) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p := b.sites[url]; p != nil {
		r.Last, r.Next, r.File, r.Closed, r.Held, r.Error = p.last, p.next, p.file, p.closed, p.held, p.failure
	}
}
