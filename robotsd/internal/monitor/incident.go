package monitor

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/robotsexclusion/robots/fetch"
)

// The states of an incident, and what a look does to it:
//
//	state     the look finds it                       the look does not find it
//
//	none      certain: open, begun                    none
//	          otherwise: pending
//	pending   open, begun                             none, or over if it was open before
//	open      open; changed if it is another finding  over, ended
//	over      as none, but the fourth beginning in    over; none a day after the last beginning
//	          24 hours: flapping, flapping
//	flapping  flapping; open after 6 hours, changed   flapping; over after 6 hours, ended
//
// The word after a state is the step that is reported. All changes, those of the rules for example,
// become over with the step accepted when none of them has changed for the time after which the
// site is normal as it is. Only site.step changes states; its caller has the site to itself.
//
// Changes are differences from the baseline, the last look at which the site was normal:
//
//	the look has                          the baseline    what the look says
//
//	no answer, or a bad certificate       stays           the failure
//	an unusable text, or none where one   stays           that fault, and what is closed
//	was before
//	the first text, or a text after an    the look        faults; noted: the site is closed
//	unusable baseline
//	changes that are notices, and whose   the look        faults; noted: the changes
//	reverse would be notices too
//	a new error of lint                   stays           the changes, and faults
//	other changes                         stays, as long  the changes, and faults
//	                                      as accept says
//
// So a repair ends incidents and begins none. A look without another baseline takes an empty or cut
// text for it: some sites have always had one. What a look says nothing about stays as it is.
type incidentState uint8

// Stored: never renumber.
const (
	pending  incidentState = 1
	open     incidentState = 2
	over     incidentState = 3
	flapping incidentState = 4
)

const (
	flapBegins = 4              // beginnings within flapWithin make an incident flap
	flapWithin = 24 * time.Hour // the time in which beginnings count
	flapCalm   = 6 * time.Hour  // the time without a change after which an incident no longer flaps
)

// An incident is a finding with its past. Its JSON is stored.
type incident struct {
	State   incidentState `json:"state"`
	Finding Finding       `json:"finding"` // the last one that was reported, or is pending
	Began   time.Time     `json:"began"`   // when the finding was first seen
	Moved   time.Time     `json:"moved"`   // when it last began, changed or ended
	Absent  bool          `json:"absent,omitempty"`
	Begins  []time.Time   `json:"begins,omitempty"` // within the last day, flapBegins at most
}

// A site is the state of one site between looks. Its JSON is stored.
type site struct {
	Origin    string       `json:"origin"`
	Baseline  *Observation `json:"baseline,omitempty"` // what changes are compared with
	Incidents []incident   `json:"incidents,omitempty"`
	NotBefore time.Time    `json:"not_before,omitzero"` // the site asks for no look before
	Last      string       `json:"last,omitempty"`      // the page or header at which a look ended before its time

	generation int // of the record that instances share
}

// step changes the incidents by an observation and what [Compare] found in it, and returns what is
// to be reported. Again says that a finding needs a second look soon. A change is normal after the
// time accept.
func (s *site) step(o *Observation, found []Finding, accept time.Duration) (updates []Update, again bool) {
	s.setBack(o.Time)
	s.NotBefore = o.NotBefore
	s.Last = cmp.Or(o.last, s.Last)
	o = o.completed(s.Baseline)
	switch {
	case s.begins(o):
		for _, f := range closures(o) {
			updates = append(updates, Update{Noted, o.Time, f})
		}
		s.Baseline = o
		found = slices.DeleteFunc(slices.Clone(found), func(f Finding) bool { return f.Kind == Empty })
	case s.normal(o, found):
		for _, f := range found {
			if isChange(f.Kind) {
				updates = append(updates, Update{Noted, o.Time, f})
			}
		}
		found = slices.DeleteFunc(slices.Clone(found), func(f Finding) bool { return isChange(f.Kind) })
		s.Baseline = o
	}
	for _, f := range found {
		f.fragile = false // as from its JSON
		i := s.incident(&f)
		if u, ok := i.seen(&f, o); ok {
			updates = append(updates, u)
		}
		again = again || i.State == pending
	}
	for n := range s.Incidents {
		i := &s.Incidents[n]
		if !slices.ContainsFunc(found, func(f Finding) bool { return i.is(&f) }) && !s.hidden(i, o) {
			if u, ok := i.missed(o.Time); ok {
				updates = append(updates, u)
			}
		}
	}
	if slices.ContainsFunc(updates, func(u Update) bool { return u.Step == Ended && isError(&u.Finding) }) {
		for n := range s.Incidents { // what is left may be part of the repair: its time begins now
			if i := &s.Incidents[n]; isChange(i.Finding.Kind) && i.State == open {
				i.Moved = o.Time
			}
		}
	}
	updates = append(updates, s.accept(o, accept)...)
	s.Incidents = slices.DeleteFunc(s.Incidents, func(i incident) bool {
		return i.State == over && len(i.recent(o.Time)) == 0
	})
	if len(s.Incidents) == 0 {
		s.Incidents = nil // as from its JSON
	}
	return updates, again
}

