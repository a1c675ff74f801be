package robottest

import (
	"cmp"
	"slices"
	"time"

	"github.com/robotsexclusion/robots/internal/language"
)

// A Report has the results of a robot, according to the log of the web. Its texts may be those of
// strangers.
type Report struct {
	Tokens     []string `json:"tokens"`      // the product tokens in the User-agent lines for the robot
	UserAgents []string `json:"user_agents"` // up to 50

	Began    time.Time `json:"began"`
	Ended    time.Time `json:"ended"`
	Requests int       `json:"requests"`
	Hosts    int       `json:"hosts"`        // exercises with requests
	Of       int       `json:"of_hosts"`     // all exercises
	Level    Level     `json:"level"`        // the highest whose duties are all kept
	Clean    Level     `json:"no_violation"` // the highest whose duties are not broken
	Selected bool      `json:"selected"`     // only some duties were tested: the report says nothing about levels

	Duties []Result `json:"duties"`
	Notes  []string `json:"notes"`

	notes []language.Message // Notes in all languages
}

// A Result is the outcome of a duty.
type Result struct {
	*Duty
	Outcome Outcome `json:"outcome"`
	Reason  string  `json:"reason,omitempty"` // of an outcome other than Kept
	Count   int     `json:"count"`            // requests that show the outcome
	// Requests are the first of them, up to maxShown.
	Requests []Request `json:"requests"`

	reason language.Message
}

// maxShown limits the requests of a result.
const maxShown = 10

// Report judges the requests until now.
func (w *Web) Report() (*Report, error) {
	t := w.trial()
	var err error
	if t.disallowed, err = disallowed(t); err != nil {
		return nil, err
	}
	w.mu.Lock()
	tokens := append([]string{}, w.tokens...) // JSON says [] without a robot, and not null
	w.mu.Unlock()
	r := &Report{Tokens: tokens, UserAgents: t.agents, Began: w.began, Ended: t.now, Requests: t.total,
		Of: len(w.sites), Selected: len(w.options.Duties) > 0, Notes: []string{}}
	for _, s := range w.sites {
		if len(t.bySite[s]) > 0 {
			r.Hosts++
		}
	}
	for i := range w.duties {
		r.Duties = append(r.Duties, t.result(&w.duties[i]))
	}
	if !r.Selected {
		r.Level, r.Clean = r.reached(true), r.reached(false)
	}
	r.notes = w.noted(t)
	for _, note := range r.notes {
		r.Notes = append(r.Notes, note.In(language.English))
	}
	return r, nil
}

// reached returns the highest level whose duties, and those of the levels below, are kept, or at
// least not broken.
func (r *Report) reached(shown bool) Level {
	if r.Requests == 0 {
		return None
	}
	for level := Basic; level <= Exemplary; level++ {
		for _, result := range r.Duties {
			if result.Level == level && (result.Outcome == Broken || shown && result.Outcome == NotShown &&
				!result.Optional) {
				return level - 1
			}
		}
	}
	return Exemplary
}

// Passes returns whether the robot passes the test: nothing is broken, or if a level is required,
// all tested duties of the level and of those below are kept. Duties that are not shown do not
// count against it if untested is set.
func (r *Report) Passes(required Level, untested bool) bool {
	if required == None {
		required, untested = Exemplary, true
	}
	return r.reached(!untested) >= required
}

// trial copies the log.
func (w *Web) trial() *trial {
	t := &trial{web: w, bySite: make(map[*site][]*Request), lost: make(map[*site]losses)}
	for _, s := range w.sites {
		s.mu.Lock()
		open := slices.Clone(s.requests)
		t.lost[s] = losses{max(s.files-maxFiles, 0), max(s.pages-maxPages, 0)}
		s.mu.Unlock()
		w.mu.Lock() // the ends of requests are written under it
		for _, r := range open {
			c := *r
			t.bySite[s] = append(t.bySite[s], &c)
		}
		w.mu.Unlock()
		slices.SortFunc(t.bySite[s], func(a, b *Request) int { return cmp.Compare(a.begin, b.begin) })
		t.all = append(t.all, t.bySite[s]...)
	}
	slices.SortFunc(t.all, func(a, b *Request) int { return cmp.Compare(a.begin, b.begin) })
	w.mu.Lock()
	defer w.mu.Unlock()
	t.total = w.total
	for i := range w.faults {
		t.faults[i] = w.faults[i].copy()
	}
	if n := len(t.all); n > 0 && w.newest.begin > t.all[n-1].begin {
		newest := *w.newest
		t.beyond = &newest
	}
	t.agents = append([]string{}, w.agents...)
	t.now = w.options.clock.now()
	return t
}

// result judges one duty.
func (t *trial) result(d *Duty) Result {
	var s *site
	if d.site != "" {
		s = t.web.byName[d.site+".test"]
	}
	v := d.judge(t, s)
	if v.outcome == Kept && t.lostFor(d, s) {
		v = notShown(textNotAllKept)
	}
	r := Result{Duty: d, Outcome: v.outcome, Reason: v.reason.In(language.English), reason: v.reason,
		Count: len(v.requests) + v.more, Requests: []Request{}}
	for _, request := range v.requests[:min(len(v.requests), maxShown)] {
		r.Requests = append(r.Requests, *request)
	}
	return r
}

// lostFor returns whether a request that was not kept could break a duty, whose exercise is s, or
// nil.
func (t *trial) lostFor(d *Duty, s *site) bool {
	for at, n := range t.lost {
		if (s == nil || s == at) && (d.needs != firstRequests && n.files > 0 || d.needs == allRequests && n.pages > 0) {
			return true
		}
	}
	return false
}
