package robottest

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/language"
)

// An Outcome is the result of a duty, according to the log.
type Outcome uint8

// The outcomes.
const (
	NotShown Outcome = iota
	Kept
	Broken
)

var outcomeNames = [...]string{"not shown", "kept", "broken"}

// String returns "kept", "broken" or "not shown".
func (o Outcome) String() string { return outcomeNames[o] }

// MarshalText returns the text of String.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// A verdict is the outcome of one duty, with its reason and the requests that show it.
type verdict struct {
	outcome  Outcome
	reason   language.Message
	requests []*Request // the first of them, if there are more
	more     int        // of the requests
}

func kept(requests ...*Request) verdict { return verdict{outcome: Kept, requests: requests} }

func broken(reason language.Message, requests ...*Request) verdict {
	return verdict{outcome: Broken, reason: reason, requests: requests}
}

func notShown(reason language.Text, args ...any) verdict {
	return verdict{outcome: NotShown, reason: reason.With(args...)}
}

// A trial is the log of a web at one time, to be judged.
type trial struct {
	web    *Web
	now    time.Time
	all    []*Request // in the order of their starts, those that were kept
	total  int        // of all, kept or not
	bySite map[*site][]*Request
	agents []string

	disallowed map[*Request]language.Message // the rules that the audit found
	lost       map[*site]losses
	faults     [faultKinds]tally
	beyond     *Request // the last request, if it was not kept
}

// losses are the numbers of requests to a site that were not kept.
type losses struct{ files, pages int }

// newest returns the last request. There must be one.
func (t *trial) newest() *Request {
	if t.beyond != nil {
		return t.beyond
	}
	return t.all[len(t.all)-1]
}

// pages returns the requests to a site for anything but robots.txt.
func (t *trial) pages(s *site) (pages []*Request) {
	for _, r := range t.bySite[s] {
		if r.path != "/robots.txt" && !(s.exercise.name == "moved" && strings.HasPrefix(r.path, "/hop/")) {
			pages = append(pages, r)
		}
	}
	return pages
}

// files returns the requests to a site for robots.txt that have ended.
func (t *trial) files(s *site) (files []*Request) {
	for _, r := range t.bySite[s] {
		if r.path == "/robots.txt" && r.end > 0 {
			files = append(files, r)
		}
	}
	return files
}

// read returns whether the robot had the answer to its request for robots.txt before a request. If
// robots.txt moved, that is the answer at the end.
func (t *trial) read(s *site, before *Request) bool {
	files := t.files(s)
	switch s.exercise.name {
	case "moved":
		files = slices.DeleteFunc(slices.Clone(t.bySite[s]), func(r *Request) bool {
			return r.path != "/hop/5" ||
				r.end == 0
		})
	case "elsewhere":
		files = t.files(t.web.byName["aside.test"])
	}
	return slices.ContainsFunc(files, func(r *Request) bool { return r.end < before.begin })
}

// asked returns whether the robot had asked the site for robots.txt before a request, with any
// answer.
func (t *trial) asked(s *site, before *Request) bool {
	return slices.ContainsFunc(t.files(s), func(r *Request) bool { return r.end < before.begin })
}

// find returns the first answered request for a path and query.
func find(requests []*Request, target string) *Request {
	for _, r := range requests {
		if r.Target == target && r.Method != "HEAD" {
			return r
		}
	}
	return nil
}

// robotsFirst judges all hosts except the one of the start page: a user names the start page, and
// some programs, such as wget, fetch a page that a user names without asking for robots.txt. For
// the same reason, it leaves out the root page of a host if no page had linked to the host. Ports
// of one host count as one here: origins judges them apart.
func robotsFirst(t *trial, _ *site) verdict {
	var wrong, right []*Request
	for _, s := range t.web.sites[1:] {
		pages := t.pages(s)
		if len(pages) > 0 && pages[0].Target == "/" && !t.linked(pages[0]) && !t.asked(s, pages[0]) {
			pages = pages[1:]
		}
		if s.exercise.aside || len(pages) == 0 {
			continue
		}
		first := pages[0]
		switch {
		case t.asked(s, first):
			right = append(right, first)
		case first.named || len(t.files(s)) > 0 || !t.askedAnywhere(first):
			wrong = append(wrong, first)
		}
	}
	switch {
	case len(wrong) > 0:
		return broken(textNotFirst.With(), wrong...)
	case len(right) == 0 && len(t.pages(t.web.sites[0])) > 0:
		return notShown(textOnlyStart)
	case len(right) == 0:
		return notShown(textNoPage)
	}
	return kept()
}

// linked returns whether the robot had the start page before a request. No other page links to
// hosts.
func (t *trial) linked(before *Request) bool {
	return slices.ContainsFunc(t.pages(t.web.sites[0]), func(r *Request) bool {
		return r.end > 0 &&
			r.end < before.begin
	})
}

// askedAnywhere returns whether the robot had asked any port for robots.txt before a request.
func (t *trial) askedAnywhere(before *Request) bool {
	return slices.ContainsFunc(t.web.sites, func(s *site) bool { return t.asked(s, before) })
}