// setBack moves the times of incidents that are after now to now. Such times are from before the
// clock was set back: an incident with one would stay open, or come and go, until the clock is
// there again.
func (s *site) setBack(now time.Time) {
	for n := range s.Incidents {
		i := &s.Incidents[n]
		if i.Moved.After(now) {
			i.Moved = now
		}
		i.Begins = slices.Clone(i.Begins) // others may read it
		for k, begin := range i.Begins {
			if begin.After(now) {
				i.Begins[k] = now
			}
		}
	}
}

// begins reports whether an observation becomes the baseline because there is none to compare it
// with.
func (s *site) begins(o *Observation) bool {
	switch {
	case !o.File.UnreachableSince.IsZero():
		return false
	case s.Baseline != nil:
		return isRepair(s.Baseline, o)
	case o.File.Unusable == Empty:
		return !slices.ContainsFunc(s.Incidents, func(i incident) bool {
			return i.State != over && slices.Contains(textFaults, i.Finding.Kind)
		})
	}
	return o.File.Unusable == "" || o.File.Unusable == Cut
}

// sound reports whether an observation may become the baseline: its text is none that would have to
// be repaired, or it is as the baseline.
func (s *site) sound(o *Observation) bool {
	return o.File.UnreachableSince.IsZero() && s.Baseline != nil &&
		(o.File.Unusable == "" || !isLost(s.Baseline, o))
}

// normal reports whether an observation becomes the baseline: it differs from the baseline, and by
// nothing that somebody should look at, or whose repair somebody would have to look at.
func (s *site) normal(o *Observation, found []Finding) bool {
	changed := false
	for _, f := range found {
		if isChange(f.Kind) {
			if f.Severity > Notice || f.fragile || !certain(f.Kind, o) {
				return false
			}
			changed = true
		}
	}
	return s.sound(o) && (changed || s.Baseline != o && (s.Baseline.File.SHA256 != o.File.SHA256 ||
		!slices.EqualFunc(s.Baseline.Pages, o.Pages, samePage)))
}

// samePage reports whether two pages have the same URL, and both could be read, or neither.
func samePage(a, b Page) bool { return a.URL == b.URL && (a.Status == 0) == (b.Status == 0) }

// incident returns the incident of a finding. If there is none, it makes one without a state.
func (s *site) incident(f *Finding) *incident {
	for n := range s.Incidents {
		if s.Incidents[n].is(f) {
			return &s.Incidents[n]
		}
	}
	s.Incidents = append(s.Incidents, incident{})
	return &s.Incidents[len(s.Incidents)-1]
}

// hidden reports whether an observation says nothing about an incident: while a site fails, only
// its failure and its pages are seen, without its text not what else the text did, and after
// Retry-After neither the other pages nor the other headers.
func (s *site) hidden(i *incident, o *Observation) bool {
	kind, fails := i.Finding.Kind, !o.File.UnreachableSince.IsZero()
	switch kind {
	case Unreachable:
		return false
	case Certificate:
		return fails && o.File.CertificateEnds.IsZero() // nobody showed one
	case PageChanged, Vantage:
		if slices.Contains(o.Skipped, i.Finding.Subject) {
			return true
		}
	case BadSitemap:
		if slices.Contains(o.resting, i.Finding.Subject) {
			return true
		}
	}
	return fails && kind != PageChanged || isLost(s.Baseline, o) && lostWithText(kind, o)
}

// completed returns an observation that has the pages of another one, which may be nil, in place of
// those that it skipped.
func (o *Observation) completed(before *Observation) *Observation {
	if len(o.Skipped) == 0 || before == nil {
		return o
	}
	all := *o
	all.Pages = nil
	for _, old := range before.Pages {
		i := slices.IndexFunc(o.Pages, func(p Page) bool { return p.URL == old.URL })
		switch {
		case i >= 0:
			all.Pages = append(all.Pages, o.Pages[i])
		case slices.Contains(o.Skipped, old.URL):
			all.Pages = append(all.Pages, old)
		}
	}
	for _, p := range o.Pages {
		if !slices.ContainsFunc(before.Pages, func(old Page) bool { return p.URL == old.URL }) {
			all.Pages = append(all.Pages, p)
		}
	}
	return &all
}

// isError reports whether a finding is an error of lint.
func isError(f *Finding) bool { return f.Kind == Mistake && f.Severity > Notice }