// origins judges robots that come by port: all hosts have one name then.
func origins(t *trial, _ *site) verdict {
	var wrong []*Request
	right := 0
	for _, s := range t.web.sites {
		pages := t.pages(s)
		if s.exercise.aside || len(pages) == 0 || pages[0].named {
			continue
		}
		switch first := pages[0]; {
		case t.asked(s, first):
			right++
		case len(t.files(s)) == 0 && t.askedAnywhere(first):
			wrong = append(wrong, first)
		}
	}
	switch {
	case len(wrong) > 0:
		return broken(textOtherPort.With(), wrong...)
	case right < 2:
		return notShown(textFewPorts)
	}
	return kept()
}

// obeys judges an exercise with disallowed and allowed paths. The audit says which requests were
// disallowed. A robot that never asked for robots.txt anywhere breaks only the duties to do that,
// and to keep away from disallowed paths.
func obeys(t *trial, s *site) verdict {
	pages := t.pages(s)
	switch {
	case len(pages) == 0 && len(t.files(s)) > 0:
		return notShown(textOnlyFile, s.host())
	case len(pages) == 0:
		return notShown(textNoVisit, s.host())
	}
	if strings.Contains(s.exercise.robots, "{") && !t.addressed(s) {
		return notShown(textNoToken)
	}
	var wrong []*Request
	for _, r := range pages {
		if _, ok := t.disallowed[r]; ok && (t.asked(s, r) || s.exercise.name == "disallow" && !t.askedAnywhere(r)) {
			wrong = append(wrong, r)
		}
	}
	if len(wrong) > 0 {
		return broken(t.disallowed[wrong[0]], wrong...)
	}
	if !t.read(s, pages[0]) {
		return notShown(textUnread, s.host())
	}
	shown := pages[:0:0]
	for _, path := range slices.Concat([]string{"/", "/first"}, s.exercise.open, []string{"/last"}) {
		r := find(pages, path)
		if r == nil {
			return notShown(textAllowedNotRequested, path)
		}
		shown = append(shown, r)
	}
	if len(s.exercise.closed) > 0 && !inOrder(pages, s) && t.mayReturn(pages[0]) {
		return notShown(textMaybeQueued)
	}
	return kept(shown...)
}

// inOrder returns whether the robot requested the pages of a host in the order of their links, or
// in the opposite order. Then it passed those that it did not request.
func inOrder(pages []*Request, s *site) bool {
	var order []int
	for _, r := range pages {
		if i := slices.Index(s.exercise.links(), r.Target); i >= 0 && !slices.Contains(order, i) {
			order = append(order, i)
		}
	}
	return sorted(order)
}

// sorted returns whether numbers rise or fall.
func sorted(order []int) bool {
	return slices.IsSorted(order) || slices.IsSortedFunc(order, func(a, b int) int { return b - a })
}

// mayReturn reports whether a robot may still have links in its queue that it found with a request.
// That holds if it was busy when the test ended, but not for very long.
func (t *trial) mayReturn(since *Request) bool {
	return t.busy() && t.now.Sub(since.Start) < longQueue
}

// passed returns whether a robot that requests the root pages of hosts in the order of the start
// page, or in the opposite order, has come to one that is behind a host.
func (t *trial) passed(s *site) bool {
	type root struct{ begin, at int }
	var roots []root
	for i, to := range t.web.sites {
		if r := find(t.pages(to), "/"); r != nil && i > 0 {
			roots = append(roots, root{r.begin, i})
		}
	}
	if len(roots) < 2 {
		return false
	}
	slices.SortFunc(roots, func(a, b root) int { return a.begin - b.begin })
	var order []int
	for _, r := range roots {
		order = append(order, r.at)
	}
	first, last, at := order[0], order[len(order)-1], slices.Index(t.web.sites, s)
	return sorted(order) && (first < last && last > at || first > last && last < at)
}

// addressed returns whether each robots.txt of a site named the token of each request for a page.
func (t *trial) addressed(s *site) bool {
	for _, page := range t.pages(s) {
		token := cmp.Or(t.web.options.Agent, tokenOf(page.UserAgent))
		for _, file := range t.files(s) {
			if !slices.ContainsFunc(file.tokens, func(known string) bool { return strings.EqualFold(known, token) }) {
				return false
			}
		}
	}
	return true
}

// staysAway judges a host whose pages are all closed.
func staysAway(t *trial, s *site) verdict {
	files := t.files(s)
	var wrong []*Request
	for _, r := range t.pages(s) {
		if t.asked(s, r) {
			wrong = append(wrong, r)
		}
	}
	switch {
	case len(wrong) > 0:
		return broken(textClosedNow.With(), wrong...)
	case len(files) == 0:
		return notShown(textNotAsked, s.host())
	case !t.activeAt(files[0].End.Add(settled)):
		return notShown(textSilentAfterFile, settled.String())
	case t.mayReturn(files[0]) && !t.passed(s):
		return notShown(textHostQueued, s.host())
	}
	return kept(files...)
}

// settled is how long a robot must continue after an answer to show that it stays away from a host.
const settled = time.Second

// activeAt returns whether the robot made a request at a time or later, so that it was running.
func (t *trial) activeAt(at time.Time) bool {
	return len(t.all) > 0 && !t.newest().Start.Before(at)
}

// activeAfter returns whether the robot made another request after one.
func (t *trial) activeAfter(r *Request) bool { return t.newest().begin > r.begin }