// accept makes an observation the baseline if no change is younger than a time. An error in the
// text is never normal: its repair would be an incident.
func (s *site) accept(o *Observation, after time.Duration) (updates []Update) {
	changes := 0
	for _, i := range s.Incidents {
		if isChange(i.Finding.Kind) && i.State != over {
			changes++
			if i.State != open || isError(&i.Finding) || o.Time.Sub(i.Moved) < after {
				return nil
			}
		}
	}
	if changes == 0 || !s.sound(o) {
		return nil
	}
	s.Baseline = o
	for n := range s.Incidents {
		if i := &s.Incidents[n]; isChange(i.Finding.Kind) && i.State == open {
			i.State, i.Moved, i.Absent = over, o.Time, true
			updates = append(updates, Update{Accepted, i.Began, i.Finding})
		}
	}
	return updates
}

// is reports whether a finding belongs to an incident.
func (i *incident) is(f *Finding) bool {
	return i.Finding.Kind == f.Kind && i.Finding.Subject == f.Subject ||
		slices.Contains(textFaults, i.Finding.Kind) && slices.Contains(textFaults, f.Kind)
}

// seen changes the incident by a look that finds it.
func (i *incident) seen(f *Finding, o *Observation) (u Update, report bool) {
	switch i.State {
	case open:
		if i.Finding.content() == f.content() {
			return u, false
		}
		i.Finding, i.Moved = *f, o.Time
		return Update{Changed, i.Began, *f}, true
	case flapping:
		if i.Absent {
			i.Absent, i.Moved = false, o.Time
		}
		if o.Time.Sub(i.Moved) < flapCalm {
			return u, false
		}
		i.State, i.Finding, i.Moved = open, *f, o.Time
		return Update{Changed, i.Began, *f}, true
	case pending:
	default: // none, over
		i.Began = o.Time
		if !certain(f.Kind, o) {
			i.State, i.Finding = pending, *f
			return u, false
		}
	}
	i.State, i.Finding, i.Moved, i.Absent = open, *f, o.Time, false
	if i.Begins = append(i.recent(o.Time), o.Time); len(i.Begins) > flapBegins {
		i.Begins = i.Begins[1:]
	}
	if len(i.Begins) >= flapBegins {
		i.State = flapping
		return Update{Flapping, i.Began, *f}, true
	}
	return Update{Begun, i.Began, *f}, true
}

// missed changes the incident by a look that does not find it.
func (i *incident) missed(now time.Time) (u Update, report bool) {
	switch i.State {
	case pending:
		i.State = over
		return u, false
	case open:
		i.State, i.Moved, i.Absent = over, now, true
		return Update{Ended, i.Began, i.Finding}, true
	case flapping:
		if !i.Absent {
			i.Absent, i.Moved = true, now
		}
		if now.Sub(i.Moved) < flapCalm {
			return u, false
		}
		i.State, i.Moved = over, now
		return Update{Ended, i.Began, i.Finding}, true
	}
	return u, false
}

// recent returns the beginnings of the last day.
func (i *incident) recent(now time.Time) []time.Time {
	return slices.DeleteFunc(slices.Clone(i.Begins), func(t time.Time) bool { return now.Sub(t) >= flapWithin })
}

// isChange reports whether a kind is a difference from the baseline, rather than wrong whatever was
// before.
func isChange(k Kind) bool {
	switch k {
	case ClosedSite, ClosedSearch, OpenedSite, Closed, Opened, Records, Status, Redirected, PageChanged,
		Mistake:
		return true
	}
	return false
}

// certain reports whether one look is enough for a finding. The contents of a robots.txt are; what
// else a server answers is often gone a minute later. A server that asks for more than this minute
// says itself that it fails, and a second look must wait.
func certain(k Kind, o *Observation) bool {
	switch k {
	case ClosedSite, ClosedSearch, OpenedSite, Closed, Opened, Records, Redirected, Claim, Status, Mistake:
		return o.File.State == fetch.OK && slices.Contains([]Kind{"", Empty, Cut}, o.File.Unusable)
	case UTF16, Cut, Certificate, Undecided:
		return true
	case Unreachable, Vantage, PageChanged, BadSitemap:
		return o.NotBefore.Sub(o.Time) > soonAfter
	}
	return false
}

// content returns what makes a finding another one: not the witness, nor the text of an error,
// which differs from look to look.
func (f *Finding) content() string {
	before, after := answerWord(f.Before), answerWord(f.After)
	switch {
	case f.Kind == Unreachable, f.Kind == Redirected, f.Kind == BadSitemap:
		before, after = "", f.After
	case f.Kind == Certificate && f.After != "":
		after = "invalid"
	case slices.Contains(textFaults, f.Kind):
		before, after = "", string(f.Kind)
	}
	return fmt.Sprintf("%d %q %q %q %q", f.Severity, f.Robots, f.Patterns, before, after)
}

// answerWord returns an answer as answerOf describes it, without the text of an error.
func answerWord(s string) string {
	if s != "" && '0' <= s[0] && s[0] <= '9' || slices.Contains(textFaults, Kind(s)) {
		return s
	}
	return ""
}
